import { Text } from '@mantine/core'
import { useState } from 'react'
import { askReversal, type PaymentDetail } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Requests the reversal of a whole payment. */
export function ReversalDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const { t } = useMoneyWords()
  const [reason, setReason] = useState('')
  const form = useForm({
    call: askReversal,
    params: { id: payment.id },
    body: { reason: reason.trim() },
    done: t('approvals:asked'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('reversal.title', { amount: rupiah(payment.amount) })}
      submit={t('reversal.ask')}
      onClose={onClose}
    >
      <Text>{t('reversal.text')}</Text>
      <ReasonInput
        label={t('approvals:approval.reason')}
        description={t('approvals:reasonHelp')}
        data-autofocus
        {...form.field('reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
