import { Checkbox, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type MailRecipient, mailFormats, type ReportMail } from '#domain/report-mail/endpoints.ts'
import { rhythms } from '#domain/report-mail/rhythm.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import type { Bindings } from '#web/api/use-form.ts'
import { RecipientsSelect } from './recipients-select.tsx'
import { offeredDays, timeOfHour, useMailWords } from './use-mail-words.ts'

export type MailValues = Pick<
  ReportMail,
  'name' | 'rhythm' | 'weekday' | 'monthDay' | 'hour' | 'format' | 'skipsEmpty' | 'lastDays' | 'recipientIds'
>

type Props = {
  form: Bindings<MailValues>
  report: ReportSlug
  takesPeriod: boolean
  known: readonly MailRecipient[]
}

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: timeOfHour(hour) }))
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const

/** Name, rhythm, period, file and recipients of a scheduled mail. */
export function MailFields({ form, report, takesPeriod, known }: Props) {
  const { t } = useTranslation('report-mail')
  const { periodOf } = useMailWords()
  const { rhythm, weekday, hour, lastDays } = form.values
  const days = [...new Set([...offeredDays, ...(lastDays === null ? [] : [lastDays])])].toSorted((a, b) => a - b)
  return (
    <>
      <TextInput label={t('form.name')} description={t('form.nameHint')} {...form.text('name')} />
      <RecipientsSelect report={report} known={known} {...form.value('recipientIds')} />
      <SimpleGrid cols={{ base: 1, xs: rhythm === 'daily' ? 2 : 3 }}>
        <Select
          label={t('form.rhythm')}
          data={rhythms.map((value) => ({ value, label: t(`rhythm.${value}`) }))}
          allowDeselect={false}
          {...form.choice('rhythm')}
        />
        {rhythm === 'weekly' && (
          <Select
            label={t('form.weekday')}
            data={weekdays.map((value) => ({ value, label: t(`weekday.${value}`) }))}
            value={weekday === null ? null : String(weekday)}
            allowDeselect={false}
            onChange={(value) => form.set({ weekday: Number(value) })}
            {...form.field('weekday')}
            min={undefined}
            max={undefined}
            withAsterisk
          />
        )}
        {rhythm === 'monthly' && (
          <NumberInput
            label={t('form.monthDay')}
            description={t('form.monthDayHint')}
            {...form.number('monthDay')}
            withAsterisk
          />
        )}
        <Select
          label={t('form.hour')}
          data={hours}
          value={String(hour)}
          allowDeselect={false}
          onChange={(value) => form.set({ hour: Number(value) })}
          withAsterisk
          wrapperProps={{ 'data-field': 'hour' }}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: takesPeriod ? 2 : 1 }}>
        {takesPeriod && (
          <Select
            label={t('form.period')}
            data={[null, ...days].map((value) => ({ value: String(value ?? ''), label: periodOf(value) }))}
            value={String(lastDays ?? '')}
            allowDeselect={false}
            onChange={(value) => form.set({ lastDays: value ? Number(value) : null })}
            wrapperProps={{ 'data-field': 'lastDays' }}
          />
        )}
        <Select
          label={t('form.format')}
          data={mailFormats.map((value) => ({ value, label: t(`format.${value}`) }))}
          allowDeselect={false}
          {...form.choice('format')}
        />
      </SimpleGrid>
      <Checkbox label={t('form.skipsEmpty')} {...form.box('skipsEmpty')} />
    </>
  )
}
