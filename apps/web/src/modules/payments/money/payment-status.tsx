import { useTranslation } from 'react-i18next'
import type { PaymentView } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { paymentTone } from '#web/modules/payments/bills/words.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

/** Status of a payment; one that waits only in part shows as booked, with the waiting amount. */
export function PaymentStatus({ payment }: { payment: Pick<PaymentView, 'status' | 'allocated' | 'waitingAmount'> }) {
  const { t } = useTranslation('bills')
  const label =
    payment.status === 'waiting' && payment.allocated > 0
      ? t('bookedWaiting', { amount: rupiah(payment.waitingAmount) })
      : t(`paymentStatus.${payment.status}`)
  return <StatusDot tone={paymentTone(payment)} label={label} />
}
