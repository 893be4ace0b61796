import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestSeatView } from '#domain/testing/endpoints.ts'
import { dateTime, timeOfDay, weekdayDate } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CalendarFileButton } from './calendar-file-button.tsx'
import classes from './session-cards.module.css'
import { CalendarLeaf, SessionCards, SessionWords } from './session-cards.tsx'
import { useTestSchedule } from './use-test-seat.ts'
import { WaitingPlace } from './waiting-place.tsx'

/** The test of a registration: the applicant's seat, or the sessions to choose from. */
export function TestSchedule({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  const top = useRef<HTMLDivElement>(null)
  const { schedule, take, release, join, leave } = useTestSchedule(registrationId)
  const [changing, setChanging] = useState(false)
  const [chosenId, choose] = useState<string | null>(null)

  if (!schedule.data) return <LoadingOrFailed error={schedule.error} onRetry={schedule.refetch} rows={3} height={76} />
  const { seat, waiting, sessions, blockedBy, choosing } = schedule.data.data
  const place = waiting && <WaitingPlace place={waiting} hasSeat={seat !== null} onAccept={take} onLeave={leave} />

  if (seat && !changing)
    return (
      <Stack gap="lg" ref={top}>
        {place}
        <OwnSeat
          registrationId={registrationId}
          seat={seat}
          onChange={choosing ? () => setChanging(true) : undefined}
          onRelease={async () => {
            await release.mutateAsync()
            notifications.show({ message: t('released') })
          }}
          failure={release.error?.message}
        />
      </Stack>
    )
  if (blockedBy) return <Text c="dimmed">{t(`blocked.${blockedBy}`)}</Text>

  const pick = chosenId ?? seat?.session.id ?? null
  const isFull = sessions.find(({ id }) => id === pick)?.state === 'full' && pick !== seat?.session.id
  const isWaitedFor = isFull && pick === waiting?.session.id
  const book = () => {
    if (!pick) return
    take.mutate(pick, {
      onSuccess: ({ data }) => {
        setChanging(false)
        choose(null)
        // The list has disappeared; without scrolling, the reader would see the content below it.
        requestAnimationFrame(() => top.current?.scrollIntoView({ block: 'center' }))
        notifications.show({
          color: 'green',
          message: t('bookedToast', {
            date: weekdayDate(data.session.date, language),
            time: data.session.startTime.replace(':', '.'),
          }),
        })
      },
    })
  }
  return (
    <Stack gap="md">
      {place}
      <Text c="dimmed">{t('chooseHint', { zone: zoneName() })}</Text>
      <SessionCards
        label={t('choose')}
        sessions={sessions}
        chosenId={pick}
        ownId={seat?.session.id}
        onChoose={choose}
        canWait={choosing === 'book'}
        disabled={take.isPending || join.isPending}
      />
      {isFull && !isWaitedFor && <Text>{t('waiting.hint')}</Text>}
      <Failure>{take.error?.message ?? join.error?.message}</Failure>
      <Group>
        {isFull ? (
          <Button
            onClick={() => pick && join.mutate(pick, { onSuccess: () => setChanging(false) })}
            loading={join.isPending}
            disabled={isWaitedFor}
          >
            {t('waiting.join')}
          </Button>
        ) : (
          <Button onClick={book} loading={take.isPending} disabled={!pick || pick === seat?.session.id}>
            {t(seat ? 'move' : 'book')}
          </Button>
        )}
        {seat && (
          <Button variant="default" onClick={() => setChanging(false)}>
            {t('keep')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

type OwnProps = {
  registrationId: string
  seat: TestSeatView
  onChange: (() => void) | undefined
  onRelease: () => Promise<unknown>
  failure: string | undefined
}

const tones = { held: 'attention', booked: 'done', attended: 'done', absent: 'stopped', released: 'waiting' } as const

function OwnSeat({ registrationId, seat, onChange, onRelease, failure }: OwnProps) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  const { session, status } = seat
  const label =
    status === 'held'
      ? t('held', { time: seat.heldUntil ? timeOfDay(seat.heldUntil, language) : '' })
      : t(status as 'booked')
  return (
    <Stack gap="md">
      <StatusDot tone={tones[status]} label={label} />
      <div className={classes.own}>
        <CalendarLeaf date={session.date} />
        <SessionWords session={session} />
      </div>
      {seat.room && <Text fw={600}>{t('place', { room: seat.room, seat: seat.place })}</Text>}
      {session.mode === 'online' && session.location && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t('link')}:{' '}
          {/^https?:\/\//.test(session.location) ? (
            <Anchor href={session.location} target="_blank" rel="noreferrer">
              {session.location}
            </Anchor>
          ) : (
            session.location
          )}
        </Text>
      )}
      {status === 'booked' && <Text>{t(session.mode === 'online' ? 'prepare' : 'bring')}</Text>}
      {status === 'absent' && <Text>{t('absentHint')}</Text>}
      {status === 'booked' && (
        <Text c="dimmed" size="sm">
          {seat.changeable ? t('changeUntil', { date: dateTime(session.bookingEndsAt, language) }) : t('notChangeable')}
        </Text>
      )}
      <Failure>{failure}</Failure>
      {status === 'booked' && <CalendarFileButton registrationId={registrationId} />}
      {seat.changeable && onChange && (
        <Group>
          <Button variant="default" onClick={onChange}>
            {t('change')}
          </Button>
          <ConfirmButton
            variant="subtle"
            color="red"
            title={t('releaseTitle')}
            message={t('releaseText')}
            onConfirm={onRelease}
          >
            {t('release')}
          </ConfirmButton>
        </Group>
      )}
    </Stack>
  )
}
