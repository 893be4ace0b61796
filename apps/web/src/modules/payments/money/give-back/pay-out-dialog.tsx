import { Text, TextInput } from '@mantine/core'
import { type PaymentDetail, payOutRefund } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { refund: PaymentDetail['refunds'][number]; onClose: () => void }

/** Records the transfer of an approved refund. */
export function PayOutDialog({ refund, onClose }: Props) {
  const { t } = useMoneyWords()
  const form = useForm({
    call: payOutRefund,
    params: { id: refund.id },
    start: { reference: '' },
    body: ({ reference }) => ({ reference: reference.trim() }),
    done: t('refund.payOutDone'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('refund.payOutTitle', { number: refund.number })}
      submit={t('refund.payOut')}
      onClose={onClose}
    >
      <Text>
        {t('refund.payOutText', {
          amount: rupiah(refund.amount),
          account: `${refund.bank}, ${refund.accountNumber}, ${refund.accountHolder}`,
        })}
      </Text>
      <TextInput label={t('enter.reference')} data-autofocus {...form.text('reference')} />
    </DialogForm>
  )
}
