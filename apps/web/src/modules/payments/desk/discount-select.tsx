import { Select } from '@mantine/core'
import type { BillKind } from '#domain/payments/bill-status.ts'
import { manualDiscounts } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDeskWords } from './words.ts'

type Props = { kind: BillKind; value?: string; error?: unknown; onChange: (value: string) => void }

/** Discounts somebody gives by hand. */
export function DiscountSelect({ kind, value, error, onChange }: Props) {
  const { t } = useDeskWords()
  const { data } = useEndpoint(manualDiscounts, { query: { kind } }, { quiet: true })
  return (
    <Select
      label={t('exception.discount')}
      withAsterisk
      searchable
      allowDeselect={false}
      value={value || null}
      error={error as string}
      nothingFoundMessage={t('exception.noDiscount')}
      data={(data?.data ?? []).map((one) => ({
        value: one.id,
        label: `${one.name} (${one.kind === 'percent' ? `${one.value} %` : rupiah(one.value)})`,
      }))}
      onChange={(id) => id && onChange(id)}
    />
  )
}
