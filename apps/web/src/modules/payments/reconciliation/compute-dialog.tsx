import { Select } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { bankCalendar } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import { computeDay } from '#domain/payments/reconciliation-endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useMissing } from '#web/ui/missing.tsx'
import { AskDialog } from '../desk/ask-dialog.tsx'
import { useAccounts } from './use-accounts.ts'
import { useReconciliationWords } from './words.ts'

/** Chooses a day of an account and compares it. */
export function ComputeDialog({ onClose }: { onClose: () => void }) {
  const sendComputeDay = useSend(computeDay)
  const { t } = useReconciliationWords()
  const navigate = useNavigate()
  const { choices, error: failure } = useAccounts()
  const missing = useMissing()
  const today = bankCalendar.dayOf(new Date())
  const [chosen, setChosen] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(shiftDay(today, -1))
  const bankAccountId = chosen ?? (choices.length === 1 ? choices[0]!.value : null)
  const checks = useChecks(computeDay, { bankAccountId, day })
  return (
    <AskDialog
      title={t('days.compute')}
      submit={t('days.compute')}
      done={t('days.computed')}
      checks={checks}
      send={async () => {
        const { data } = await sendComputeDay({ body: { bankAccountId: bankAccountId!, day: day! } })
        navigate(`/rekonsiliasi/${data.id}`)
      }}
      onClose={onClose}
    >
      <Select
        label={t('account.label')}
        placeholder={t('account.choose')}
        nothingFoundMessage={t('account.none')}
        withAsterisk
        data={choices}
        wrapperProps={checks.field('bankAccountId').wrapperProps}
        error={checks.field('bankAccountId').error ?? missing(t('account.label'), failure)}
        value={bankAccountId}
        onChange={setChosen}
      />
      <DatePickerInput
        label={t('column.day')}
        withAsterisk
        valueFormat="DD MMMM YYYY"
        maxDate={today}
        value={day}
        {...checks.field('day')}
        onChange={setDay}
      />
    </AskDialog>
  )
}
