import { Group, NumberInput, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Adjustment, type RoundingStep, roundingSteps } from '#domain/fees/amounts.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { inPercent } from './percent-props.ts'

type Props = {
  value: Adjustment
  onChange: (value: Adjustment) => void
  /** Checks of the surrounding form. */
  field?: Checks['field'] | undefined
}

/** Inputs for the percentage of change and the rounding step. */
export function AdjustmentInputs({ value, onChange, field }: Props) {
  const { t } = useTranslation('fees')
  return (
    <Group align="flex-start" gap="md">
      <NumberInput
        size="sm"
        w={180}
        label={t('adjust.percent')}
        description={t('adjust.percentHelp')}
        value={value.basisPoints / 100}
        onChange={(percent) => onChange({ ...value, basisPoints: Math.round(Number(percent) * 100) || 0 })}
        min={-90}
        max={200}
        decimalScale={2}
        suffix=" %"
        {...(field && inPercent(field('basisPoints')))}
      />
      <Select
        size="sm"
        w={180}
        label={t('adjust.roundTo')}
        description={t('adjust.roundHelp')}
        value={String(value.roundTo)}
        onChange={(step) => onChange({ ...value, roundTo: Number(step) as RoundingStep })}
        data={roundingSteps.map((step) => ({
          value: String(step),
          label: step === 1 ? t('adjust.exact') : rupiah(step),
        }))}
        allowDeselect={false}
        {...field?.('roundTo')}
      />
    </Group>
  )
}
