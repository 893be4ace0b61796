import { NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'

type Rule = NonNullable<
  IntakeChoices['entryLevels'][number]['classProgrammes'][number]['programmes'][number]['donation']
>
type Props = {
  rule: Rule | null
  value: number | null
  onChange: (amount: number | null) => void
} & ReturnType<Checks['field']>

const otherOption = 'other'

/** Offers the suggested amounts, any other amount and, where the rule allows it, no donation. */
export function DonationField({ rule, value, onChange, error, wrapperProps }: Props) {
  const { t } = useTranslation('registration')
  const minimum = rule?.minimumAmount ?? 0
  // The amount 0 is the separate option "no donation".
  const suggestedAmounts = (rule?.suggestedAmounts ?? []).filter((amount) => amount > 0 && amount >= minimum)
  const mayBeNone = !rule?.required || minimum === 0
  const [isOtherAmount, setIsOtherAmount] = useState(value !== null && value > 0 && !suggestedAmounts.includes(value))
  const needsOther = isOtherAmount || suggestedAmounts.length === 0
  const selectedOption = needsOther && value !== 0 ? otherOption : value === null ? '' : String(value)
  const minimumWords = minimum > 0 ? t('form.minimum', { amount: rupiah(minimum) }) : undefined
  return (
    <Stack gap="md">
      {(suggestedAmounts.length > 0 || mayBeNone) && (
        <Radio.Group
          label={t('form.amount')}
          description={[mayBeNone && t('form.voluntary'), !needsOther && minimumWords].filter(Boolean).join(' ')}
          value={selectedOption}
          onChange={(option) => {
            setIsOtherAmount(option === otherOption)
            onChange(option === otherOption ? null : Number(option))
          }}
          wrapperProps={wrapperProps}
          error={needsOther ? undefined : error}
        >
          <Stack gap={0} mt={4}>
            {suggestedAmounts.map((amount) => (
              <Radio key={amount} value={String(amount)} label={rupiah(amount)} styles={radioStyles} />
            ))}
            <Radio value={otherOption} label={t('form.otherAmount')} styles={radioStyles} />
            {mayBeNone && <Radio value="0" label={t('form.noDonation')} styles={radioStyles} />}
          </Stack>
        </Radio.Group>
      )}
      {selectedOption === otherOption && (
        <NumberInput
          ref={bringIntoView}
          label={t('form.amount')}
          description={minimumWords}
          prefix="Rp "
          value={value ?? ''}
          onChange={(amount) => onChange(typeof amount === 'number' ? amount : null)}
          allowNegative={false}
          allowDecimal={false}
          max={100_000_000_000}
          hideControls
          // The buttons of the step stick above the bar at the bottom of the screen.
          styles={{ input: { scrollMarginBottom: '7rem' } }}
          inputMode="numeric"
          wrapperProps={wrapperProps}
          error={error}
          maw={320}
        />
      )}
    </Stack>
  )
}

const radioStyles = { body: { minHeight: 44, alignItems: 'center' } } as const
