import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { readBill } from '#domain/payments/bills/endpoints.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { BillActions } from '#web/modules/payments/bills/bill-actions.tsx'
import { BillCard } from '#web/modules/payments/bills/bill-card.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { PaymentStatus } from './payment-status.tsx'

/** One bill for the finance office: its lines, what may be done with it, and the payments that came for it. */
export default function BillPage() {
  const { id = '' } = useParams()
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readBill, { params: { id } })
  usePageTitle(data?.data.bill.number)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const { bill, registration } = data.data
  return (
    <>
      <PageHeader
        title={bill.number}
        description={
          <Anchor component={Link} to={`/pendaftaran/${registration.id}/pembayaran`}>
            {registration.applicantName} · {registration.code}
          </Anchor>
        }
        actions={<BillActions bill={{ ...bill, applicantName: registration.applicantName }} />}
      />
      <Stack gap="md" maw={860}>
        <Anchor component={Link} to="/pembayaran-mahasiswa?show=bills" w="fit-content">
          {t('bills.back')}
        </Anchor>
        <BillCard bill={bill} />
        <Card title={t('bills.payments')}>
          {bill.payments.length === 0 ? (
            <Text c="dimmed">{t('bills.noPayment')}</Text>
          ) : (
            <Entries>
              {bill.payments.map((payment) => (
                <Entry
                  key={payment.id}
                  title={
                    <Anchor component={Link} to={`/pembayaran-mahasiswa/${payment.id}`}>
                      {payment.receiptNumber ??
                        (payment.virtualAccountNumber ? groupedNumber(payment.virtualAccountNumber) : payment.bankName)}
                    </Anchor>
                  }
                  end={<Money amount={payment.amount} />}
                  details={dateTime(payment.paidAt, language)}
                  detailsEnd={<PaymentStatus payment={payment} />}
                />
              ))}
            </Entries>
          )}
        </Card>
      </Stack>
    </>
  )
}
