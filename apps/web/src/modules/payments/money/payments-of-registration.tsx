import { Anchor, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime } from '#locales/format.ts'
import { BillActions } from '#web/modules/payments/bills/bill-actions.tsx'
import { BillCard } from '#web/modules/payments/bills/bill-card.tsx'
import classes from '#web/modules/payments/bills/bills.module.css'
import { StatementCard } from '#web/modules/payments/bills/statement-card.tsx'
import { useBills } from '#web/modules/payments/bills/use-bills.ts'
import { accountTone } from '#web/modules/payments/bills/words.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { PaymentHistory, WaitingMoney } from './payment-history.tsx'

/** Bills, transfer numbers and payments of a registration, for staff. */
export function PaymentsOfRegistration({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation(['bills', 'money', 'common'])
  const { language } = useSurroundings()
  const { may } = useSession()
  const { data, error, refetch } = useBills(registrationId)
  if (error && !data) return <RecordFailed error={error} onRetry={refetch} />
  if (!data) return <LoadingRows />
  const { bills } = data.data
  if (bills.length === 0) return <EmptyState title={t('money:staff.noBills')} />
  const accounts = bills.flatMap((bill) => bill.virtualAccounts)
  const payments = bills.flatMap((bill) => bill.payments)
  return (
    <Stack gap="md">
      <WaitingMoney payments={payments} />
      {bills.map((bill) => (
        <BillCard key={bill.id} bill={bill}>
          <BillActions bill={{ ...bill, registrationId }} />
        </BillCard>
      ))}
      {accounts.length > 0 && (
        <Card title={t('account.number')}>
          <Entries>
            {accounts.map((account) => (
              <Entry
                key={account.id}
                title={
                  <span className={classes.number}>
                    {may('transaksi-va-view') ? (
                      <Anchor inherit component={Link} to={`/transaksi-va/${account.id}`}>
                        {account.number ? groupedNumber(account.number) : t(`accountStatus.${account.status}`)}
                      </Anchor>
                    ) : (
                      account.number && groupedNumber(account.number)
                    )}
                  </span>
                }
                end={<StatusDot tone={accountTone(account.status)} label={t(`accountStatus.${account.status}`)} />}
                details={
                  <>
                    {account.bankName}, {t('account.validUntil', { time: dateTime(account.expiresAt, language) })}
                  </>
                }
                detailsEnd={account.status === 'active' && <Money amount={account.amount} />}
              />
            ))}
          </Entries>
        </Card>
      )}
      <PaymentHistory payments={payments} />
      <StatementCard registrationId={registrationId} />
    </Stack>
  )
}
