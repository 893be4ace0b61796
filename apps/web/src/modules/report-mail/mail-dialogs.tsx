import { Select, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createReportMail,
  type MailWords,
  type ReportMail,
  readMailWords,
  readReportMail,
  saveReportMail,
} from '#domain/report-mail/endpoints.ts'
import { type ReportSlug, reportNames } from '#domain/reports/report-names.ts'
import { listViews } from '#domain/views/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { MailFields, type MailValues } from './mail-fields.tsx'

/** A report's current question and columns, as in its address and table. */
type Shown = { question: string; columns: readonly string[] }

type ScheduleProps = {
  report: ReportSlug
  title: string
  seen: Shown
  /** Converts a saved view's query and columns for a mail. */
  shownBy: (view: { query: string; columns: readonly string[] }) => Shown
  onClose: () => void
}

/** Option that sends the report as currently shown; the other options are ids of saved views. */
const asSeen = 'seen'

/** Schedules a report: as currently shown, or as in a saved view. */
export default function ScheduleDialog({ report, title, seen, shownBy, onClose }: ScheduleProps) {
  const { t } = useTranslation('report-mail')
  const { language } = useSurroundings()
  const { user } = useSession()
  const missing = useMissing()
  const [source, setSource] = useState<string>(asSeen)
  const views = useEndpoint(listViews, { query: { list: `laporan-${report}` } }, { staleTime: 300_000 })
  const view = views.data?.data.find(({ id }) => id === source)
  const { question, columns } = view ? shownBy(view) : seen
  const words = useEndpoint(
    readMailWords,
    { query: { report, question, columns: columns.join(',') } },
    { placeholderData: keepPreviousData },
  )
  const takesPeriod = words.data?.data.takesPeriod ?? false
  const start: MailValues = {
    name: title,
    rhythm: 'weekly',
    weekday: 1,
    monthDay: 1,
    hour: 7,
    format: 'xlsx',
    skipsEmpty: false,
    lastDays: null,
    recipientIds: user ? [user.id] : [],
  }
  const form = useForm({
    call: createReportMail,
    start,
    body: (values) => ({
      ...values,
      lastDays: takesPeriod ? values.lastDays : null,
      report,
      question,
      columns: [...columns],
    }),
    done: ({ data }) => t('form.created', { when: dateTime(data.nextDueAt, language) }),
    onDone: onClose,
  })
  const choose = (next: string | null) => {
    const nameOf = (id: string | null) => views.data?.data.find((found) => found.id === id)?.name ?? title
    // Keeps a name the reader has typed.
    if (form.values.name === nameOf(source)) form.set({ name: nameOf(next) })
    setSource(next ?? asSeen)
  }
  return (
    <DialogForm
      form={form}
      title={t('form.title', { report: reportNames[report][language] })}
      submit={t('form.create')}
      onClose={onClose}
    >
      <Text size="sm">{t('form.text')}</Text>
      <Select
        label={t('form.shows')}
        data={[
          { value: asSeen, label: t('form.asSeen') },
          ...(views.data?.data ?? []).map(({ id, name }) => ({ value: id, label: t('form.view', { name }) })),
        ]}
        description={missing(t('form.shows'), views.error)}
        value={source}
        allowDeselect={false}
        onChange={choose}
        wrapperProps={{ 'data-field': 'question' }}
        error={form.errorOf('question')}
      />
      <ShownFacts words={words.data?.data} />
      <MailFields form={form} report={report} takesPeriod={takesPeriod} known={[]} />
    </DialogForm>
  )
}

const ShownFacts = ({ words }: { words: MailWords | undefined }) =>
  words && words.shows.length > 0 ? <Facts facts={words.shows.map(({ label, value }) => [label, value])} /> : null

/** Changes name, rhythm, file and recipients of a scheduled mail. */
export function EditMailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useEndpoint(readReportMail, { params: { id } })
  return data ? <EditForm mail={data.data} onClose={onClose} /> : null
}

function EditForm({ mail, onClose }: { mail: ReportMail; onClose: () => void }) {
  const { t } = useTranslation('report-mail')
  const { language } = useSurroundings()
  const { id, report, takesPeriod, recipients } = mail
  const { name, rhythm, weekday, monthDay, hour, format, skipsEmpty, lastDays } = mail
  const start: MailValues = {
    ...{ name, rhythm, weekday: weekday ?? 1, monthDay: monthDay ?? 1, hour, format, skipsEmpty, lastDays },
    recipientIds: recipients.map((recipient) => recipient.id),
  }
  const form = useForm({
    call: saveReportMail,
    params: { id },
    // With the version when the form opened, so that a change from another window is refused.
    start: { ...start, version: mail.version },
    done: ({ data }) =>
      data.active ? t('form.saved', { when: dateTime(data.nextDueAt, language) }) : t('form.savedPaused'),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('form.editTitle')} submit={t('form.save')} onClose={onClose}>
      <ShownFacts words={mail} />
      <MailFields form={form} report={report} takesPeriod={takesPeriod} known={recipients} />
    </DialogForm>
  )
}
