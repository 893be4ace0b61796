import { List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { percentOf } from '#domain/rounding.ts'
import { longDate, percent, rupiah } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

const example = 10_000_000

/** Beside the form of a discount: what its numbers come to, in sentences. */
export default function DiscountBeside({ values }: { values: Record<string, unknown> }) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
  const value = Number(values.value ?? 0)
  const isPercent = values.kind === 'percent'
  const off = isPercent ? percentOf(example, Math.min(value, 100).toFixed(2)) : Math.min(value, example)
  const from = typeof values.validFrom === 'string' ? longDate(values.validFrom, language) : null
  const to = typeof values.validTo === 'string' ? longDate(values.validTo, language) : null
  const period = from && to ? 'between' : from ? 'since' : to ? 'until' : 'always'
  const on = values.appliesTo === 'registration_fee' ? 'fee' : values.feeComponentId ? 'component' : 'all'
  return (
    <Card title={t('discount.title')}>
      {value > 0 ? (
        <Stack gap="sm">
          <Text fw={600}>
            {t('discount.example', {
              value: isPercent ? percent(value / 100) : rupiah(value),
              sum: rupiah(example),
              off: rupiah(off),
              rest: rupiah(example - off),
            })}
          </Text>
          <List size="sm" spacing={4}>
            <List.Item>{t(`discount.on.${on}`)}</List.Item>
            <List.Item>{t(`discount.${period}`, { from, to })}</List.Item>
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
