import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { giveSeats, type SessionDetail, saveRooms } from '#domain/testing/sessions/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { PrintMenu } from '#web/modules/testing/sessions/session-actions.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './rooms-card.module.css'
import { RoomsDialog } from './rooms-dialog.tsx'
import { SeatingDialog } from './seating-dialog.tsx'

/** A session's rooms with the places given in each, and by which rule. */
export function RoomsCard({ session }: { session: SessionDetail }) {
  const { t } = useTranslation('test-sessions')
  const { mayCall } = useSession()
  const [dialog, setDialog] = useState<'rooms' | 'seating' | null>(null)
  const { rooms, state, unseated, seatedAt } = session
  const isOpen = state !== 'cancelled' && state !== 'over'
  const close = () => setDialog(null)
  return (
    <Card
      title={t('rooms.title')}
      actions={
        isOpen &&
        mayCall(saveRooms) &&
        mayCall(giveSeats) && (
          <Group gap="xs">
            <Button size="compact-md" variant="default" onClick={() => setDialog('rooms')} children={t('rooms.edit')} />
            <DisabledReason
              size="compact-md"
              variant="default"
              reason={rooms.length === 0 ? t('rooms.none') : null}
              onClick={() => setDialog('seating')}
            >
              {t('seating.give')}
            </DisabledReason>
          </Group>
        )
      }
    >
      <Stack gap="sm">
        {rooms.length === 0 ? (
          <Text c="dimmed">{t('rooms.none')}</Text>
        ) : (
          <ul className={classes.rooms}>
            {rooms.map((room) => (
              <li key={room.id}>
                <div>
                  <Text fw={600}>{room.name}</Text>
                  <Text size="sm" c="dimmed">
                    {t('rooms.fill', { taken: room.taken, capacity: room.capacity })}
                    {room.seatRows !== null &&
                      ` · ${t('rooms.grid', { rows: room.seatRows, columns: room.seatColumns })}`}
                  </Text>
                </div>
                <PrintMenu session={session} room={room} />
              </li>
            ))}
          </ul>
        )}
        {rooms.length > 0 && <Seating session={session} />}
        {seatedAt && unseated > 0 && (
          <Alert color="orange" variant="light">
            {t('seating.unseated', { count: unseated })}
          </Alert>
        )}
      </Stack>
      {dialog === 'rooms' && <RoomsDialog session={session} onClose={close} />}
      {dialog === 'seating' && <SeatingDialog session={session} onClose={close} />}
    </Card>
  )
}

function Seating({ session: { seatingRule, seatingSeed, seatedAt } }: { session: SessionDetail }) {
  const { t } = useTranslation('test-sessions')
  const { language } = useSurroundings()
  if (!seatingRule || !seatedAt) return <Text>{t('seating.none')}</Text>
  const words = { rule: t(`seating.${seatingRule}`), at: dateTime(seatedAt, language) }
  return (
    <Text>
      {t('seating.title')}:{' '}
      {seatingSeed ? t('seating.givenLot', { ...words, seed: seatingSeed }) : t('seating.given', words)}
    </Text>
  )
}
