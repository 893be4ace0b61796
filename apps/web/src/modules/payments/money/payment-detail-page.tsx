import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type PaymentDetail, readPayment } from '#domain/payments/money/endpoints.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { approvalTone, useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { cameBy } from '#web/modules/payments/bills/words.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Alerts } from './alerts.tsx'
import { PayOutDialog } from './give-back/pay-out-dialog.tsx'
import { RefundDialog } from './give-back/refund-dialog.tsx'
import { ReversalDialog } from './give-back/reversal-dialog.tsx'
import { ReceiptButton } from './payment-history.tsx'
import { PaymentStatus } from './payment-status.tsx'
import { AllocateDialog } from './waiting/allocate-dialog.tsx'

/** One payment: origin, allocations, refunds and actions. */
export default function PaymentDetailPage() {
  const { id = '' } = useParams()
  const { t } = useMoneyWords()
  const { data, error, refetch } = useEndpoint(readPayment, { params: { id } })
  const payment = data?.data
  usePageTitle(payment && (payment.receiptNumber ?? payment.reference ?? rupiah(payment.amount)))
  if (!payment) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return (
    <>
      <PageHeader
        title={rupiah(payment.amount)}
        description={
          payment.applicantName ? `${payment.applicantName} · ${payment.registrationCode}` : t('payment.nobody')
        }
        actions={<Actions payment={payment} />}
      />
      <Stack gap="md" maw={860}>
        <Alerts alerts={payment.alerts} />
        <Origin payment={payment} />
        <Allocations payment={payment} />
        {payment.refunds.length > 0 && <Refunds payment={payment} />}
        {payment.requests.length > 0 && <Requests payment={payment} />}
        {payment.statement && <OnStatement statement={payment.statement} />}
        {payment.report && (
          <Card title={t('payment.report')}>
            <pre className={classes.raw}>{payment.report.body}</pre>
          </Card>
        )}
      </Stack>
    </>
  )
}

function Actions({ payment }: { payment: PaymentDetail }) {
  const { t } = useMoneyWords()
  const { may } = useSession()
  const [open, setOpen] = useState<'reversal' | 'refund' | 'move' | null>(null)
  const hasRequest = payment.requests.some(({ status, kind }) => status === 'pending' && kind !== 'manual_payment')
  const isReversed = payment.status === 'reversed'
  return (
    <>
      {payment.receiptNumber && <ReceiptButton id={payment.id} number={payment.receiptNumber} />}
      {may('pembayaran-mahasiswa-update') && !isReversed && !hasRequest && (
        <>
          <Button
            variant="default"
            onClick={() => setOpen('move')}
            children={t(payment.waitingAmount > 0 ? 'waiting.give' : 'payment.move')}
          />
          <Button variant="default" onClick={() => setOpen('refund')} children={t('refund.ask')} />
          {payment.refundedAmount === 0 && payment.registrationId && (
            <Button variant="default" onClick={() => setOpen('reversal')} children={t('reversal.ask')} />
          )}
        </>
      )}
      {open === 'reversal' && <ReversalDialog payment={payment} onClose={() => setOpen(null)} />}
      {open === 'move' && <AllocateDialog payment={payment} onClose={() => setOpen(null)} />}
      {open === 'refund' && <RefundDialog payment={payment} onClose={() => setOpen(null)} />}
    </>
  )
}

