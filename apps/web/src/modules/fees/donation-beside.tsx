import { Badge, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rupiah } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'

/** Shows a donation question as applicants will read it, beside its form. */
export default function DonationBeside({ values }: { values: Record<string, unknown> }) {
  const { t } = useTranslation('fees')
  const minimum = Number(values.minimumAmount ?? 0)
  const suggested = Array.isArray(values.suggestedAmounts) ? values.suggestedAmounts.map(Number) : []
  const required = values.required === true
  return (
    <Card title={t('donation.title')}>
      <Stack gap="sm">
        <Text size="sm">
          {t(required ? (minimum > 0 ? 'donation.required' : 'donation.anyRequired') : 'donation.optional', {
            minimum: rupiah(minimum),
          })}
        </Text>
        {suggested.length > 0 && (
          <Group gap={6}>
            {suggested.map((amount) => (
              <Badge
                key={amount}
                variant="light"
                color={amount < minimum ? 'red' : 'primary'}
                size="lg"
                tt="none"
                fw={500}
              >
                {rupiah(amount)}
              </Badge>
            ))}
          </Group>
        )}
        {suggested.some((amount) => amount < minimum) && (
          <Text size="sm" c="red.9">
            {t('donation.tooLow')}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('donation.rule')}
        </Text>
      </Stack>
    </Card>
  )
}
