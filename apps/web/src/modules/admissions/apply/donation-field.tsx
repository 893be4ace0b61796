import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { MoneyInput } from '#web/ui/form/money-input.tsx'

type Rule = NonNullable<
  IntakeChoices['entryLevels'][number]['classProgrammes'][number]['programmes'][number]['donation']
>
type Props = {
  rule: Rule | null
  value: number | null
  /** Whether the applicant chose to enter another amount. */
  isOther: boolean
  onChange: (amount: number | null, isOther: boolean) => void
} & ReturnType<Checks['field']>

const otherOption = 'other'

/** Offers the suggested amounts, another amount and, if the rule allows it, no donation. */
export function DonationField({ rule, value, isOther, onChange, error, wrapperProps }: Props) {
  const { t } = useTranslation('registration')
  const minimum = rule?.minimumAmount ?? 0
  // The amount 0 is the separate option "no donation".
  const suggestedAmounts = (rule?.suggestedAmounts ?? []).filter((amount) => amount > 0 && amount >= minimum)
  const mayBeNone = !rule?.required || minimum === 0
  const hasOptions = suggestedAmounts.length > 0 || mayBeNone
  const isNone = value === 0 && mayBeNone
  const needsOther = !isNone && (isOther || !hasOptions || (value !== null && !suggestedAmounts.includes(value)))
  const selectedOption = needsOther ? otherOption : value === null ? '' : String(value)
  const minimumWords = minimum > 0 ? t('form.minimum', { amount: rupiah(minimum) }) : undefined
  return (
    <Stack gap="md">
      {hasOptions && (
        <Radio.Group
          label={t('form.amount')}
          description={[mayBeNone && t('form.voluntary'), !needsOther && minimumWords].filter(Boolean).join(' ')}
          value={selectedOption}
          onChange={(option) => {
            const choosesOther = option === otherOption
            onChange(choosesOther ? null : Number(option), choosesOther)
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
      {needsOther && (
        <MoneyInput
          ref={bringIntoView}
          label={t('form.amount')}
          description={minimumWords}
          value={value ?? ''}
          onChange={(rupiah) => onChange(rupiah || null, true)}
          clampBehavior="none"
          // The step's buttons stick above the bar at the bottom of the screen.
          styles={{ input: { scrollMarginBottom: '10rem' } }}
          wrapperProps={wrapperProps}
          error={error}
          maw={320}
        />
      )}
    </Stack>
  )
}

const radioStyles = { body: { minHeight: 44, alignItems: 'center' } } as const
