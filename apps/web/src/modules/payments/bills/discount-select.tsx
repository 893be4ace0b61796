import { Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import { findSibling, manualDiscounts } from '#domain/payments/bills/exceptions/endpoints.ts'
import { percent, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useMissing } from '#web/ui/missing.tsx'

type Field = CheckedField & { value: string; onChange: (value: string) => void }
type Props = Field & {
  bill: { id: string; kind: BillKind }
  /** The student number that a sibling discount asks for. */
  sibling: Field
}

/** Discounts that staff give; one for siblings asks for the student number of the sibling. */
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
        data={discounts.map((one) => ({
          value: one.id,
          label: `${one.name} (${one.kind === 'percent' ? percent(one.value / 100) : rupiah(one.value)})`,
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
  const asked = number.length > 2 && number === value.trim()
  const found = asked ? data?.data : undefined
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
          (asked && found === null
            ? t('exception.siblingUnknown')
            : missing(t('exception.sibling'), asked ? failure : null))
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {found && (
        <Text size="sm" role="status">
          {t('exception.siblingIs', found)}
        </Text>
      )}
    </>
  )
}
