import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { verifyReceipt } from '#domain/payments/money/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Verdict } from '#web/ui/verdict.tsx'

/** Target of a receipt's QR code: says whether the receipt is genuine. */
export default function ReceiptCheckPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const { data, isPending, error, refetch } = useEndpoint(
    verifyReceipt,
    { params: { code } },
    { quietAs: 'receiptCheck' },
  )
  const isUnknown = error instanceof ApiError && [404, 422].includes(error.status)
  if (error && !data && !isUnknown) return <LoadFailed error={error} onRetry={refetch} />
  const receipt = data?.data
  return (
    <Verdict
      title={t('receipt.checkTitle')}
      isPending={isPending}
      tone={!receipt ? 'attention' : receipt.reversedAt ? 'stopped' : 'done'}
      verdict={t(!receipt ? 'receipt.notGenuine' : receipt.reversedAt ? 'receipt.notValid' : 'receipt.genuine')}
      hint={receipt ? undefined : t('receipt.notGenuineHelp')}
      facts={
        receipt
          ? [
              [t('receipt.number'), receipt.number],
              [t('receipt.from'), receipt.payer],
              [t('receipt.amount'), <Money key="amount" amount={receipt.amount} />],
              ...(receipt.refunded > 0
                ? [[t('receipt.refunded'), <Money key="refunded" amount={receipt.refunded} />] as const]
                : []),
              [t('receipt.paidAt'), dateTime(receipt.paidAt, language)],
              [t('bill.number'), receipt.billNumber],
            ]
          : []
      }
    />
  )
}
