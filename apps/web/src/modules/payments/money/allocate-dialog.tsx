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
import { useValues } from '#web/ui/form/use-values.ts'

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

/** Gives (a part of) a payment to a bill: waiting money first, then money booked on another bill of the same person. */
export function AllocateDialog({ payment, onClose }: Props) {
  const { t } = useMoneyWords()
  const [bill, setBill] = useState<OwedBill | null>(null)
  const { values, set, text, value } = useValues({ billId: '', amount: 0, reason: '' })
  /** Money of nobody: another account approves whose it becomes. */
  const known = payment.registrationId !== null
  /** Denied or not cleared by its gateway: another account approves that it is real. */
  const held = heldReasons.some((reason) => reason === payment.waitingReason)
  const direct = known && !held
  const has = payment.waitingAmount > 0 ? payment.waitingAmount : payment.amount
  const form = useForm({
    call: allocatePayment,
    params: { id: payment.id },
    body: { ...values, reason: values.reason.trim() },
    done: t(direct ? 'waiting.given' : 'waiting.askedGive'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('waiting.giveTitle', { amount: rupiah(has) })}
      submit={t(direct ? 'waiting.give' : 'approvals:pending.send')}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(known ? 'waiting.giveSame' : 'waiting.giveAny', { name: payment.applicantName ?? '' })}
      </Text>
      {held && (
        <Text size="sm" c="dimmed">
          {t('waiting.giveHeld')}
        </Text>
      )}
      <BillSelect
        label={t('enter.bill')}
        value={values.billId}
        {...form.field('billId')}
        registrationId={payment.registrationId ?? undefined}
        paymentId={payment.id}
        onChange={(chosen) => {
          setBill(chosen)
          set({
            billId: chosen?.id ?? '',
            ...(chosen && { amount: Math.min(chosen.rest, has, chosen.movable ?? has) }),
          })
        }}
      />
      <MoneyInput
        label={t('waiting.amountGiven')}
        description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
        {...value('amount')}
        {...form.field('amount')}
      />
      <ReasonInput
        label={t('approvals:approval.reason')}
        description={t('waiting.reasonHelp')}
        {...text('reason')}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
