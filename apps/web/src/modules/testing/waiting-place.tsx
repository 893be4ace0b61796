import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { WaitingPlace as Place } from '#domain/testing/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './session-cards.module.css'
import { CalendarLeaf, SessionWords } from './session-cards.tsx'
import type { useTestSchedule } from './use-test-seat.ts'

type Props = {
  place: Place
  hasSeat: boolean
  onAccept: ReturnType<typeof useTestSchedule>['take']
  onLeave: ReturnType<typeof useTestSchedule>['leave']
}

/** The applicant's place on a session's waiting list, or the seat offered now. */
export function WaitingPlace({ place, hasSeat, onAccept, onLeave }: Props) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  const { session, status, position, offeredUntil } = place
  const isOffered = status === 'offered' && offeredUntil !== null
  const isBusy = onAccept.isPending || onLeave.isPending
  return (
    <Stack gap="md">
      <StatusDot
        tone={isOffered ? 'attention' : 'waiting'}
        label={
          isOffered
            ? t('waiting.offered', { date: dateTime(offeredUntil, language) })
            : t('waiting.place', { position })
        }
      />
      <div className={classes.own}>
        <CalendarLeaf date={session.date} />
        <SessionWords session={session} />
      </div>
      <Text c="dimmed" size="sm">
        {isOffered
          ? [t('waiting.offeredText'), hasSeat && t('waiting.offeredMove')].filter(Boolean).join(' ')
          : t('waiting.next')}
      </Text>
      <Failure>{onAccept.error?.message ?? onLeave.error?.message}</Failure>
      <Group>
        {isOffered && (
          <Button onClick={() => onAccept.mutate(session.id)} loading={onAccept.isPending} disabled={isBusy}>
            {t('waiting.accept')}
          </Button>
        )}
        <Button
          variant={isOffered ? 'default' : 'subtle'}
          onClick={() =>
            onLeave.mutate(undefined, { onSuccess: () => notifications.show({ message: t('waiting.left') }) })
          }
          loading={onLeave.isPending}
          disabled={isBusy}
        >
          {t(isOffered ? 'waiting.decline' : 'waiting.leave')}
        </Button>
      </Group>
    </Stack>
  )
}
