import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { askReversal, type PaymentDetail } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { AskDialog } from './ask-dialog.tsx'
import { useDeskWords } from './words.ts'

/** Asks that a payment be taken back whole. */
export function ReversalDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const sendAskReversal = useSend(askReversal)
  const { t } = useDeskWords()
  const [reason, setReason] = useState('')
  const body = { reason: reason.trim() }
  const checks = useChecks(askReversal, body)
  return (
    <AskDialog
      title={t('reversal.title', { amount: rupiah(payment.amount) })}
      submit={t('reversal.ask')}
      done={t('asked')}
      checks={checks}
      send={() => sendAskReversal({ params: { id: payment.id }, body })}
      onClose={onClose}
    >
      <Text>{t('reversal.text')}</Text>
      <Textarea
        label={t('approval.reason')}
        description={t('reasonHelp')}
        withAsterisk
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...checks.field('reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
