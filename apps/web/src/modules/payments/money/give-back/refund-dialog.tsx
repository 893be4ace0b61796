import { Alert, Text, TextInput } from '@mantine/core'
import { askRefund, type PaymentDetail, readRefundable } from '#domain/payments/money/endpoints.ts'
import { longDate, percent, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Requests a refund of (part of) a payment, within today's policy. */
export function RefundDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readRefundable, { params: { id: payment.id } })
  const allowance = data?.data
  const form = useForm({
    call: askRefund,
    params: { id: payment.id },
    start: { amount: 0, bank: '', accountNumber: '', accountHolder: payment.applicantName ?? '', reason: '' },
    done: t('approvals:asked'),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('refund.askTitle')} submit={t('refund.ask')} onClose={onClose}>
      {!allowance && <LoadingOrFailed error={error} onRetry={refetch} rows={2} />}
      {allowance && (
        <Alert color={allowance.most > 0 ? 'blue' : 'orange'} variant="light">
          <Text size="sm" fw={600}>
            {t(allowance.most > 0 ? 'refund.most' : 'refund.none', { amount: rupiah(allowance.most) })}
          </Text>
          {allowance.waiting > 0 && (
            <Text size="sm">{t('refund.ofWaiting', { amount: rupiah(allowance.waiting) })}</Text>
          )}
          <Text size="sm">
            {allowance.policy
              ? t('refund.ofPolicy', {
                  name: allowance.policy.name,
                  share: percent(allowance.policy.share / 10_000),
                  until: longDate(allowance.policy.until, language),
                  amount: rupiah(allowance.byPolicy),
                })
              : t('refund.noPolicy')}
          </Text>
        </Alert>
      )}
      <MoneyInput label={t('refund.amount')} data-autofocus {...form.value('amount')} />
      <TextInput label={t('refund.bank')} {...form.text('bank')} />
      <TextInput label={t('refund.accountNumber')} inputMode="numeric" {...form.text('accountNumber')} />
      <TextInput label={t('refund.accountHolder')} {...form.text('accountHolder')} />
      <ReasonInput
        label={t('approvals:approval.reason')}
        description={t('approvals:reasonHelp')}
        {...form.text('reason')}
      />
    </DialogForm>
  )
}
