import { Text } from '@mantine/core'
import { useState } from 'react'
import { askReversal, type PaymentDetail } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { ReasonInput } from '#web/ui/reason-input.tsx'
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
      <ReasonInput
        label={t('approval.reason')}
        description={t('reasonHelp')}
        data-autofocus
        {...checks.field('reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
