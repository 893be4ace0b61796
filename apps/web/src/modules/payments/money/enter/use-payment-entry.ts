import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { universityCalendar } from '#domain/calendar.ts'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import { enterPayment, type manualMethods } from '#domain/payments/money/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { Proof } from '#web/modules/payments/approvals/proof-drop.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'

/** Current minute in the picker's format. */
const thisMinute = () => `${universityCalendar().wallTime(new Date()).slice(0, 16)}:00`

/** A payment being entered; if similar ones exist, the server requires a reason why this is another one. */
export function usePaymentEntry() {
  const { t } = useMoneyWords()
  const navigate = useNavigate()
  const [lookAlikes, setLookAlikes] = useState<LookAlike[]>([])
  const form = useForm({
    call: enterPayment,
    start: () => ({
      billId: '',
      amount: 0,
      restWaits: false,
      method: 'cash' as (typeof manualMethods)[number],
      paidAt: thisMinute() as string | null,
      payerName: '',
      reference: '',
      proof: null as Proof | null,
      reason: '',
      /** Why this is another payment than the similar ones. */
      another: '',
    }),
    body: ({ paidAt, reference, proof, reason, another, restWaits, ...values }) => ({
      ...values,
      ...(restWaits && { restWaits }),
      paidAt: paidAt ? universityCalendar().momentOf(paidAt).toISOString() : '',
      ...(values.method === 'transfer' && reference.trim() && { reference: reference.trim() }),
      ...(proof && { proofFileId: proof.id }),
      ...(reason.trim() && { reason: reason.trim() }),
      ...(lookAlikes.length > 0 && { another: { seen: lookAlikes.map(({ id }) => id), reason: another.trim() } }),
    }),
    done: t('enter.sent'),
    onDone: () => navigate('/persetujuan?status=pending'),
    onRefused: ({ code, data }) => {
      if (code === 'look_alikes') setLookAlikes(data?.lookAlikes as LookAlike[])
    },
    shownAs: { 'another.reason': 'another' },
  })
  const { another: _another, ...payment } = form.values
  const paymentKey = JSON.stringify(payment)
  // A changed payment has other look-alikes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the payment changes
  useEffect(() => setLookAlikes([]), [paymentKey])
  return {
    lookAlikes,
    form: { ...form, formError: form.refusal?.code === 'look_alikes' ? null : form.formError },
  }
}
export type PaymentEntry = ReturnType<typeof usePaymentEntry>
