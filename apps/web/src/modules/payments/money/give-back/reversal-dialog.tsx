import { Text } from '@mantine/core'
import { askReversal, type PaymentDetail } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'

/** Requests the reversal of a whole payment. */
export function ReversalDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const { t } = useMoneyWords()
  const { id, amount } = payment
  return (
    <ReasonDialog
      call={askReversal}
      params={{ id }}
      title={t('reversal.title', { amount: rupiah(amount) })}
      submit={t('reversal.ask')}
      label={t('approvals:approval.reason')}
      description={t('approvals:reasonHelp')}
      done={t('approvals:asked')}
      onClose={onClose}
    >
      <Text>{t('reversal.text')}</Text>
    </ReasonDialog>
  )
}
