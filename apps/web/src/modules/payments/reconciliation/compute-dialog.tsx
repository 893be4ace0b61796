import { Select } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dayInJakarta, shiftDay } from '#domain/days.ts'
import { computeDay } from '#domain/payments/reconciliation-endpoints.ts'
import { call } from '#web/api/client.ts'
import { AskDialog } from '../desk/ask-dialog.tsx'
import { useAccounts } from './use-accounts.ts'
import { useReconciliationWords } from './words.ts'

/** Chooses a day of an account and compares it. */
export function ComputeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useReconciliationWords()
  const navigate = useNavigate()
  const { choices } = useAccounts()
  const today = dayInJakarta(new Date())
  const [chosen, setChosen] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(shiftDay(today, -1))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const bankAccountId = chosen ?? (choices.length === 1 ? choices[0]!.value : null)
  return (
    <AskDialog
      title={t('days.compute')}
      submit={t('days.compute')}
      done={t('days.computed')}
      disabled={!bankAccountId || !day}
      send={async (options) => {
        const { data } = await call(computeDay, { body: { bankAccountId: bankAccountId!, day: day! } }, options)
        navigate(`/rekonsiliasi/${data.id}`)
      }}
      onRefused={setErrors}
      onClose={onClose}
    >
      <Select
        label={t('account.label')}
        placeholder={t('account.choose')}
        nothingFoundMessage={t('account.none')}
        withAsterisk
        data={choices}
        value={bankAccountId}
        onChange={setChosen}
      />
      <DatePickerInput
        label={t('column.day')}
        withAsterisk
        valueFormat="DD MMMM YYYY"
        maxDate={today}
        value={day}
        error={errors.day}
        onChange={setDay}
      />
    </AskDialog>
  )
}
