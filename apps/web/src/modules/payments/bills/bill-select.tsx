import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { mustGet } from '#domain/must.ts'
import { findOwedBills } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

export type OwedBill = {
  id: string
  number: string
  kind: 'registration_fee' | 're_registration'
  rest: number
  movable: number | null
  applicantName: string
  registrationCode: string
}

type Props = {
  label: string
  value: string
  error?: string | undefined
  wrapperProps?: { 'data-field': string }
  /** Registration whose bills are offered before anything is typed. */
  registrationId?: string | undefined
  /** Bill of the registration that is chosen at first. */
  firstBillId?: string | null
  /** Leaves out bills this payment cannot be moved to, such as its current bill. */
  paymentId?: string | undefined
  onChange: (bill: OwedBill | null) => void
}

/** Finds an unpaid bill by name, registration or bill number. */
export function BillSelect({
  label,
  value,
  error,
  wrapperProps,
  registrationId,
  firstBillId,
  paymentId,
  onChange,
}: Props) {
  const { t } = useMoneyWords()
  const [searchText, setSearchText] = useState('')
  const [q] = useDebouncedValue(searchText.trim(), 250)
  const [chosenBill, setChosenBill] = useState<OwedBill | null>(null)
  const hasQuery = q.length >= 2 && q !== (chosenBill && nameOf(chosenBill))
  const query = { ...(hasQuery ? { q } : registrationId && { registrationId }), ...(paymentId && { paymentId }) }
  const {
    data,
    isFetching,
    error: failure,
  } = useEndpoint(findOwedBills, { query }, { enabled: hasQuery || !!registrationId })
  const missing = useMissing()
  const foundBills = hasQuery || registrationId ? (data?.data ?? []) : []
  const bills =
    chosenBill && !foundBills.some(({ id }) => id === chosenBill.id) ? [chosenBill, ...foundBills] : foundBills
  const choose = (bill: OwedBill | null) => {
    setChosenBill(bill)
    onChange(bill)
  }
  const [wasOffered, setWasOffered] = useState(!firstBillId)
  const first = foundBills.find(({ id }) => id === firstBillId)
  // Only once, so that the choice can be cleared.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the bill arrives
  useEffect(() => {
    if (wasOffered || !first) return
    setWasOffered(true)
    choose(first)
  }, [first?.id])
  const billsById = new Map(bills.map((bill) => [bill.id, bill]))
  return (
    <Select
      label={label}
      placeholder={t('money:enter.billPlaceholder')}
      searchable
      withAsterisk
      value={value || null}
      error={error ?? missing(label, failure)}
      wrapperProps={wrapperProps}
      searchValue={searchText}
      onSearchChange={setSearchText}
      data={bills.map((bill) => ({ value: bill.id, label: nameOf(bill) }))}
      filter={({ options }) => options}
      nothingFoundMessage={
        isFetching ? t('money:enter.searching') : hasQuery ? t('money:enter.noBill') : t('money:enter.typeMore')
      }
      renderOption={({ option }) => {
        const bill = mustGet(billsById, option.value)
        return (
          <div>
            <Text size="sm" fw={500}>
              {bill.applicantName} · {bill.registrationCode}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`bills:kind.${bill.kind}`)} {bill.number} · {t('money:enter.rest', { amount: rupiah(bill.rest) })}
            </Text>
          </div>
        )
      }}
      onChange={(id) => choose(bills.find((candidate) => candidate.id === id) ?? null)}
    />
  )
}

const nameOf = (bill: OwedBill) => `${bill.applicantName} · ${bill.number}`
