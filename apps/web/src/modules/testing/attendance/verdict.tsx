import { useTranslation } from 'react-i18next'
import { minutesLate } from '#domain/testing/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay } from '#locales/format.ts'
import { VerdictCard } from '#web/modules/door/verdict-card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useRefusal } from './refused-scans.tsx'
import type { LastMark } from './use-attendance.ts'

type Props = {
  last: LastMark
  participants: readonly Participant[]
  startsAt: string
  onForce: (card: string) => void
}

/** Verdict on the last scan of a card: recorded, already present, or not on this session's list. */
export function Verdict({ last, participants, startsAt, onForce }: Props) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const saysRefusal = useRefusal()
  const { said, result, code: card } = last
  const registrationId = last.personId ?? result?.registrationId
  const participant = participants.find((candidate) => candidate.registrationId === registrationId)
  const before = last.before ?? (result?.outcome === 'repeated' ? result.first : null)
  const late = participant?.arrivedAt ? minutesLate(new Date(participant.arrivedAt), new Date(startsAt)) : 0
  const refused = result && result.outcome !== 'recorded' && result.outcome !== 'repeated'

  const says = () => {
    if (before) return t('verdict.already', { time: timeOfDay(before.at, language), device: before.deviceName })
    if (refused) return saysRefusal(result)
    if (!participant) return t(result ? 'verdict.recorded' : 'verdict.notOnList')
    if (said === 'leave') return t('verdict.left')
    if (said === 'absent') return t('verdict.absent')
    if (said === 'cancel') return t('verdict.cancelled')
    return late > 0 ? t('verdict.late', { count: late }) : t('verdict.present')
  }
  const tone = refused || (!participant && !result) ? 'stopped' : before || late > 0 ? 'attention' : 'done'
  const canForce = card && tone === 'stopped' && result?.outcome !== 'unknown_card'
  return (
    <VerdictCard
      scanId={last.id}
      tone={tone}
      name={participant?.name ?? result?.name}
      sentence={says()}
      note={participant?.code ?? result?.code}
      action={canForce ? { label: t('force.open'), onClick: () => onForce(card) } : null}
    />
  )
}
