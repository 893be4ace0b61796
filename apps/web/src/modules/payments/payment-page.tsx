import { Alert, Anchor, Button, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { BillCard } from './bill-card.tsx'
import { PayCard } from './pay-card.tsx'
import { PaymentHistory, WaitingMoney } from './payment-history.tsx'
import classes from './payments.module.css'
import { useArrival, useBills } from './use-bills.ts'

/** What an applicant owes and has paid for one registration; it changes by itself when the money arrives. */
export default function PaymentPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['payments', 'common'])
  const title = useScreenTitle()
  const { may } = useSession()
  const { data, error, refetch } = useBills(id)
  const bills = data?.data.bills ?? []
  const payments = bills.flatMap((bill) => bill.payments)
  const arrived = useArrival(data && payments.reduce((sum, payment) => sum + payment.amount, 0))

  const arrivalRef = useRef<HTMLDivElement>(null)
  // The number and its steps leave the page, which gets shorter: what has arrived comes to the reader's eyes.
  useEffect(() => {
    if (!arrived) return
    arrivalRef.current?.focus({ preventScroll: true })
    arrivalRef.current?.scrollIntoView({ block: 'center' })
  }, [arrived])

  if (!data && error) return <LoadFailed error={error} onRetry={refetch} />
  const owed = bills.filter((bill) => bill.next)
  return (
    <>
      <PageHeader title={title} description={data?.data.registration.code} />
      <div className={classes.column}>
        <div role="status" ref={arrivalRef} tabIndex={-1}>
          {arrived && (
            <Alert color="green">
              <Text>{t('account.arrived')}</Text>
            </Alert>
          )}
        </div>
        {!data ? (
          <LoadingRows rows={6} height={48} />
        ) : (
          <>
            <WaitingMoney payments={payments} />
            {owed.map((bill) => (
              <PayCard
                key={bill.id}
                bill={bill}
                banks={data.data.banks}
                payerName={data.data.registration.applicantName}
              />
            ))}
            {owed.length > 0 && may('pendaftaran-voucher') && (
              <Text>
                {t('voucher.have')}{' '}
                <Anchor component={Link} to={`/pendaftaran/voucher/${id}`}>
                  {t('voucher.enter')}
                </Anchor>
              </Text>
            )}
            {owed.length === 0 && (
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
