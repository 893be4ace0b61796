import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { computeDay, type DayRow, type Difference, readDay } from '#domain/payments/reconciliation/endpoints.ts'
import { senOf } from '#domain/payments/reconciliation/sen.ts'
import { dateTime, longDate, rupiah, rupiahOfSen } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { LineActions } from './line-actions.tsx'
import { SettleDialog } from './line-dialogs.tsx'
import classes from './reconciliation.module.css'
import { dayTone, useReconciliationWords } from './words.ts'

/** One day of an account: totals of books, bank reports and statement, and their differences. */
export default function DayPage() {
  const { id = '' } = useParams()
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readDay, { params: { id } })
  const day = data?.data
  usePageTitle(day && longDate(day.day, language))
  if (!day) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return (
    <>
      <PageHeader
        title={longDate(day.day, language)}
        description={`${day.accountName} · ${t('day.computedAt', { time: dateTime(day.computedAt, language) })}`}
        actions={<Again day={day} />}
      />
      <Stack gap="md">
        <StatusDot
          tone={dayTone(day.state)}
          label={day.state === 'open' ? t('openCount', { count: day.openDifferences }) : t(`dayState.${day.state}`)}
        />
        {!day.hasStatement && (
          <Alert color="blue" variant="light" title={t('day.noStatement')}>
            {t('day.noStatementText', { account: day.accountName })}{' '}
            <Anchor component={Link} to={`/rekonsiliasi/impor?account=${day.bankAccountId}`} underline="always">
              {t('tabs.statements')}
            </Anchor>
          </Alert>
        )}
        <Columns day={day} />
        <Card title={t('day.differences')} count={day.list.length || undefined}>
          {day.list.length === 0 ? (
            <Text c="dimmed">{t('day.none')}</Text>
          ) : (
            <ul className={classes.list}>
              {day.list.map((difference) => (
                <DifferenceItem key={difference.id} difference={difference} />
              ))}
            </ul>
          )}
        </Card>
      </Stack>
    </>
  )
}

function Again({ day }: { day: DayRow }) {
  const { t } = useReconciliationWords()
  const { may } = useSession()
  const queries = useQueryClient()
  const computing = useMutation<unknown, ApiError>({
    mutationFn: () => sendOnce(computeDay, { body: { bankAccountId: day.bankAccountId, day: day.day } }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('days.computed') })
      void queries.invalidateQueries()
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  if (!may('rekonsiliasi-update')) return null
  return (
    <Button variant="default" loading={computing.isPending} onClick={() => computing.mutate()}>
      {t('days.again')}
    </Button>
  )
}

function Columns({ day }: { day: DayRow }) {
  const { t } = useReconciliationWords()
  const compareWithLedger = (totalSen: number) => {
    const differenceSen = totalSen - senOf(day.ledgerTotal)
    return differenceSen === 0
      ? t('day.agrees')
      : t('day.against', { amount: `${differenceSen > 0 ? '+' : ''}${rupiahOfSen(differenceSen)}` })
  }
  const renderSum = (amountSen: number) => <div className={classes.figure}>{rupiahOfSen(amountSen)}</div>
  const renderDimmed = (...lines: string[]) =>
    lines.map((line) => (
      <Text key={line} size="sm" c="dimmed">
        {line}
      </Text>
    ))
  return (
    <div className={classes.columns}>
      <Card title={t('day.ledger')}>
        {renderSum(senOf(day.ledgerTotal))}
        {renderDimmed(t('day.count', { count: day.ledgerCount }), t('day.ledgerHelp'))}
      </Card>
      <Card title={t('day.reported')}>
        {renderSum(senOf(day.reportedTotal))}
        {renderDimmed(
          t('day.count', { count: day.reportedCount }),
          compareWithLedger(senOf(day.reportedTotal)),
          t('day.reportedHelp'),
        )}
      </Card>
      <Card title={t('day.statement')}>
        {day.hasStatement || day.statementCount > 0 ? (
          <>
            {renderSum(day.statementTotalSen)}
            {renderDimmed(
              t('day.lines', { count: day.statementCount }),
              compareWithLedger(day.statementTotalSen),
              t('day.statementHelp'),
              ...(day.explainedTotalSen > 0
                ? [t('day.explained', { amount: rupiahOfSen(day.explainedTotalSen) })]
                : []),
            )}
          </>
        ) : (
          <Text c="dimmed">{t('day.noStatement')}</Text>
        )}
      </Card>
    </div>
  )
}

function DifferenceItem({ difference }: { difference: Difference }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const { may } = useSession()
  const [isSettling, setIsSettling] = useState(false)
  const { kind, line, payment, settledAt, settledBy, settledHow, reason } = difference
  const amounts = [
    [t('day.ledger'), difference.ledgerAmount === null ? null : rupiah(difference.ledgerAmount)],
    [t('day.reported'), difference.reportedAmount === null ? null : rupiah(difference.reportedAmount)],
    [t('day.statement'), difference.statementAmountSen === null ? null : rupiahOfSen(difference.statementAmountSen)],
  ] as const
  const settledAtText = settledAt && dateTime(settledAt, language)
  return (
    <li className={classes.difference}>
      <div className={classes.head}>
        <Text fw={600}>{t(`kind.${kind}`)}</Text>
        <StatusDot
          tone={settledAt ? 'done' : 'attention'}
          label={settledHow === 'agrees' ? t('day.agreesNow') : settledAt ? t('day.settled') : t('no')}
        />
      </div>
      <div className={classes.label}>
        {[payment?.applicantName, difference.label].filter(Boolean).join(' · ')}
        {line?.day && ` · ${longDate(line.day, language)}`}
      </div>
      <dl className={classes.amounts}>
        {amounts.map(
          ([label, amount]) =>
            amount !== null && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{amount}</dd>
              </div>
            ),
        )}
      </dl>
      {settledAtText ? (
        <Text size="sm" c="dimmed">
          {reason && `${reason} · `}
          {settledBy ? t('day.by', { name: settledBy, time: settledAtText }) : t('day.itself', { time: settledAtText })}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {t(`kindHelp.${kind}`)}
        </Text>
      )}
      <Group gap="xs">
        {!settledAt && (line?.state === 'new' || line?.state === 'held') && (
          <LineActions line={line} paymentId={payment?.id} />
        )}
        {!settledAt && may('rekonsiliasi-update') && line?.state !== 'held' && (line?.state !== 'new' || payment) && (
          <Button variant="default" size="compact-md" onClick={() => setIsSettling(true)}>
            {t('action.settle')}
          </Button>
        )}
        {payment && may('pembayaran-mahasiswa-view') && (
          <Button component={Link} to={`/pembayaran-mahasiswa/${payment.id}`} variant="subtle" size="compact-md">
            {t('day.payment')}
          </Button>
        )}
      </Group>
      {isSettling && (
        <SettleDialog
          id={difference.id}
          text={`${t(`kind.${kind}`)}: ${difference.label}`}
          onClose={() => setIsSettling(false)}
        />
      )}
    </li>
  )
}
