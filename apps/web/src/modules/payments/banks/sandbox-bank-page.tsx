import { Alert, Anchor, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { paySandboxAccount, readSandboxAccount, type SandboxAccount } from '#domain/payments/banks/endpoints.ts'
import { groupedNumber, isVirtualAccountNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { accountTone } from '#web/modules/payments/bills/words.ts'
import { Card } from '#web/ui/card.tsx'
import { Money } from '#web/ui/money.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/**
 * Counter of the demo bank: pays a transfer number the way real customers do, wrong amounts and repetitions included.
 */
export default function SandboxBankPage() {
  const { number } = useParams()
  const { t } = useTranslation('bills')
  return (
    <>
      <PageHeader title={t('sandbox.title')} />
      <div className={classes.column}>
        <div className={classes.demo} role="note">
          {t('sandbox.notice')}
        </div>
        {number ? <Counter key={number} number={number} /> : <EnterNumber />}
      </div>
    </>
  )
}

function EnterNumber() {
  const { t } = useTranslation('bills')
  const navigate = useNavigate()
  const [numberText, setNumberText] = useState('')
  const digits = numberText.replace(/\D/g, '')
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (isVirtualAccountNumber(digits)) navigate(`/sandbox-bank/${digits}`)
  }
  return (
    <Card>
      <form onSubmit={open}>
        <Stack gap="sm">
          <TextInput
            label={t('sandbox.enter')}
            description={t('sandbox.enterHelp')}
            inputMode="numeric"
            value={numberText}
            onChange={(event) => setNumberText(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" disabled={!isVirtualAccountNumber(digits)}>
            {t('sandbox.open')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}

type Payment = { amount: number; times?: number; silent?: boolean; delay?: number; reportedAmount?: number }

function Counter({ number }: { number: string }) {
  const { t } = useTranslation('bills')
  const queries = useQueryClient()
  const request = { params: { number } }
  const { data, error } = useEndpoint(readSandboxAccount, request, { quietAs: 'sandboxNumber' })
  const [ownAmount, setOwnAmount] = useState<number | string>('')
  const sentPayment = useMutation<Answer<typeof paySandboxAccount>, ApiError, Payment | 'repeat'>({
    mutationFn: (payment) =>
      sendOnce(paySandboxAccount, {
        ...request,
        body: payment === 'repeat' ? { action: 'repeat' } : { action: 'pay', ...payment },
      }),
    onSuccess: ({ data: { account } }) => queries.setQueryData(keyOf(readSandboxAccount, request), { data: account }),
  })
  const checks = useChecks(
    paySandboxAccount,
    { action: 'pay', amount: Number(ownAmount) },
    { refusal: sentPayment.error },
  )
  const pay = (payment: Payment) => sentPayment.mutate(payment)

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
  // A paid number still takes test payments: base them on its last payment.
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
            onClick={() => pay({ amount: baseAmount })}
            loading={sentPayment.isPending}
          >
            {t('sandbox.payExact', { amount: rupiah(baseAmount) })}
          </Button>
          <Text fw={600}>{t('sandbox.other')}</Text>
          <Group gap="xs">
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: Math.max(1, Math.floor(baseAmount / 2)) })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.underpay', { amount: rupiah(Math.max(1, Math.floor(baseAmount / 2))) })}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: baseAmount + 50_000 })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.overpay', { amount: rupiah(baseAmount + 50_000) })}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: baseAmount, times: 2 })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.twice')}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => sentPayment.mutate('repeat')}
              disabled={sentPayment.isPending || account.transactions.length === 0}
            >
              {t('sandbox.repeat')}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: baseAmount, silent: true })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.silent')}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: baseAmount, delay: 60 })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.late')}
            </Button>
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => pay({ amount: baseAmount, reportedAmount: Math.max(1, Math.floor(baseAmount / 2)) })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.wrongAmount')}
            </Button>
          </Group>
          <Group align="flex-end" gap="xs">
            <NumberInput
              label={t('sandbox.own')}
              prefix="Rp "
              allowDecimal={false}
              allowNegative={false}
              hideControls
              value={ownAmount}
              onChange={setOwnAmount}
              {...checks.field('amount')}
            />
            <Button
              classNames={{ root: classes.action, label: classes.actionLabel }}
              variant="default"
              onClick={() => checks.isReady() && pay({ amount: Number(ownAmount) })}
              disabled={sentPayment.isPending}
            >
              {t('sandbox.payOwn')}
            </Button>
          </Group>
          <div role="status">
            <Failure>{checks.unsaid}</Failure>
            {sentPayment.isSuccess && (
              <>
                <Text fw={600}>{t('sandbox.answers')}</Text>
                {sentPayment.data.data.answers.length === 0 && <Text>{t('sandbox.answerNone')}</Text>}
                {sentPayment.data.data.answers.map((answer, index) => (
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
            )}
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

function Details({ account }: { account: SandboxAccount }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const rows = [
    [t('account.number'), groupedNumber(account.number)],
    [t('sandbox.payer'), account.payerName],
    [t('sandbox.description'), account.description],
    [t('sandbox.validUntil'), dateTime(account.expiresAt, language)],
  ]
  return (
    <Card
      title={account.bankName}
      actions={<StatusDot tone={accountTone(account.status)} label={t(`accountStatus.${account.status}`)} />}
    >
      <dl className={classes.lines}>
        {rows.map(([label, value]) => (
          <div className={classes.line} key={label}>
            <dt className={classes.quiet}>{label}</dt>
            <dd style={{ whiteSpace: 'normal' }}>{value}</dd>
          </div>
        ))}
        <div className={`${classes.line} ${classes.strong}`}>
          <dt>{t('sandbox.due')}</dt>
          <dd>
            <Money amount={account.amount} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Transactions({ account }: { account: SandboxAccount }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  return (
    <Card title={t('sandbox.transactions')}>
      {account.transactions.length === 0 ? (
        <Text c="dimmed">{t('sandbox.none')}</Text>
      ) : (
        <ul className={classes.parts}>
          {account.transactions.map((transaction) => (
            <li className={classes.part} key={transaction.reference}>
              <Money amount={transaction.amount} />
              <span className={classes.end}>
                {t(transaction.reports === 0 ? 'sandbox.reports_zero' : 'sandbox.reports', {
                  count: transaction.reports,
                })}
              </span>
              <span className={classes.quiet} style={{ overflowWrap: 'anywhere' }}>
                {transaction.reference}
              </span>
              <span className={`${classes.quiet} ${classes.end}`}>{dateTime(transaction.paidAt, language)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
