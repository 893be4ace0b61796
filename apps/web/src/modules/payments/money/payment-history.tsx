import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentView } from '#domain/payments/bills/endpoints.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { download } from '#web/api/client.ts'
import { cameBy } from '#web/modules/payments/bills/words.ts'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { PaymentStatus } from './payment-status.tsx'

/** Explains waiting money to the applicant. */
export function WaitingMoney({ payments }: { payments: readonly PaymentView[] }) {
  const { t } = useTranslation('bills')
  return payments.map(
    ({ id, status, waitingReason, waitingAmount }) =>
      status === 'waiting' &&
      waitingReason && (
        <Alert key={id} color="yellow">
          <Text>{t(`waiting.${waitingReason}`, { amount: rupiah(waitingAmount) })}</Text>
        </Alert>
      ),
  )
}

export function PaymentHistory({ payments }: { payments: readonly PaymentView[] }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  return (
    <Card title={t('history.title')}>
      {payments.length === 0 ? (
        <Text c="dimmed">{t('history.empty')}</Text>
      ) : (
        <Entries>
          {payments.map((payment) => (
            <Entry
              key={payment.id}
              title={
                <>
                  <Money amount={payment.amount} /> · {cameBy(payment, t)}
                </>
              }
              end={<PaymentStatus payment={payment} />}
              details={
                <>
                  {t('history.received', { time: dateTime(payment.paidAt, language) })}
                  {payment.virtualAccountNumber && <br />}
                  {payment.virtualAccountNumber && groupedNumber(payment.virtualAccountNumber)}
                </>
              }
              detailsEnd={payment.receiptNumber && <ReceiptButton id={payment.id} number={payment.receiptNumber} />}
            />
          ))}
        </Entries>
      )}
    </Card>
  )
}

export function ReceiptButton({ id, number, compact }: { id: string; number: string; compact?: boolean }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const downloadReceipt = async () => {
    setIsRunning(true)
    setFailure(null)
    try {
      await download(`/payments/${id}/receipt.pdf`, `${number}.pdf`, { language })
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Stack gap={2} align={compact ? 'flex-start' : 'flex-end'}>
      <Button
        variant="default"
        size={compact ? 'compact-sm' : 'sm'}
        mih={compact ? undefined : 44}
        onClick={downloadReceipt}
        loading={isRunning}
        aria-label={t('history.receiptName', { number })}
      >
        {t('history.receipt')}
      </Button>
      {failure && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failure}
        </Text>
      )}
    </Stack>
  )
}
