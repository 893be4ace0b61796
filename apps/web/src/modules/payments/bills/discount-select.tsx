import { Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import { findSibling, manualDiscounts } from '#domain/payments/bills/exceptions/endpoints.ts'
import { percent, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

type Field = CheckedField & { value: string; onChange: (value: string) => void }
type Props = Field & {
  bill: { id: string; kind: BillKind }
  /** Field for the student number that a sibling discount requires. */
  sibling: Field
}

/** Discounts staff may grant; a sibling discount asks for the sibling's student number. */
export function DiscountSelect({ bill, value, error, onChange, sibling, ...field }: Props) {
  const { t } = useMoneyWords()
  const { data, error: failure } = useEndpoint(manualDiscounts, { query: { kind: bill.kind } })
  const missing = useMissing()
  const discounts = data?.data ?? []
  return (
    <>
      <Select
        label={t('exception.discount')}
        {...field}
        searchable
        allowDeselect={false}
        value={value || null}
        error={error ?? missing(t('exception.discount'), failure)}
        nothingFoundMessage={t('exception.noDiscount')}
        data={discounts.map((discount) => ({
          value: discount.id,
          label: `${discount.name} (${discount.kind === 'percent' ? percent(discount.value / 100) : rupiah(discount.value)})`,
        }))}
        onChange={(id) => {
          if (!id) return
          onChange(id)
          sibling.onChange('')
        }}
      />
      {discounts.find(({ id }) => id === value)?.sibling && <SiblingInput billId={bill.id} {...sibling} />}
    </>
  )
}

function SiblingInput({ billId, value, error, onChange, ...field }: Field & { billId: string }) {
  const { t } = useMoneyWords()
  const [number] = useDebouncedValue(value.trim(), 300)
  const { data, error: failure } = useEndpoint(
    findSibling,
    { params: { id: billId }, query: { number } },
    { enabled: number.length > 2 },
  )
  const missing = useMissing()
  const isCurrent = number.length > 2 && number === value.trim()
  const sibling = isCurrent ? data?.data : undefined
  return (
    <>
      <TextInput
        label={t('exception.sibling')}
        description={t('exception.siblingHelp')}
        {...field}
        withAsterisk
        autoComplete="off"
        value={value}
        error={
          error ??
          (isCurrent && sibling === null
            ? t('exception.siblingUnknown')
            : missing(t('exception.sibling'), isCurrent ? failure : null))
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {sibling && (
        <Text size="sm" role="status">
          {t('exception.siblingIs', sibling)}
        </Text>
      )}
    </>
  )
}
