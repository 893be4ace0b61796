import { useTranslation } from 'react-i18next'
import type { PaymentView } from '#domain/payments/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { paymentTone } from './words.ts'

/** What became of a payment; where a part of it waits, the booked part counts and the sum that waits is named. */
export function PaymentStatus({ payment }: { payment: Pick<PaymentView, 'status' | 'allocated' | 'waitingAmount'> }) {
  const { t } = useTranslation('payments')
  const label =
    payment.status === 'waiting' && payment.allocated > 0
      ? t('bookedWaiting', { amount: rupiah(payment.waitingAmount) })
      : t(`paymentStatus.${payment.status}`)
  return <StatusDot tone={paymentTone(payment)} label={label} />
}
