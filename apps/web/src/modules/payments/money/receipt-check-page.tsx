import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { verifyReceipt } from '#domain/payments/money/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Target of the QR code on a receipt: says whether the receipt is genuine. */
export default function ReceiptCheckPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(verifyReceipt, { params: { code } }, { quietAs: 'receiptCheck' })
  const isUnknown = error instanceof ApiError && [404, 422].includes(error.status)
  return (
    <>
      <PageHeader title={t('receipt.checkTitle')} />
      <div className={classes.column}>
        {!data && !error && <LoadingRows rows={4} />}
        {isUnknown && (
          <Alert color="red" title={t('receipt.notGenuine')}>
            {t('receipt.notGenuineHelp')}
          </Alert>
        )}
        {error && !isUnknown && <Missing error={error} onRetry={refetch} />}
        {data && (
          <Card>
            <StatusDot
              tone={data.data.reversedAt ? 'stopped' : 'done'}
              label={t(data.data.reversedAt ? 'receipt.notValid' : 'receipt.genuine')}
            />
            <dl className={classes.lines}>
              {(
                [
                  [t('receipt.number'), data.data.number],
                  [t('receipt.from'), data.data.payer],
                  [t('receipt.amount'), <Money key="amount" amount={data.data.amount} />],
                  [t('receipt.paidAt'), dateTime(data.data.paidAt, language)],
                  [t('bill.number'), data.data.billNumber],
                ] as const
              ).map(([label, value]) => (
                <div className={classes.line} key={label}>
                  <dt>
                    <Text span c="dimmed">
                      {label}
                    </Text>
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </Card>
        )}
      </div>
    </>
  )
}
