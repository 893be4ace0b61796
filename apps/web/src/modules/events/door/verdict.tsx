import { useTranslation } from 'react-i18next'
import type { CheckInList } from '#domain/events/check-in-endpoints.ts'
import { dateTime, timeOfDay } from '#locales/format.ts'
import type { DoorTone } from '#web/modules/door/signal.ts'
import { VerdictCard } from '#web/modules/door/verdict-card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { DoorGuest } from './local-door.ts'
import { type LastCheckIn, type Said, verdictOf } from './use-check-in.ts'

type Props = {
  last: LastCheckIn
  guests: readonly DoorGuest[]
  sessions: CheckInList['sessions']
  onLetIn: (visitorId: string) => void
}

const toneOf: Record<Said, DoorTone> = {
  recorded: 'done',
  already: 'attention',
  undone: 'attention',
  waiting: 'attention',
  other_session: 'stopped',
  cancelled: 'stopped',
  unknown_ticket: 'stopped',
  forged: 'stopped',
  notOnList: 'attention',
  unclear: 'attention',
}

/** Verdict on the last scan of a ticket. */
export function Verdict({ last, guests, sessions, onLetIn }: Props) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const { said, visitorId, before } = verdictOf(last)
  const guest = guests.find(({ id }) => id === visitorId)
  const elsewhere = sessions.find(({ id }) => id === (last.result?.elsewhere ?? guest?.sessionId))
  const says = () => {
    if (said === 'already' && before)
      return t('door.verdict.already', { time: timeOfDay(before.at, language), device: before.deviceName })
    if (said === 'already') return t('door.verdict.recorded')
    if (said === 'other_session')
      return t('door.verdict.other_session', {
        session: elsewhere ? [elsewhere.name, dateTime(elsewhere.startsAt, language)].filter(Boolean).join(', ') : '',
      })
    return t(`door.verdict.${said}`)
  }
  const isRefused = said === 'other_session' || said === 'cancelled'
  return (
    <VerdictCard
      scanId={last.id}
      tone={toneOf[said]}
      name={guest?.name ?? last.result?.name}
      sentence={says()}
      note={guest?.school}
      action={visitorId && isRefused ? { label: t('door.letIn'), onClick: () => onLetIn(visitorId) } : null}
    />
  )
}
