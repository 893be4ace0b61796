import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import {
  cancelEvent,
  cancelVisit,
  closeEvent,
  type EventView,
  publishEvent,
  readEvent,
  readEventFigures,
} from '#domain/events/endpoints.ts'
import { listVisitors, type VisitorRow } from '#domain/events/lists.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { ListCard } from '#web/list/list-card.tsx'
import { ShareButton } from '#web/modules/affiliates/share-button.tsx'
import classes from '#web/modules/events/events.module.css'
import { sessionText } from '#web/modules/events/session-text.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CancelVisitDialog } from './cancel-visit-dialog.tsx'
import { FigureCards } from './figure-cards.tsx'
import { MaterialsCard } from './materials-card.tsx'
import { eventTones, visitorTones } from './tones.ts'

/** Interval between refetches of the check-ins while the page is open. */
const refetchPauseMs = 15_000

/** An event from invitation to enrolment: details, sessions, people, materials and costs. */
export default function EventPage() {
  const { id = '' } = useParams()
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readEvent, { params: { id } }, { refetchInterval: refetchPauseMs })
  const figures = useEndpoint(readEventFigures, { params: { id } }, { refetchInterval: refetchPauseMs })
  const event = data?.data
  const name = event && (language === 'id' ? event.nameId : event.nameEn)
  usePageTitle(name)
  if (!event || name === undefined) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader title={name} actions={<Actions event={event} name={name} />} />
      <Stack>
        <div className={classes.columns}>
          <FactsCard event={event} />
          <SessionsCard event={event} />
        </div>
        <FigureCards figures={figures.data?.data} error={figures.error} onRetry={figures.refetch} costs={event.costs} />
        <Visitors event={event} />
        <div className={classes.columns}>
          {event.affiliates.length > 0 && <LinksCard event={event} />}
          <MaterialsCard event={event} />
        </div>
      </Stack>
    </>
  )
}

function Actions({ event: { id, status, may, sessions }, name }: { event: EventView; name: string }) {
  const { t } = useTranslation('events')
  const { actOrThrow } = useAction(keyOf(readEvent))
  const [isCancelling, setCancelling] = useState(false)
  const params = { id }
  const people = sessions.reduce((sum, { taken, waiting }) => sum + taken + waiting, 0)
  return (
    <>
      {may.checkIn && status !== 'draft' && status !== 'cancelled' && (
        <Button
          component={Link}
          to={`/event-afiliator/view/${id}/check-in`}
          leftSection={<IconScan size={18} aria-hidden="true" />}
        >
          {t('view.checkIn')}
        </Button>
      )}
      {may.update && status !== 'cancelled' && (
        <>
          <Button component={Link} to={`/event-afiliator/${id}`} variant="default">
            {t('view.edit')}
          </Button>
          {status !== 'published' && (
            <ConfirmButton
              variant={status === 'draft' ? 'filled' : 'default'}
              message={t('view.publishText')}
              onConfirm={() =>
                actOrThrow(
                  'publish',
                  () => sendOnce(publishEvent, { params }),
                  () => t('view.published'),
                )
              }
            >
              {t(status === 'draft' ? 'view.publish' : 'view.reopen')}
            </ConfirmButton>
          )}
          {status === 'published' && (
            <ConfirmButton
              variant="default"
              message={t('view.closeText')}
              onConfirm={() =>
                actOrThrow(
                  'close',
                  () => sendOnce(closeEvent, { params }),
                  () => t('view.closed'),
                )
              }
            >
              {t('view.close')}
            </ConfirmButton>
          )}
          <Button variant="default" onClick={() => setCancelling(true)}>
            {t('view.cancel')}
          </Button>
        </>
      )}
      {isCancelling && (
        <ReasonDialog
          call={cancelEvent}
          params={params}
          danger
          title={t('view.cancelTitle', { name })}
          submit={t('view.cancel')}
          label={t('view.cancelReason')}
          done={t('view.cancelDone')}
          onClose={() => setCancelling(false)}
        >
          <Text>{t('view.cancelText', { count: people })}</Text>
        </ReasonDialog>
      )}
    </>
  )
}

