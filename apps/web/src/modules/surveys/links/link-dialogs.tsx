import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listEvents } from '#domain/events/lists.ts'
import type { RowOf } from '#domain/list.ts'
import { changeSurveyLink, createSurveyLink } from '#domain/surveys/endpoints.ts'
import type { listSurveyLinks } from '#domain/surveys/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Row = RowOf<typeof listSurveyLinks>
type Limits = { name: string; budget: number | null; endsAt: string | null }
type LimitProps = {
  values: Limits
  onChange: (changed: Partial<Limits>) => void
  field: (name: 'name' | 'budget' | 'endsAt') => object
}

/** Name, budget and end, shared by the forms for new and existing links. */
function LimitFields({ values: { name, budget, endsAt }, onChange, field }: LimitProps) {
  const { t } = useTranslation('surveys')
  return (
    <>
      <TextInput
        label={t('links.name')}
        description={t('links.nameHelp')}
        data-autofocus
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        {...field('name')}
      />
      <NumberInput
        label={t('links.budget')}
        description={t('links.budgetHelp')}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={budget ?? ''}
        onChange={(value) => onChange({ budget: value === '' ? null : Number(value) })}
        {...field('budget')}
      />
      <DateTimePicker
        label={t('links.endsAt')}
        description={t('links.endsAtHelp')}
        valueFormat="DD MMMM YYYY HH:mm"
        clearable
        clearButtonProps={{ 'aria-label': t('links.clear') }}
        value={endsAt && toWallClock(endsAt)}
        onChange={(value) => onChange({ endsAt: value && fromWallClock(value) })}
        {...field('endsAt')}
      />
    </>
  )
}

type NewProps = { surveyId: string; onClose: () => void; onMade: (linkId: string) => void }

/** Creates a link for a school, an affiliate or everybody. */
export function NewLinkDialog({ surveyId, onClose, onMade }: NewProps) {
  const { t } = useTranslation('surveys')
  const [limits, setLimits] = useState<Limits>({ name: '', budget: null, endsAt: null })
  const [slug, setSlug] = useState('')
  const [schoolId, setSchoolId] = useState<string | null>(null)
  const [affiliateId, setAffiliateId] = useState<string | null>(null)
  const [eventId, setEventId] = useState<string | null>(null)
  const { may } = useSession()
  const form = useForm({
    call: createSurveyLink,
    params: { id: surveyId },
    body: { ...limits, slug: slug.trim() || null, schoolId, affiliateId, eventId },
    done: t('links.created'),
    onDone: ({ data }) => onMade(data.id),
  })
  return (
    <DialogForm form={form} title={t('links.new')} submit={t('links.make')} onClose={onClose}>
      <LimitFields
        values={limits}
        onChange={(changed) => setLimits((before) => ({ ...before, ...changed }))}
        field={form.field}
      />
      <ReferenceSelect
        to="sma-nama"
        label={t('links.school')}
        clearable
        value={schoolId}
        onChange={setSchoolId}
        {...form.field('schoolId')}
      />
      {may(listEvents.access) && <EventSelect value={eventId} onChange={setEventId} {...form.field('eventId')} />}
      <ReferenceSelect
        to="afiliator"
        label={t('links.affiliate')}
        clearable
        value={affiliateId}
        onChange={setAffiliateId}
        {...form.field('affiliateId')}
      />
      <TextInput
        label={t('links.slug')}
        description={t('links.slugHelp')}
        autoCapitalize="none"
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        {...form.field('slug')}
      />
    </DialogForm>
  )
}

type EventProps = { value: string | null; onChange: (eventId: string | null) => void }

/** Chooses an event, upcoming ones first. */
function EventSelect(props: EventProps) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(listEvents, { query: { per_page: 100 } })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={1} />
  return (
    <Select
      label={t('links.event')}
      data={data.data.map((event) => ({ value: event.id, label: language === 'id' ? event.nameId : event.nameEn }))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('links.clear') }}
      {...props}
    />
  )
}

/** Changes the limits of a link, or closes it. */
export function EditLinkDialog({ surveyId, link, onDone, onClose }: { surveyId: string; link: Row } & DialogEnds) {
  const { t } = useTranslation('surveys')
  const { id: linkId, version, name, budget, endsAt, state } = link
  const [limits, setLimits] = useState<Limits>({ name, budget, endsAt })
  const [closed, setClosed] = useState(state === 'closed')
  const form = useForm({
    call: changeSurveyLink,
    params: { id: surveyId, linkId },
    body: { ...limits, closed, version },
    done: t('links.saved'),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm form={form} title={t('links.edit')} submit={t('links.save')} onClose={onClose}>
      <LimitFields
        values={limits}
        onChange={(changed) => setLimits((before) => ({ ...before, ...changed }))}
        field={form.field}
      />
      <Checkbox
        label={t('links.closed')}
        checked={closed}
        onChange={(event) => setClosed(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
