import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { readVirtualAccount, type VirtualAccountDetail } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { CopyField } from '#web/modules/payments/bills/pay/copy-field.tsx'
import { Alerts } from '#web/modules/payments/money/alerts.tsx'
import { ReceiptButton } from '#web/modules/payments/money/payment-history.tsx'
import { PaymentStatus } from '#web/modules/payments/money/payment-status.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { BankMessages } from './bank-messages.tsx'
import { NumberActions } from './number-actions.tsx'
import { NumberStatus } from './number-status.tsx'
import layout from './virtual-account.module.css'

type Props = { account: VirtualAccountDetail }

/** One number: status, payments, bank messages, actions. */
export default function VirtualAccountPage() {
  const { t } = useTranslation('banks')
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(
    readVirtualAccount,
    { params: { id } },
    { refetchInterval: (query) => (query.state.data?.data.status === 'pending' ? 5_000 : 30_000) },
  )
  const account = data?.data
  const name = account && (account.number ? groupedNumber(account.number) : t('noNumber'))
  usePageTitle(name)
  if (!account) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={name}
        description={
          <Group gap="sm" component="span">
            <NumberStatus row={account} />
            <span>
              {account.bankName} · {account.applicantName}
            </span>
          </Group>
        }
        actions={<NumberActions account={account} />}
      />
      <Stack gap={20}>
        <Alerts alerts={account.alerts} />
        <Notes account={account} />
        <div className={layout.columns}>
          <Stack gap={20}>
            <Summary account={account} />
            <Payments account={account} />
          </Stack>
          <Stack gap={20}>
            <Others account={account} />
            <History account={account} />
          </Stack>
        </div>
        <BankMessages messages={account.messages} />
      </Stack>
    </>
  )
}

/** State of the exchange with the bank, besides the number's status. */
function Notes({ account }: Props) {
  const { t } = useTranslation('banks')
  const { problem, problemDetail, tell, status, attempts } = account
  return (
    <>
      {problem && (
        <Alert color="orange" variant="light" role="status">
          <Text fw={600}>{t(`detail.problems.${problem as 'refused'}`, { defaultValue: problem })}</Text>
          {problemDetail && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {problemDetail}
            </Text>
          )}
          {status === 'pending' && <Text size="sm">{t('detail.attempts', { count: attempts })}</Text>}
        </Alert>
      )}
      {tell && <Alert color="blue" variant="light" role="status" children={t(`detail.tell.${tell}`)} />}
    </>
  )
}

function Summary({ account }: Props) {
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const { language } = useSurroundings()
  const { may } = useSession()
  const formatMoment = (value: string | null) => (value ? dateTime(value, language) : t('detail.never'))
  const bill = `${account.billNumber} · ${words(`kind.${account.billKind}`)}${account.position === null ? '' : ` · ${t('instalment', { position: account.position })}`}`
  return (
    <Card title={t('detail.summary')}>
      <Stack gap="md">
        {account.number && (
          <CopyField
            label={words('account.number')}
            displayText={groupedNumber(account.number)}
            value={account.number}
            copyLabel={t('detail.copy')}
          />
        )}
        <Facts
          facts={[
            [t('columns.amount'), `${rupiah(account.amount)} (${t(`amountTypes.${account.amountType}`)})`],
            [t('columns.received'), rupiah(account.received)],
            [t('detail.remaining'), rupiah(account.remaining)],
            [
              t('detail.bill'),
              may('pendaftaran-view') ? (
                <Anchor inherit component={Link} to={`/pendaftaran/${account.registrationId}/pembayaran`}>
                  {bill}
                </Anchor>
              ) : (
                bill
              ),
            ],
            [t('detail.applicant'), `${account.applicantName} (${account.registrationCode})`],
            [t('detail.provider'), account.provider],
            [t('columns.createdAt'), formatMoment(account.createdAt)],
            [t('detail.activated'), formatMoment(account.activatedAt)],
            [t('columns.expiresAt'), formatMoment(account.expiresAt)],
            ...(account.closedAt ? ([[t('detail.closed'), formatMoment(account.closedAt)]] as [string, string][]) : []),
            ...(account.closedReason ? ([[t('detail.reason'), account.closedReason]] as [string, string][]) : []),
            [t('detail.asked'), formatMoment(account.askedAt)],
            ...(account.askAt && isOpen(account.status)
              ? ([[t('detail.askNext'), formatMoment(account.askAt)]] as [string, string][])
              : []),
          ]}
        />
      </Stack>
    </Card>
  )
}

function Payments({ account: { payments } }: Props) {
  const { may } = useSession()
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const { language } = useSurroundings()
  return (
    <Card title={t('detail.payments')}>
      {payments.length === 0 ? (
        <Text c="dimmed">{t('detail.paymentsNone')}</Text>
      ) : (
        <Entries>
          {payments.map((payment) => (
            <Entry
              key={payment.id}
              title={
                may('pembayaran-mahasiswa-view') ? (
                  <Anchor component={Link} to={`/pembayaran-mahasiswa/${payment.id}`}>
                    <Money amount={payment.amount} />
                  </Anchor>
                ) : (
                  <Money amount={payment.amount} />
                )
              }
              end={<PaymentStatus payment={payment} />}
              details={
                <>
                  {dateTime(payment.paidAt, language)}
                  {payment.waitingReason && (
                    <>
                      <br />
                      {t('detail.waiting', {
                        amount: rupiah(payment.waitingAmount),
                        reason: words(`waitingReason.${payment.waitingReason}`),
                      })}
                    </>
                  )}
                </>
              }
              detailsEnd={
                payment.receiptNumber && <ReceiptButton id={payment.id} number={payment.receiptNumber} compact />
              }
            />
          ))}
        </Entries>
      )}
    </Card>
  )
}

function Others({ account: { id: ownId, others } }: Props) {
  const { t } = useTranslation('banks')
  const { language } = useSurroundings()
  return (
    <Card title={t('detail.others')}>
      <Entries>
        {others.map(({ id, number, bankName, status, amount, createdAt }) => {
          const label = number ? groupedNumber(number) : t('noNumber')
          return (
            <Entry
              key={id}
              current={id === ownId}
              title={
                id === ownId ? (
                  <strong className={classes.number}>{label}</strong>
                ) : (
                  <Anchor component={Link} to={`/transaksi-va/${id}`} className={classes.number}>
                    {label}
                  </Anchor>
                )
              }
              end={<NumberStatus row={{ status, delayed: false, alert: false }} />}
              details={
                <>
                  {bankName}, {dateTime(createdAt, language)}
                </>
              }
              detailsEnd={<Money amount={amount} />}
            />
          )
        })}
      </Entries>
    </Card>
  )
}

function History({ account: { history } }: Props) {
  const { t } = useTranslation('banks')
  const { language } = useSurroundings()
  return (
    <Card title={t('detail.history')}>
      {history.length === 0 ? (
        <Text c="dimmed">{t('detail.historyNone')}</Text>
      ) : (
        <ol className={layout.history}>
          {history.map(({ at, action, by, reason }) => (
            <li className={layout.happening} key={`${at} ${action}`}>
              <Text size="sm">{t('detail.by', { action, name: by })}</Text>
              {reason && <Text size="sm">{reason}</Text>}
              <Text size="sm" c="dimmed">
                {dateTime(at, language)}
              </Text>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
