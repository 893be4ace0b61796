import { Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { typedDay } from '#entities/define/typed-dates.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { boundTo } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { changeSampleRows, type SampleKind, type SampleRow, sampleStatuses } from './sample-rows.ts'

/** Checked like the body of a call; `useForm` would also send it to the server. */
const declaration = {
  body: z.object({
    name: z.string().trim().min(1).max(60),
    status: z.enum(sampleStatuses),
    since: typedDay,
    amount: z.int().min(1000).max(10_000_000),
  }),
}

type Values = { name: string; status: string | null; since: string | null; amount: number | null }
const empty: Values = { name: '', status: null, since: null, amount: null }

/** State of a form that adds a sample row in the browser. */
export function useSampleForm(kind: SampleKind, onAdded: (row: SampleRow) => void) {
  const { t } = useTranslation('samples')
  const { values, set } = useValues<Values>(empty)
  const checks = useChecks(declaration, values)
  return {
    ...boundTo(checks, { values, set }),
    busy: false,
    submit: () => {
      if (!checks.isReady()) return
      const parsed = declaration.body.safeParse(values)
      if (!parsed.success) return
      const row = { ...parsed.data, id: crypto.randomUUID(), city: t('form.city') }
      changeSampleRows(kind, (before) => [row, ...before])
      notifications.show({ color: 'green', message: t('form.added', { name: row.name }) })
      onAdded(row)
    },
  }
}

/** Fields of a sample row, one for each kind of input. */
export function SampleFields({ form }: { form: ReturnType<typeof useSampleForm> }) {
  const { t } = useTranslation('samples')
  return (
    <>
      <TextInput label={t('subscriptions.name')} description={t('form.nameHelp')} {...form.text('name')} />
      <Select
        label={t('subscriptions.status')}
        data={sampleStatuses.map((status) => ({ value: status, label: t(`status.${status}`) }))}
        {...form.value('status')}
      />
      <DatePickerInput label={t('subscriptions.since')} {...form.value('since')} />
      <MoneyInput label={t('subscriptions.amount')} {...form.number('amount')} />
    </>
  )
}
