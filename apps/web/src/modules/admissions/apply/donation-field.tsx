import { NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'

type Rule = NonNullable<
  IntakeChoices['entryLevels'][number]['classProgrammes'][number]['programmes'][number]['donation']
>
type Props = {
  rule: Rule | null
  value: number | null
  onChange: (amount: number | null) => void
} & ReturnType<Checks['field']>

const other = 'other'

/** Suggested amounts first, any other next; none where the rule allows it. */
export function DonationField({ rule, value, onChange, error, wrapperProps }: Props) {
  const { t } = useTranslation('registration')
  const minimum = rule?.minimumAmount ?? 0
  // Nothing at all has an answer of its own, where it is allowed.
  const suggested = (rule?.suggestedAmounts ?? []).filter((amount) => amount > 0 && amount >= minimum)
  const mayBeNone = !rule?.required || minimum === 0
  const [free, setFree] = useState(value !== null && value > 0 && !suggested.includes(value))
  const needsOther = free || suggested.length === 0
  const chosen = needsOther && value !== 0 ? other : value === null ? '' : String(value)
  const minimumWords = minimum > 0 ? t('form.minimum', { amount: rupiah(minimum) }) : undefined
  return (
    <Stack gap="md">
      {(suggested.length > 0 || mayBeNone) && (
        <Radio.Group
          label={t('form.amount')}
          description={needsOther ? undefined : minimumWords}
          value={chosen}
          onChange={(picked) => {
            setFree(picked === other)
            onChange(picked === other ? null : Number(picked))
          }}
          wrapperProps={wrapperProps}
          error={needsOther ? undefined : error}
        >
          <Stack gap={0} mt={4}>
            {suggested.map((amount) => (
              <Radio key={amount} value={String(amount)} label={rupiah(amount)} styles={row} />
            ))}
            <Radio value={other} label={t('form.otherAmount')} styles={row} />
            {mayBeNone && <Radio value="0" label={t('form.noDonation')} styles={row} />}
          </Stack>
        </Radio.Group>
      )}
      {chosen === other && (
        <NumberInput
          label={t('form.amount')}
          description={minimumWords}
          prefix="Rp "
          value={value ?? ''}
          onChange={(amount) => onChange(typeof amount === 'number' ? amount : null)}
          allowNegative={false}
          allowDecimal={false}
          max={100_000_000_000}
          hideControls
          inputMode="numeric"
          wrapperProps={wrapperProps}
          error={error}
          maw={320}
        />
      )}
    </Stack>
  )
}

const row = { body: { minHeight: 44, alignItems: 'center' } } as const