function Origin({ payment }: { payment: PaymentDetail }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  const { bill } = payment
  return (
    <Card>
      {payment.waitingAmount > 0 && (
        <Alert
          color="orange"
          variant="light"
          mb="md"
          title={t('payment.waits', { amount: rupiah(payment.waitingAmount) })}
        >
          {payment.waitingReason && t(`bills:waitingReason.${payment.waitingReason}`)}
        </Alert>
      )}
      <Facts
        facts={[
          [t('approvals:approval.status'), <PaymentStatus key="s" payment={payment} />],
          [
            t('approvals:approval.applicant'),
            payment.registrationId && (
              <Anchor key="r" component={Link} to={`/pendaftaran/${payment.registrationId}`}>
                {payment.applicantName} · {payment.registrationCode}
              </Anchor>
            ),
          ],
          [
            t('approvals:approval.bill'),
            bill && `${t(`bills:kind.${bill.kind}`)} ${bill.number} (${t(`bills:billStatus.${bill.status}`)})`,
          ],
          [t('payment.through'), cameBy(payment, (key) => t(`bills:${key}`))],
          [t('bills:account.number'), payment.virtualAccountNumber && groupedNumber(payment.virtualAccountNumber)],
          [t('enter.payer'), payment.payerName],
          [t('enter.reference'), payment.reference],
          [
            t('enter.paidAt'),
            payment.paidAtTold === null
              ? dateTime(payment.paidAt, language)
              : t('payment.timeTold', { time: dateTime(payment.paidAt, language), told: payment.paidAtTold }),
          ],
          [t('payment.received'), dateTime(payment.receivedAt, language)],
          [t('bills:receipt.number'), payment.receiptNumber],
          ...(payment.reversedAt
            ? [[t('bills:receipt.reversed'), dateTime(payment.reversedAt, language)] as const]
            : []),
          ...(payment.proof
            ? [
                [
                  t('enter.proof'),
                  <Anchor key="p" href={payment.proof.url}>
                    {payment.proof.name}
                  </Anchor>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  )
}

/** The bank's own words on its statement. */
function OnStatement({ statement }: { statement: NonNullable<PaymentDetail['statement']> }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  return (
    <Card title={t('payment.onStatement')}>
      <Facts
        facts={[
          [t('payment.statementAccount'), statement.accountName],
          [t('payment.statementDay'), longDate(statement.day, language)],
          [t('enter.reference'), statement.reference],
          [t('payment.statementWords'), statement.description],
        ]}
      />
      <pre className={classes.raw}>{statement.raw}</pre>
    </Card>
  )
}

function Allocations({ payment }: { payment: PaymentDetail }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  return (
    <Card title={t('payment.allocations')}>
      {payment.allocations.length === 0 ? (
        <Text c="dimmed">{t('payment.noAllocations')}</Text>
      ) : (
        <Entries>
          {payment.allocations.map((row) => (
            <Entry
              key={row.id}
              title={
                <>
                  {row.billNumber}
                  {row.installment !== null && ` · ${t('payment.instalment', { position: row.installment })}`}
                </>
              }
              end={<Money amount={row.amount} />}
              details={
                <>
                  {dateTime(row.at, language)} · {row.by ?? t('payment.system')}
                </>
              }
            />
          ))}
        </Entries>
      )}
    </Card>
  )
}

function Refunds({ payment }: { payment: PaymentDetail }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  const { may } = useSession()
  const [openRefund, setOpenRefund] = useState<PaymentDetail['refunds'][number] | null>(null)
  return (
    <Card title={t('refund.title')}>
      <Entries>
        {payment.refunds.map((refund) => (
          <Entry
            key={refund.id}
            title={refund.number}
            end={<Money amount={refund.amount} />}
            details={
              <>
                {refund.bank}, {refund.accountNumber}, {refund.accountHolder}
                <br />
                {refund.paidOutAt
                  ? t('refund.paidOut', {
                      time: dateTime(refund.paidOutAt, language),
                      reference: refund.paidOutReference,
                    })
                  : t('refund.toPay')}
              </>
            }
            detailsEnd={
              !refund.paidOutAt &&
              may('pembayaran-mahasiswa-update') && (
                <Button
                  variant="default"
                  size="compact-md"
                  onClick={() => setOpenRefund(refund)}
                  children={t('refund.payOut')}
                />
              )
            }
          />
        ))}
      </Entries>
      {openRefund && <PayOutDialog refund={openRefund} onClose={() => setOpenRefund(null)} />}
    </Card>
  )
}

function Requests({ payment }: { payment: PaymentDetail }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  return (
    <Card title={t('payment.requests')}>
      <Entries>
        {payment.requests.map((request) => (
          <Entry
            key={request.id}
            title={t(`approvals:kind.${request.kind}`)}
            end={<Money amount={request.amount} />}
            details={
              <>
                <StatusDot tone={approvalTone(request.status)} label={t(`approvals:status.${request.status}`)} />
                <br />
                {request.reason}
                <br />
                {request.requestedBy.name}, {dateTime(request.requestedAt, language)}
                {request.decidedBy && request.decidedAt && (
                  <>
                    <br />
                    {request.decidedBy.name}, {dateTime(request.decidedAt, language)}
                    {request.decisionReason && `: ${request.decisionReason}`}
                  </>
                )}
              </>
            }
          />
        ))}
      </Entries>
    </Card>
  )
}
