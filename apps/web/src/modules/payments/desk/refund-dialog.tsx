import { Alert, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { askRefund, type PaymentDetail, readRefundable } from '#domain/payments/desk-endpoints.ts'
import { longDate, percent, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { LoadingOrFailed } from '#web/ui/missing.tsx'
import { ReasonInput } from '#web/ui/reason-input.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { MoneyInput } from './money-input.tsx'
import { useDeskWords } from './words.ts'

/** Asks that (a part of) a payment be given back, as much as the policy of today allows. */
export function RefundDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const sendAskRefund = useSend(askRefund)
  const { t } = useDeskWords()
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readRefundable, { params: { id: payment.id } })
  const form = useForm({
    initialValues: { amount: 0, bank: '', accountNumber: '', accountHolder: payment.applicantName ?? '', reason: '' },
  })
  const allowed = data?.data
  const checks = useChecks(askRefund, form.values)
  return (
    <AskDialog
      title={t('refund.askTitle')}
      submit={t('refund.ask')}
      done={t('asked')}
      checks={checks}
      send={() => sendAskRefund({ params: { id: payment.id }, body: form.values })}
      onClose={onClose}
    >
      {!allowed && <LoadingOrFailed error={error} onRetry={refetch} rows={2} />}
      {allowed && (
        <Alert color={allowed.most > 0 ? 'blue' : 'orange'} variant="light">
          <Text size="sm" fw={600}>
            {t(allowed.most > 0 ? 'refund.most' : 'refund.none', { amount: rupiah(allowed.most) })}
          </Text>
          {allowed.waiting > 0 && <Text size="sm">{t('refund.ofWaiting', { amount: rupiah(allowed.waiting) })}</Text>}
          <Text size="sm">
            {allowed.policy
              ? t('refund.ofPolicy', {
                  name: allowed.policy.name,
                  share: percent(allowed.policy.share / 10_000),
                  until: longDate(allowed.policy.until, language),
                  amount: rupiah(allowed.byPolicy),
                })
              : t('refund.noPolicy')}
          </Text>
        </Alert>
      )}
      <MoneyInput
        label={t('refund.amount')}
        withAsterisk
        data-autofocus
        {...form.getInputProps('amount')}
        {...checks.field('amount')}
        onChange={(value) => form.setFieldValue('amount', value)}
      />
      <TextInput
        label={t('refund.bank')}
        withAsterisk
        maxLength={60}
        {...form.getInputProps('bank')}
        {...checks.field('bank')}
      />
      <TextInput
        label={t('refund.accountNumber')}
        withAsterisk
        inputMode="numeric"
        maxLength={30}
        {...form.getInputProps('accountNumber')}
        {...checks.field('accountNumber')}
      />
      <TextInput
        label={t('refund.accountHolder')}
        withAsterisk
        maxLength={120}
        {...form.getInputProps('accountHolder')}
        {...checks.field('accountHolder')}
      />
      <ReasonInput
        label={t('approval.reason')}
        description={t('reasonHelp')}
        {...form.getInputProps('reason')}
        {...checks.field('reason')}
      />
    </AskDialog>
  )
}
