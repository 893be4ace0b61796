import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { findPayableBills, type PayableBill } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

type Props = CheckedField & {
  bill: PayableBill | null
  onChange: (bill: PayableBill | null) => void
}

/** Searches bills; a bill number in the address is selected at once. */
export function PayableBillSelect({ bill, error, onChange, ...field }: Props) {
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const [params] = useSearchParams()
  const numberInAddress = params.get('q')
  const [searchText, setSearchText] = useState(numberInAddress ?? '')
  const [q] = useDebouncedValue(searchText.trim(), 250)
  const hasQuery = q.length >= 2
  const missing = useMissing()
  const { data, error: failure } = useEndpoint(findPayableBills, { query: { q } }, { enabled: hasQuery })
  const foundBills = hasQuery ? (data?.data ?? []) : []
  const addressBill = numberInAddress ? data?.data.find(({ number }) => number === numberInAddress) : undefined
  const hasPreset = useRef(false)
  useEffect(() => {
    if (!addressBill || hasPreset.current) return
    hasPreset.current = true
    onChange(addressBill)
  }, [addressBill, onChange])
  const billOptions = bill && !foundBills.some(({ id }) => id === bill.id) ? [bill, ...foundBills] : foundBills
  return (
    <Select
      size="sm"
      label={t('create.bill')}
      description={t('create.billHelp')}
      {...field}
      searchable
      searchValue={searchText}
      onSearchChange={setSearchText}
      filter={({ options }) => options}
      nothingFoundMessage={hasQuery ? t('create.billNone') : t('create.billSearch')}
      data={billOptions.map(({ id, number, kind, applicantName, remaining }) => ({
        value: id,
        label: `${number} · ${applicantName} · ${words(`kind.${kind}`)} · ${t('create.left', { amount: rupiah(remaining) })}`,
      }))}
      value={bill?.id ?? null}
      error={error ?? missing(t('create.bill'), failure)}
      onChange={(id) => onChange(billOptions.find((option) => option.id === id) ?? null)}
    />
  )
}
