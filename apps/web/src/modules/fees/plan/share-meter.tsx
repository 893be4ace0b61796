import { Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isWholePlan, shareOf } from '#domain/fees/instalment-plan.ts'
import { percent } from '#locales/format.ts'
import type { Term } from './edited-terms.ts'

/** Sum of the shares, and how much is missing or too much. */
export function ShareMeter({ terms }: { terms: readonly Term[] }) {
  const { t } = useTranslation('fees')
  const share = shareOf(terms)
  const isWhole = isWholePlan(terms)
  const fixedOnly = terms.length > 0 && terms.every(({ shareBps, amount }) => shareBps === null && amount !== null)
  const text =
    terms.length === 0
      ? t('terms.meterEmpty')
      : fixedOnly
        ? t('terms.meterFixed')
        : share === 10_000
          ? t('terms.meterWhole')
          : share < 10_000
            ? t('terms.meterMissing', { share: percent(share / 10_000), missing: percent((10_000 - share) / 10_000) })
            : t('terms.meterTooMuch', { share: percent(share / 10_000), over: percent((share - 10_000) / 10_000) })
  return (
    <div>
      {!fixedOnly && (
        <Progress
          value={Math.min(share / 100, 100)}
          color={isWhole ? 'green' : share > 10_000 ? 'red' : 'orange'}
          size="lg"
          aria-label={t('terms.meter')}
        />
      )}
      <Text size="sm" mt={6} role="status" aria-live="polite" fw={isWhole ? 400 : 600}>
        {text}
      </Text>
    </div>
  )
}
