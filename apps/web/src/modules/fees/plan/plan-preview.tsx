import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstallmentTerm } from '#domain/fees/instalment-plan.ts'
import { splitInstallments } from '#domain/payments/bills/split-installments.ts'
import { Instalments } from '#web/modules/fees/instalments.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'

/** Bills these terms produce for an amount billed today, split by the server's rule. */
export function PlanPreview({ terms }: { terms: readonly InstallmentTerm[] }) {
  const { t } = useTranslation('fees')
  const [sum, setSum] = useState(10_000_000)
  const parts = splitInstallments(sum, terms, { issuedAt: new Date() })
  return (
    <Stack gap="sm">
      <Title order={3} size="h3">
        {t('terms.example')}
      </Title>
      <MoneyInput
        size="sm"
        maw={240}
        label={t('terms.exampleSum')}
        value={sum}
        onChange={(rupiah) => setSum(Math.min(rupiah, 1_000_000_000_000))}
      />
      {parts.length > 0 && <Instalments parts={parts} maw={520} />}
      <Text size="sm" c="dimmed">
        {t('terms.exampleText')}
      </Text>
    </Stack>
  )
}
