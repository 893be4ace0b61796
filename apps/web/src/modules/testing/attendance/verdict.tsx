import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { minutesLate } from '#domain/testing/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay, weekdayDate } from '#locales/format.ts'
import classes from '#web/offline/door/door.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { LastScan } from './use-attendance.ts'

type Props = {
  last: LastScan
  participants: readonly Participant[]
  startsAt: string
  onForce: (card: string) => void
}

/** Meaning of the last scan: recorded, already present, or not on this session's list. */
export function Verdict({ last, participants, startsAt, onForce }: Props) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const registrationId = last.registrationId ?? last.result?.registrationId
  const participant = participants.find((candidate) => candidate.registrationId === registrationId)
  const before = last.before ?? (last.result?.outcome === 'repeated' ? last.result.first : null)
  const late = participant?.arrivedAt ? minutesLate(new Date(participant.arrivedAt), new Date(startsAt)) : 0
  const refused = last.result && last.result.outcome !== 'recorded' && last.result.outcome !== 'repeated'
  const elsewhere = last.result?.elsewhere
  const name = participant?.name ?? last.result?.name
  const code = participant?.code ?? last.result?.code

  const says = () => {
    if (before) return t('verdict.already', { time: timeOfDay(before.at, language), device: before.deviceName })
    if (refused)
      return elsewhere
        ? t('verdict.other_session', {
            session: elsewhere.name,
            date: weekdayDate(elsewhere.date, language),
            time: elsewhere.startTime.replace(':', '.'),
          })
        : t(`verdict.${last.result!.outcome as 'no_seat'}`)
    if (!participant) return t(last.result ? 'verdict.recorded' : 'verdict.notOnList')
    if (last.kind === 'leave') return t('verdict.left')
    if (last.kind === 'absent') return t('verdict.absent')
    if (last.kind === 'cancel') return t('verdict.cancelled')
    return late > 0 ? t('verdict.late', { count: late }) : t('verdict.present')
  }
  const tone = refused || (!participant && !last.result) ? 'stopped' : before || late > 0 ? 'attention' : 'done'
  const { card } = last
  return (
    <div className={classes.verdict} data-tone={tone} role="status">
      <Stack gap={4}>
        {name && (
          <Text fw={650} size="lg">
            {name}
          </Text>
        )}
        <Text>{says()}</Text>
        {code && (
          <Text size="sm" c="dimmed">
            {code}
          </Text>
        )}
        {card && tone === 'stopped' && last.result?.outcome !== 'unknown_card' && (
          <Button variant="default" mt="xs" onClick={() => onForce(card)}>
            {t('force.open')}
          </Button>
        )}
      </Stack>
    </div>
  )
}
