import { Alert, Anchor, Button, Group, Radio, Stack, Text, Title } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { cancelTicket, moveTicket, readTicket, type TicketView } from '#domain/events/public-endpoints.ts'
import { shownCode } from '#domain/events/ticket.ts'
import { timeOfDay } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { QrPicture } from '#web/modules/affiliates/qr-picture.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './events.module.css'
import { sessionText, sessionTime } from './session-text.ts'

/** A ticket with its code, for anyone who has its URL. */
export default function TicketPage() {
  const { code = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readTicket, { params: { code } })
  const ticket = data?.data
  const { t } = useTranslation('events')
  usePageTitle(ticket && `${t('ticket.title')} ${shownCode(ticket.code)}`)
  if (!ticket) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return (
    <Stack maw={480} mx="auto">
      <TicketCard ticket={ticket} />
      {ticket.materials.length > 0 && (
        <Card title={t('ticket.materials')}>
          <ul className={classes.lines}>
            {ticket.materials.map(({ id, title, fileName }) => (
              <li key={id}>
                <Anchor href={`/api/tiket/${ticket.code}/materials/${id}`} download={fileName}>
                  {title}
                </Anchor>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Anchor component={Link} to="/acara">
        {t('public.all')}
      </Anchor>
    </Stack>
  )
}

function TicketCard({ ticket }: { ticket: TicketView }) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const { actOrThrow } = useAction(keyOf(readTicket))
  const [isMoving, setMoving] = useState(false)
  const { code, name, state, position, checkedInAt, qr, event, sessionId, link, changeable } = ticket
  const session = event.sessions.find(({ id }) => id === sessionId)!
  const isOff = event.state === 'cancelled'
  return (
    <Card>
      <Stack>
        <div>
          <Text c="dimmed">{event.name[language]}</Text>
          <Title order={1}>{name}</Title>
        </div>
        {isOff && (
          <Alert color="red" variant="light" role="status">
            {t('ticket.eventCancelled')}
          </Alert>
        )}
        {state === 'cancelled' && (
          <Alert color="orange" variant="light" role="status">
            {t('ticket.cancelled')}
          </Alert>
        )}
        {state === 'waiting' && !isOff && (
          <Alert color="orange" variant="light" role="status">
            {t('ticket.waiting', { position })}
          </Alert>
        )}
        {checkedInAt && (
          <Alert color="green" variant="light" role="status">
            {t('ticket.checkedIn', { time: timeOfDay(checkedInAt, language) })}
          </Alert>
        )}
        {state === 'registered' && !isOff && (
          <>
            <div className={classes.qr}>
              <QrPicture qr={qr} label={t('ticket.qr', { code: shownCode(code) })} />
            </div>
            <Text size="sm">{t('ticket.show')}</Text>
          </>
        )}
        <Facts
          facts={[
            [
              t('ticket.code'),
              <span key="code" className={classes.code}>
                {shownCode(code)}
              </span>,
            ],
            [t('public.when'), sessionTime(session, language)],
            [
              t('public.where'),
              link ? (
                <Anchor key="link" href={link} target="_blank" rel="noreferrer">
                  {t('ticket.open')}
                </Anchor>
              ) : (
                [event.place ?? t('public.online'), session.name, session.room].filter(Boolean).join(', ')
              ),
            ],
          ]}
        />
        {state !== 'cancelled' && !isOff && (
          <Group gap="xs">
            <Button
              component="a"
              href={`/api/tiket/${code}/calendar.ics`}
              variant="default"
              mih={44}
              leftSection={<IconCalendarPlus size={20} aria-hidden="true" />}
            >
              {t('ticket.calendar')}
            </Button>
            {changeable && event.sessions.length > 1 && (
              <Button variant="default" mih={44} onClick={() => setMoving(true)}>
                {t('ticket.move')}
              </Button>
            )}
            {changeable && (
              <ConfirmButton
                variant="default"
                mih={44}
                danger
                message={t('ticket.cancelText')}
                onConfirm={() =>
                  actOrThrow(
                    'cancel',
                    () => sendOnce(cancelTicket, { params: { code } }),
                    () => t('ticket.cancelledNow'),
                  )
                }
              >
                {t('ticket.cancel')}
              </ConfirmButton>
            )}
          </Group>
        )}
        {state === 'cancelled' && event.state === 'open' && (
          <Button component={Link} to={`/acara/${event.slug}`} variant="default" mih={44}>
            {t('ticket.again')}
          </Button>
        )}
        {isMoving && <MoveDialog ticket={ticket} onClose={() => setMoving(false)} />}
      </Stack>
    </Card>
  )
}

function MoveDialog({ ticket: { code, event, sessionId }, onClose }: { ticket: TicketView; onClose: () => void }) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const form = useForm({
    call: moveTicket,
    params: { code },
    start: { sessionId: null as string | null },
    done: t('ticket.moved'),
    onDone: onClose,
  })
  const others = event.sessions.filter(({ id, startsAt }) => id !== sessionId && Date.parse(startsAt) > Date.now())
  return (
    <DialogForm title={t('ticket.moveTitle')} form={form} submit={t('ticket.move')} onClose={onClose}>
      <Radio.Group aria-label={t('public.session')} {...form.value('sessionId')}>
        <Stack gap="xs">
          {others.map((session) => (
            <Radio
              key={session.id}
              value={session.id}
              disabled={session.seatsLeft === 0}
              label={sessionText(session, language)}
              description={session.seatsLeft > 0 ? t('public.seats', { count: session.seatsLeft }) : t('public.full')}
            />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
