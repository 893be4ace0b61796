import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { billTone, deadline } from '#web/modules/payments/bills/words.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Shows a bill's paid amount; `children` (payment of the next instalment) stay collapsed until opened. */
export function PaidCard({ bill, children }: { bill: BillView; children?: ReactNode }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const { next } = bill
  return (
    <Card>
      <StatusDot
        tone={next ? 'done' : billTone(bill)}
        label={t(next ? 'paid.upToDate' : `billStatus.${bill.status}`)}
      />
      <h2 className={classes.sentence} style={{ margin: '4px 0 0' }}>
        {next
          ? t('paid.of', { paid: rupiah(bill.paid), total: rupiah(bill.total) })
          : t('paid.whole', { amount: rupiah(bill.paid) })}
      </h2>
      <Text c="dimmed" mt={4}>
        {t('pay.forBill', { kind: t(`kind.${bill.kind}`), number: bill.number })}
      </Text>
      {next ? (
        <details className={classes.later}>
          <summary>
            {next.dueAt
              ? t('paid.next', { amount: rupiah(next.amount), due: deadline(next.dueAt, language) })
              : t('pay.anytime', { amount: rupiah(next.amount) })}
          </summary>
          {children}
        </details>
      ) : (
        <Button component={Link} to={`/pendaftaran/${bill.registrationId}`} mih={44} mt="md" variant="light">
          {t('pay.toRegistration')}
        </Button>
      )}
    </Card>
  )
}
