import { List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { percentOf } from '#domain/rounding.ts'
import { longDate, percent, rupiah } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const example = 10_000_000

/** Explains a discount's values in sentences, beside its form. */
export default function DiscountBeside({ values }: { values: Record<string, unknown> }) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
  const value = Number(values.value ?? 0)
  const isPercent = values.kind === 'percent'
  const discountAmount = isPercent ? percentOf(example, Math.min(value, 100).toFixed(2)) : Math.min(value, example)
  const validFrom = typeof values.validFrom === 'string' ? longDate(values.validFrom, language) : null
  const validTo = typeof values.validTo === 'string' ? longDate(values.validTo, language) : null
  const period = validFrom && validTo ? 'between' : validFrom ? 'since' : validTo ? 'until' : 'always'
  const scopeKey = values.appliesTo === 'registration_fee' ? 'fee' : values.feeComponentId ? 'component' : 'all'
  return (
    <Card title={t('discount.title')}>
      {value > 0 ? (
        <Stack gap="sm">
          <Text fw={600}>
            {t('discount.example', {
              value: isPercent ? percent(value / 100) : rupiah(value),
              sum: rupiah(example),
              off: rupiah(discountAmount),
              rest: rupiah(example - discountAmount),
            })}
          </Text>
          <List size="sm" spacing={4}>
            <List.Item>{t(`discount.on.${scopeKey}`)}</List.Item>
            <List.Item>{t(`discount.${period}`, { from: validFrom, to: validTo })}</List.Item>
            <List.Item>
              {values.maxUses ? t('discount.uses', { count: Number(values.maxUses) }) : t('discount.anyNumber')}
            </List.Item>
            <List.Item>{t(values.stackable === true ? 'discount.together' : 'discount.alone')}</List.Item>
          </List>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('discount.enter')}
        </Text>
      )}
    </Card>
  )
}
