import { Text } from '@mantine/core'
import { useState } from 'react'
import { heldReasons } from '#domain/payments/approvals/held-money.ts'
import type { WaitingReason } from '#domain/payments/bills/payment-status.ts'
import { allocatePayment } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { BillSelect, type OwedBill } from '#web/modules/payments/bills/bill-select.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

type Props = {
  payment: {
    id: string
    amount: number
    waitingAmount: number
    waitingReason: WaitingReason | null
    registrationId: string | null
    applicantName: string | null
  }
  onClose: () => void
}

/**
 * Allocates (part of) a payment to a bill: waiting money first, then money booked on another bill of the same person.
 */
export function AllocateDialog({ payment, onClose }: Props) {
  const { t } = useMoneyWords()
  const [bill, setBill] = useState<OwedBill | null>(null)
  /** Money without an owner needs a second account's approval. */
  const hasOwner = payment.registrationId !== null
  /** Denied or not cleared by the gateway, so a second account must approve the payment. */
  const isDoubted = heldReasons.some((reason) => reason === payment.waitingReason)
  const needsNoApproval = hasOwner && !isDoubted
  const availableAmount = payment.waitingAmount > 0 ? payment.waitingAmount : payment.amount
  const form = useForm({
    call: allocatePayment,
    params: { id: payment.id },
    start: { billId: '', amount: 0, reason: '' },
    body: (values) => ({ ...values, reason: values.reason.trim() }),
    done: t(needsNoApproval ? 'waiting.given' : 'waiting.askedGive'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('waiting.giveTitle', { amount: rupiah(availableAmount) })}
      submit={t(needsNoApproval ? 'waiting.give' : 'approvals:pending.send')}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(hasOwner ? 'waiting.giveSame' : 'waiting.giveAny', { name: payment.applicantName ?? '' })}
      </Text>
      {isDoubted && (
        <Text size="sm" c="dimmed">
          {t('waiting.giveHeld')}
        </Text>
      )}
      <BillSelect
        label={t('enter.bill')}
        value={form.values.billId}
        {...form.field('billId')}
        registrationId={payment.registrationId ?? undefined}
        paymentId={payment.id}
        onChange={(chosenBill) => {
          setBill(chosenBill)
          form.set({
            billId: chosenBill?.id ?? '',
            ...(chosenBill && {
              amount: Math.min(chosenBill.rest, availableAmount, chosenBill.movable ?? availableAmount),
            }),
          })
        }}
      />
      <MoneyInput
        label={t('waiting.amountGiven')}
        description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
        {...form.value('amount')}
      />
      <ReasonInput
        label={t('approvals:approval.reason')}
        description={t('waiting.reasonHelp')}
        {...form.text('reason')}
      />
    </DialogForm>
  )
}
