import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listEvents } from '#domain/events/lists.ts'
import type { RowOf } from '#domain/list.ts'
import { changeSurveyLink, createSurveyLink } from '#domain/surveys/endpoints.ts'
import type { listSurveyLinks } from '#domain/surveys/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DateTimePicker } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Row = RowOf<typeof listSurveyLinks>
type Limits = { name: string; budget: number | null; endsAt: string | null }
type LimitProps = { form: Bindings<Limits> }

/** Name, response limit (`budget`) and end, shared by the forms for new and existing links. */
function LimitFields({ form }: LimitProps) {
  const { t } = useTranslation('surveys')
  const { endsAt } = form.values
  return (
    <>
      <TextInput label={t('links.name')} description={t('links.nameHelp')} data-autofocus {...form.text('name')} />
      <NumberInput
        label={t('links.budget')}
        description={t('links.budgetHelp')}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.number('budget')}
      />
      <DateTimePicker
        label={t('links.endsAt')}
        description={t('links.endsAtHelp')}
        valueFormat="DD MMMM YYYY HH:mm"
        clearable
        clearButtonProps={{ 'aria-label': t('links.clear') }}
        value={endsAt && toWallClock(endsAt)}
        onChange={(value) => form.set({ endsAt: value && fromWallClock(value) })}
        {...form.field('endsAt')}
      />
    </>
  )
}

type NewLink = Limits & {
  slug: string
  schoolId: string | null
  affiliateId: string | null
  eventId: string | null
}
const emptyLink: NewLink = {
  name: '',
  budget: null,
  endsAt: null,
  slug: '',
  schoolId: null,
  affiliateId: null,
  eventId: null,
}

type NewProps = { surveyId: string; onClose: () => void; onMade: (linkId: string) => void }

export function NewLinkDialog({ surveyId, onClose, onMade }: NewProps) {
  const { t } = useTranslation('surveys')
  const { may } = useSession()
  const form = useForm({
    call: createSurveyLink,
    params: { id: surveyId },
    start: emptyLink,
    body: ({ slug, ...values }) => ({ ...values, slug: slug.trim() || null }),
    done: t('links.created'),
    onDone: ({ data }) => onMade(data.id),
  })
  return (
    <DialogForm form={form} title={t('links.new')} submit={t('links.make')} onClose={onClose}>
      <LimitFields form={form} />
      <ReferenceSelect to="sma-nama" label={t('links.school')} clearable {...form.value('schoolId')} />
      {may(listEvents.access) && <EventSelect {...form.value('eventId')} />}
      <ReferenceSelect to="afiliator" label={t('links.affiliate')} clearable {...form.value('affiliateId')} />
      <TextInput
        label={t('links.slug')}
        description={t('links.slugHelp')}
        autoCapitalize="none"
        {...form.text('slug')}
      />
    </DialogForm>
  )
}

type EventProps = { value: string | null; onChange: (eventId: string | null) => void }

/** Offers the 100 events with the latest start. */
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

export function EditLinkDialog({ surveyId, link, onDone, onClose }: { surveyId: string; link: Row } & DialogEnds) {
  const { t } = useTranslation('surveys')
  const { id: linkId, version, name, budget, endsAt, state } = link
  const start: Limits & { closed: boolean } = { name, budget, endsAt, closed: state === 'closed' }
  const form = useForm({
    call: changeSurveyLink,
    params: { id: surveyId, linkId },
    start,
    body: (values) => ({ ...values, version }),
    done: t('links.saved'),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm form={form} title={t('links.edit')} submit={t('links.save')} onClose={onClose}>
      <LimitFields form={form} />
      <Checkbox label={t('links.closed')} {...form.box('closed')} />
    </DialogForm>
  )
}
