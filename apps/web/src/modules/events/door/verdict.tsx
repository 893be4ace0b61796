import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CheckInList } from '#domain/events/check-in-endpoints.ts'
import { dateTime, timeOfDay } from '#locales/format.ts'
import classes from '#web/offline/door/door.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { DoorGuest } from './local-door.ts'
import { type LastScan, toneOf } from './use-door.ts'

type Props = {
  last: LastScan
  guests: readonly DoorGuest[]
  sessions: CheckInList['sessions']
  onLetIn: (visitorId: string) => void
}

/** Result of the last scan, readable at arm's length. */
export function Verdict({ last, guests, sessions, onLetIn }: Props) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const { said, visitorId, before, result } = last
  const guest = guests.find(({ id }) => id === visitorId)
  const elsewhere = sessions.find(({ id }) => id === (result?.elsewhere ?? guest?.sessionId))
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
  const name = guest?.name ?? result?.name
  return (
    <div className={classes.verdict} data-tone={toneOf[said]} role="status">
      <Stack gap={4} align="flex-start">
        {name && (
          <Text fw={650} size="lg">
            {name}
          </Text>
        )}
        <Text>{says()}</Text>
        {guest?.school && (
          <Text size="sm" c="dimmed">
            {guest.school}
          </Text>
        )}
        {visitorId && (said === 'other_session' || said === 'cancelled') && (
          <Button variant="default" mt="xs" mih={44} onClick={() => onLetIn(visitorId)}>
            {t('door.letIn')}
          </Button>
        )}
      </Stack>
    </div>
  )
}