function FactsCard({ event }: { event: EventView }) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const { kind, status, cancelReason, school, place, link, owner, opensOn, closesOn, slug, publicLink } = event
  const description = language === 'id' ? event.descriptionId : event.descriptionEn
  return (
    <Card title={t('view.facts')}>
      <Facts
        facts={[
          [t('column.status'), <StatusDot key="status" tone={eventTones[status]} label={t(`status.${status}`)} />],
          ...(cancelReason ? ([[t('view.cancelReason'), cancelReason]] as const) : []),
          [t('column.kind'), t(`kind.${kind}`)],
          ...(school ? ([[t('column.school'), school]] as const) : []),
          [t('column.place'), place || link],
          [t('view.registration'), `${longDate(opensOn, language)} – ${longDate(closesOn, language)}`],
          ...(owner ? ([[t('column.owner'), owner]] as const) : []),
          ...(status === 'draft'
            ? []
            : ([
                [
                  t('view.publicPage'),
                  <Anchor key="page" component={Link} to={`/acara/${slug}`} style={{ overflowWrap: 'anywhere' }}>
                    {publicLink}
                  </Anchor>,
                ],
              ] as const)),
          ...(description ? ([[t('view.description'), description]] as const) : []),
        ]}
      />
    </Card>
  )
}

function SessionsCard({ event: { sessions } }: { event: EventView }) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  return (
    <Card title={t('view.sessions')} count={sessions.length}>
      <ul className={classes.lines}>
        {sessions.map((session) => (
          <li key={session.id}>
            <span>{sessionText(session, language)}</span>
            <Text size="sm" c="dimmed" component="span">
              {[
                t('view.fill', { taken: session.taken, capacity: session.capacity }),
                session.waiting > 0 && t('view.waitingCount', { count: session.waiting }),
                t('view.checkedIn', { count: session.checkedIn }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Prefix of the URL parameters of the visitor list. */
const visitorsPrefix = 'v.'

function Visitors({ event: { id } }: { event: EventView }) {
  const { t } = useTranslation(['events', 'send'])
  const { may } = useSession()
  const [search] = useSearchParams()
  const chosen = ['sessionId', 'state'].map((key) => [key, search.get(visitorsPrefix + key) ?? ''])
  const query = new URLSearchParams([['audience', 'visitors'], ['eventId', id], ...chosen])
  return (
    <ListCard
      list={listVisitors}
      params={{ id }}
      prefix={visitorsPrefix}
      actions={
        may('marketing-kirim-informasi-view') && (
          <Button component={Link} to={`/marketing/kirim-informasi/create?${query}`} variant="default" size="sm">
            {t('send:fromList')}
          </Button>
        )
      }
      title={t('visitors.title')}
      searchLabel={t('visitors.search')}
      rowTitle={({ name }) => name}
      cells={{
        state: ({ state }) => <StatusDot tone={visitorTones[state]} label={t(`visitorState.${state}`)} />,
      }}
      rowActions={[
        {
          key: 'cancel',
          label: t('visitors.cancel'),
          right: cancelVisit.access,
          danger: true,
          suits: ({ state }: VisitorRow) => state !== 'cancelled',
          dialog: ([row], ends) => row && <CancelVisitDialog eventId={id} visitor={row} {...ends} />,
        },
      ]}
      empty={{ title: t('visitors.empty'), text: t('visitors.emptyText') }}
    />
  )
}

function LinksCard({ event: { affiliates } }: { event: EventView }) {
  const { t } = useTranslation('events')
  return (
    <Card title={t('view.links')}>
      <ul className={classes.lines}>
        {affiliates.map(({ id, name, link }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>
              <br />
              {link}
            </span>
            <ShareButton link={link} title={name} label={t('public.share')} copied={t('public.shared')} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
