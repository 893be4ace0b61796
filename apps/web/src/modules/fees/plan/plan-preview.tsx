import { Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstallmentTerm } from '#domain/fees/instalment-plan.ts'
import { splitInstallments } from '#domain/payments/bills/split-installments.ts'
import { rupiah, weekdayDate } from '#locales/format.ts'
import classes from '#web/modules/fees/tuition.module.css'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Bills these terms produce for an amount billed today, split by the server's rule. */
export function PlanPreview({ terms }: { terms: readonly InstallmentTerm[] }) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
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
      {parts.length > 0 && (
        <Table className={classes.amounts} maw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('applicant.due')}</Table.Th>
              <Table.Th className={classes.right}>{t('applicant.instalment')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {parts.map(({ position, amount, dueAt }) => (
              <Table.Tr key={position}>
                <Table.Td>
                  {position}. {weekdayDate(dueAt, language)}
                </Table.Td>
                <Table.Td className={classes.right}>{rupiah(amount)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text size="sm" c="dimmed">
        {t('terms.exampleText')}
      </Text>
    </Stack>
  )
}
