import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { allocatePayment } from '#domain/payments/desk-endpoints.ts'
import { heldReasons, type WaitingReason } from '#domain/payments/payment-status.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { ReasonInput } from '#web/ui/reason-input.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { BillSelect, type OwedBill } from './bill-select.tsx'
import { MoneyInput } from './money-input.tsx'
import { useDeskWords } from './words.ts'

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
  const allocate = useSend(allocatePayment)
  const { t } = useDeskWords()
  const [bill, setBill] = useState<OwedBill | null>(null)
  const form = useForm({ initialValues: { billId: '', amount: 0, reason: '' } })
  const { billId, reason } = form.values
  /** Money of nobody: another account approves whose it becomes. */
  const known = payment.registrationId !== null
  /** Denied or not cleared by its gateway: another account approves that it is real. */
  const held = heldReasons.some((reason) => reason === payment.waitingReason)
  const direct = known && !held
  const has = payment.waitingAmount > 0 ? payment.waitingAmount : payment.amount
  const body = { ...form.values, reason: reason.trim() }
  const checks = useChecks(allocatePayment, body)
  return (
    <AskDialog
      title={t('waiting.giveTitle', { amount: rupiah(has) })}
      submit={t(direct ? 'waiting.give' : 'pending.send')}
      done={t(direct ? 'waiting.given' : 'waiting.askedGive')}
      checks={checks}
      send={() => allocate({ params: { id: payment.id }, body })}
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
        value={billId}
        {...checks.field('billId')}
        registrationId={payment.registrationId ?? undefined}
        paymentId={payment.id}
        onChange={(chosen) => {
          setBill(chosen)
          form.setFieldValue('billId', chosen?.id ?? '')
          if (chosen) form.setFieldValue('amount', Math.min(chosen.rest, has, chosen.movable ?? has))
        }}
      />
      <MoneyInput
        label={t('waiting.amountGiven')}
        withAsterisk
        description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
        {...form.getInputProps('amount')}
        {...checks.field('amount')}
        onChange={(value) => form.setFieldValue('amount', value)}
      />
      <ReasonInput
        label={t('approval.reason')}
        description={t('waiting.reasonHelp')}
        {...form.getInputProps('reason')}
        {...checks.field('reason')}
      />
    </AskDialog>
  )
}
