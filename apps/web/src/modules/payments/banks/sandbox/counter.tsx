import { Alert, Anchor, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { paySandboxAccount, readSandboxAccount } from '#domain/payments/banks/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { Card } from '#web/ui/card.tsx'
import { bindingsOf, useValues } from '#web/ui/form/use-values.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { Details, Transactions } from './account-cards.tsx'

type Payment = { amount: number; times?: number; silent?: boolean; delay?: number; reportedAmount?: number }

/** Pays the number like a customer, and shows the portal's answer to the bank's report. */
export function Counter({ number }: { number: string }) {
  const { t } = useTranslation('bills')
  const queries = useQueryClient()
  const request = { params: { number } }
  const { data, error } = useEndpoint(readSandboxAccount, request, { quietAs: 'sandboxNumber' })
  const sentPayment = useMutation<Answer<typeof paySandboxAccount>, ApiError, Payment | 'repeat'>({
    mutationFn: (payment) =>
      sendOnce(paySandboxAccount, {
        ...request,
        body: payment === 'repeat' ? { action: 'repeat' } : { action: 'pay', ...payment },
      }),
    onSuccess: ({ data: { account } }) => queries.setQueryData(keyOf(readSandboxAccount, request), { data: account }),
  })
  const { values, set } = useValues({ amount: null as number | null })
  const ownAmount = Number(values.amount)
  const checks = useChecks(paySandboxAccount, { action: 'pay', amount: ownAmount }, { refusal: sentPayment.error })
  const inputs = bindingsOf(values, set, checks.field)

  if (error && !data)
    return (
      <Card>
        <Stack>
          <Alert color="red">{'status' in error && error.status === 404 ? t('sandbox.unknown') : error.message}</Alert>
          <Anchor component={Link} to="/sandbox-bank">
            {t('sandbox.another')}
          </Anchor>
        </Stack>
      </Card>
    )
  if (!data) return <LoadingRows />
  const account = data.data
  // A paid number still takes test payments, based on its last payment.
  const baseAmount = account.amount || account.transactions.at(-1)?.amount || 100_000
  return (
    <>
      <Details account={account} />
      <Card>
        <Stack gap="sm" {...checks.form}>
          {account.amount === 0 && <Text>{t('sandbox.nothingDue')}</Text>}
          <Button
            classNames={{ root: classes.action, label: classes.actionLabel }}
            size="lg"
            onClick={() => sentPayment.mutate({ amount: baseAmount })}
            loading={sentPayment.isPending}
          >
            {t('sandbox.payExact', { amount: rupiah(baseAmount) })}
          </Button>
          <Text fw={600}>{t('sandbox.other')}</Text>
          <OddPayments
            baseAmount={baseAmount}
            isPending={sentPayment.isPending}
            mayRepeat={account.transactions.length > 0}
            onPay={sentPayment.mutate}
          />
          <Group align="flex-end" gap="xs">
            <NumberInput
              label={t('sandbox.own')}
              prefix="Rp "
              allowDecimal={false}
              allowNegative={false}
              hideControls
              {...inputs.number('amount')}
            />
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => checks.isReady() && sentPayment.mutate({ amount: ownAmount })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.payOwn')}
            </Button>
          </Group>
          <div role="status">
            <Failure>{checks.formError}</Failure>
            {sentPayment.isSuccess && <PortalAnswers answers={sentPayment.data.data.answers} />}
          </div>
        </Stack>
      </Card>
      <Transactions account={account} />
      <Anchor component={Link} to="/sandbox-bank">
        {t('sandbox.another')}
      </Anchor>
    </>
  )
}

type OddPaymentsProps = {
  baseAmount: number
  isPending: boolean
  /** Whether there is a payment to report again. */
  mayRepeat: boolean
  onPay: (payment: Payment | 'repeat') => void
}

/** Payments as banks report them on bad days: wrong amounts, twice, late, or not at all. */
function OddPayments({ baseAmount, isPending, mayRepeat, onPay }: OddPaymentsProps) {
  const { t } = useTranslation('bills')
  const half = Math.max(1, Math.floor(baseAmount / 2))
  const more = baseAmount + 50_000
  const choices: { label: string; payment: Payment | 'repeat' }[] = [
    { label: t('sandbox.underpay', { amount: rupiah(half) }), payment: { amount: half } },
    { label: t('sandbox.overpay', { amount: rupiah(more) }), payment: { amount: more } },
    { label: t('sandbox.twice'), payment: { amount: baseAmount, times: 2 } },
    { label: t('sandbox.repeat'), payment: 'repeat' },
    { label: t('sandbox.silent'), payment: { amount: baseAmount, silent: true } },
    { label: t('sandbox.late'), payment: { amount: baseAmount, delay: 60 } },
    { label: t('sandbox.wrongAmount'), payment: { amount: baseAmount, reportedAmount: half } },
  ]
  return (
    <Group gap="xs">
      {choices.map(({ label, payment }) => (
        <Button
          key={label}
          classNames={{ root: classes.action, label: classes.actionLabel }}
          variant="default"
          onClick={() => onPay(payment)}
          disabled={isPending || (payment === 'repeat' && !mayRepeat)}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

type Answers = Answer<typeof paySandboxAccount>['data']['answers']

/** The portal's answers to the bank's reports. */
function PortalAnswers({ answers }: { answers: Answers }) {
  const { t } = useTranslation('bills')
  return (
    <>
      <Text fw={600}>{t('sandbox.answers')}</Text>
      {answers.length === 0 && <Text>{t('sandbox.answerNone')}</Text>}
      {answers.map((answer, index) => (
        <div key={index}>
          <StatusDot
            tone={answer.status < 300 ? 'done' : 'stopped'}
            label={t(answer.status < 300 ? 'sandbox.answerOk' : 'sandbox.answerBad', {
              status: answer.status,
            })}
          />
        </div>
      ))}
    </>
  )
}
