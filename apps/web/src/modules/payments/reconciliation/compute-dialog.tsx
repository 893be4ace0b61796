import { Select } from '@mantine/core'
import { useNavigate } from 'react-router'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { computeDay } from '#domain/payments/reconciliation/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useAccounts } from './use-accounts.ts'
import { useReconciliationWords } from './words.ts'

/** Reconciles a chosen day of an account. */
export function ComputeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useReconciliationWords()
  const navigate = useNavigate()
  const { choices, error: failure } = useAccounts()
  const missing = useMissing()
  const today = bankCalendar.dayOf(new Date())
  const onlyAccount = choices.length === 1 ? choices[0]!.value : null
  const form = useForm({
    call: computeDay,
    start: { bankAccountId: null as string | null, day: shiftDay(today, -1) as string | null },
    body: ({ bankAccountId, day }) => ({ bankAccountId: bankAccountId ?? onlyAccount, day }),
    done: t('days.computed'),
    onDone: ({ data }) => {
      onClose()
      navigate(`/rekonsiliasi/${data.id}`)
    },
  })
  return (
    <DialogForm form={form} title={t('days.compute')} submit={t('days.compute')} onClose={onClose}>
      <Select
        label={t('account.label')}
        placeholder={t('account.choose')}
        nothingFoundMessage={t('account.none')}
        data={choices}
        {...form.value('bankAccountId')}
        value={form.values.bankAccountId ?? onlyAccount}
        error={form.errorOf('bankAccountId') ?? missing(t('account.label'), failure)}
      />
      <DatePickerInput label={t('column.day')} valueFormat="DD MMMM YYYY" maxDate={today} {...form.value('day')} />
    </DialogForm>
  )
}
