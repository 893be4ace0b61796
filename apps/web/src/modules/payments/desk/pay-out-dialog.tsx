import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type PaymentDetail, payOutRefund } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { AskDialog } from './ask-dialog.tsx'
import { useDeskWords } from './words.ts'

type Props = { refund: PaymentDetail['refunds'][number]; onClose: () => void }

/** Notes that an approved refund was transferred. */
export function PayOutDialog({ refund, onClose }: Props) {
  const pay = useSend(payOutRefund)
  const { t } = useDeskWords()
  const [reference, setReference] = useState('')
  const body = { reference: reference.trim() }
  const checks = useChecks(payOutRefund, body)
  return (
    <AskDialog
      title={t('refund.payOutTitle', { number: refund.number })}
      submit={t('refund.payOut')}
      done={t('refund.payOutDone')}
      checks={checks}
      send={() => pay({ params: { id: refund.id }, body })}
      onClose={onClose}
    >
      <Text>
        {t('refund.payOutText', {
          amount: rupiah(refund.amount),
          account: `${refund.bank}, ${refund.accountNumber}, ${refund.accountHolder}`,
        })}
      </Text>
      <TextInput
        label={t('enter.reference')}
        withAsterisk
        maxLength={80}
        data-autofocus
        {...checks.field('reference')}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
