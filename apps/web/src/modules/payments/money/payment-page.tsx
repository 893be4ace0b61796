import { Alert, Anchor, Button, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { BillCard } from '#web/modules/payments/bills/bill-card.tsx'
import classes from '#web/modules/payments/bills/bills.module.css'
import { PaidCard } from '#web/modules/payments/bills/pay/paid-card.tsx'
import { PayCard } from '#web/modules/payments/bills/pay/pay-card.tsx'
import { useBills } from '#web/modules/payments/bills/use-bills.ts'
import { nextMayWait } from '#web/modules/payments/bills/words.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Arrived } from './arrived.tsx'
import { PaymentHistory, WaitingMoney } from './payment-history.tsx'

type Props = {
  /** The applicant's next step after a payment. */
  next: (toPayment: () => void) => ReactNode
  onArrival: () => void
  /** What else the applicant may do about a bill, below its card. */
  besideBill: (bill: BillView) => ReactNode
}

/** Debts and payments of one registration; updates itself when money arrives. */
export default function PaymentPage({ next, onArrival, besideBill }: Props) {
  const { id = '' } = useParams()
  const { t } = useTranslation(['bills', 'common'])
  const title = useScreenTitle()
  const { may } = useSession()
  const { data, error, refetch } = useBills(id)
  const bills = data?.data.bills ?? []
  const payments = bills.flatMap((bill) => bill.payments)

  if (!data && error) return <RecordFailed error={error} onRetry={refetch} />
  const owedBills = bills.filter((bill) => bill.next)
  const paidBills = bills.filter((bill) => bill.status === 'paid' || nextMayWait(bill))
  const beside = (some: typeof bills) => some.map((bill) => <Fragment key={bill.id}>{besideBill(bill)}</Fragment>)
  const payCard = (bill: (typeof bills)[number], bare = false) =>
    data && (
      <PayCard
        key={bill.id}
        bill={bill}
        banks={data.data.banks}
        payerName={data.data.registration.applicantName}
        bare={bare}
      />
    )
  return (
    <>
      <PageHeader title={title} description={data?.data.registration.code} />
      <div className={classes.column}>
        {!data ? (
          <LoadingRows rows={6} height={48} />
        ) : (
          <>
            <Arrived registrationId={id} bills={bills} next={next} onArrival={onArrival} />
            <WaitingMoney payments={payments} />
            {bills.map(
              (bill) =>
                bill.takenBack && (
                  <Alert key={bill.id} color="orange" role="status" title={t('takenBack.title')}>
                    {t('takenBack.text', { amount: rupiah(bill.takenBack.amount), reason: bill.takenBack.reason })}
                  </Alert>
                ),
            )}
            {owedBills.filter((bill) => !nextMayWait(bill)).map((bill) => payCard(bill))}
            {beside(bills.filter((bill) => !paidBills.includes(bill)))}
            {paidBills.map((bill) => (
              <PaidCard key={bill.id} bill={bill}>
                {bill.next && payCard(bill, true)}
              </PaidCard>
            ))}
            {beside(paidBills)}
            {owedBills.length > 0 && may('pendaftaran-voucher') && (
              <Text>
                {t('voucher.have')}{' '}
                <Anchor component={Link} to={`/pendaftaran/voucher/${id}`}>
                  {t('voucher.enter')}
                </Anchor>
              </Text>
            )}
            {owedBills.length === 0 && paidBills.length === 0 && (
              <Card>
                <h2 className={classes.sentence} style={{ margin: 0 }}>
                  {t('pay.nothing')}
                </h2>
                <Text mt={4} mb="md">
                  {t(bills.some((bill) => bill.status !== 'cancelled') ? 'pay.allPaid' : 'pay.nothingYet')}
                </Text>
                <Button component={Link} to={`/pendaftaran/${id}`} mih={44}>
                  {t('pay.toRegistration')}
                </Button>
              </Card>
            )}
            {bills.map((bill) => (
              <BillCard key={bill.id} bill={bill} />
            ))}
            {bills.length > 0 && <PaymentHistory payments={payments} />}
          </>
        )}
      </div>
    </>
  )
}
