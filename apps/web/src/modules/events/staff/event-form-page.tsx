import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import {
  createEvent,
  type EventInput,
  type EventView,
  eventChoices,
  readEvent,
  updateEvent,
} from '#domain/events/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type EventFields, FactFields, PeopleFields, SessionFields } from './event-fields.tsx'

/** Creates or edits an event: details, sessions, people and costs. */
export default function EventFormPage() {
  const { id } = useParams()
  const existing = useEndpoint(readEvent, { params: { id: id ?? '' } }, { enabled: id !== undefined })
  const choices = useEndpoint(eventChoices)
  const event = existing.data?.data
  const offered = choices.data?.data
  const missing = choices.error ?? existing.error
  if (!offered || (id !== undefined && !event))
    return (
      <LoadingRecord
        error={missing}
        onRetry={() => Promise.all([choices.refetch(), ...(id ? [existing.refetch()] : [])])}
        rows={8}
      />
    )
  return <EventForm key={event?.version ?? 0} event={event ?? null} choices={offered} />
}

const emptySession = { id: null, name: '', date: null, startTime: '09:00', endTime: '11:00', room: '', capacity: 100 }

const startOf = (event: EventView | null): EventFields =>
  event
    ? {
        kind: event.kind,
        nameId: event.nameId,
        nameEn: event.nameEn,
        descriptionId: event.descriptionId,
        descriptionEn: event.descriptionEn,
        slug: event.slug,
        schoolId: event.schoolId,
        place: event.place,
        link: event.link,
        opensOn: event.opensOn,
        closesOn: event.closesOn,
        public: event.public,
        invited: event.invited,
        ownerId: event.ownerId,
        sessions: event.sessions.map(({ id, name, date, startTime, endTime, room, capacity }) => ({
          id,
          name,
          date,
          startTime,
          endTime,
          room,
          capacity,
        })),
        affiliateIds: event.affiliates.map(({ id }) => id),
        costs: event.costs.map((cost) => ({ ...cost })),
      }
    : {
        kind: 'school_visit',
        nameId: '',
        nameEn: '',
        descriptionId: '',
        descriptionEn: '',
        slug: '',
        schoolId: null,
        place: '',
        link: '',
        opensOn: null,
        closesOn: null,
        public: true,
        invited: null,
        ownerId: null,
        sessions: [emptySession],
        affiliateIds: [],
        costs: [],
      }

type Choices = { affiliates: { id: string; name: string }[]; owners: { id: string; name: string }[] }

function EventForm({ event, choices }: { event: EventView | null; choices: Choices }) {
  const { t } = useTranslation('events')
  const { say } = useSurroundings()
  const title = useScreenTitle()
  const wayBack = useWayBack()
  const navigate = useNavigate()
  const form = useForm({
    call: event ? updateEvent : createEvent,
    ...(event && { params: { id: event.id } }),
    start: () => startOf(event),
    body: (values) => ({ ...(values as unknown as EventInput), ...(event && { version: event.version }) }),
    done: t(event ? 'form.saved' : 'form.created'),
    onDone: ({ data }) => navigate(`/event-afiliator/view/${data.id}`),
  })
  const isOff = event?.status === 'cancelled'
  const fields = { form, choices, origin: location.origin }
  return (
    <>
      <PageHeader title={title} description={event?.nameId} />
      <PageForm
        form={form}
        submit={isOff ? null : t(event ? 'form.save' : 'form.create')}
        gap={20}
        maw={860}
        beside={
          <Button
            component={Link}
            {...wayBack(event ? `/event-afiliator/view/${event.id}` : '/event-afiliator')}
            variant="subtle"
            children={say('actions.cancel')}
          />
        }
      >
        {isOff && (
          <Alert color="orange" variant="light">
            {t('form.cancelledEvent')}
          </Alert>
        )}
        {(
          [
            ['facts', FactFields],
            ['sessions', SessionFields],
            ['people', PeopleFields],
          ] as const
        ).map(([part, Fields]) => (
          <Card key={part} title={t(`form.${part}`)}>
            <Stack gap="md">
              <Text size="sm" c="dimmed">
                {t(`form.${part}Text`)}
              </Text>
              <Fields {...fields} />
            </Stack>
          </Card>
        ))}
      </PageForm>
    </>
  )
}
