import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SandboxAccount } from '#domain/payments/banks/endpoints.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime } from '#locales/format.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { accountTone } from '#web/modules/payments/bills/words.ts'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Money } from '#web/ui/text/money.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** The demo bank's data about a number. */
export function Details({ account }: { account: SandboxAccount }) {
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
            <dt className={quiet.text}>{label}</dt>
            <dd style={{ whiteSpace: 'normal' }}>{value}</dd>
          </div>
        ))}
        <div className={`${classes.line} ${classes.strong}`}>
          <dt>{t('sandbox.due')}</dt>
          <dd>{account.amount > 0 ? <Money amount={account.amount} /> : t('sandbox.noneDue')}</dd>
        </div>
      </dl>
    </Card>
  )
}

/** Payments made to the number at this counter. */
export function Transactions({ account }: { account: SandboxAccount }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  return (
    <Card title={t('sandbox.transactions')}>
      {account.transactions.length === 0 ? (
        <Text c="dimmed">{t('sandbox.none')}</Text>
      ) : (
        <Entries>
          {account.transactions.map((transaction) => (
            <Entry
              key={transaction.reference}
              title={<Money amount={transaction.amount} />}
              end={t(transaction.reports === 0 ? 'sandbox.reports_zero' : 'sandbox.reports', {
                count: transaction.reports,
              })}
              details={transaction.reference}
              detailsEnd={dateTime(transaction.paidAt, language)}
            />
          ))}
        </Entries>
      )}
    </Card>
  )
}
