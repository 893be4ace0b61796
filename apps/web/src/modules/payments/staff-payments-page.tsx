import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { billKinds } from '#domain/payments/bill-status.ts'
import { paymentTotals } from '#domain/payments/desk-endpoints.ts'
import { listPayments, type PaymentRow } from '#domain/payments/endpoints.ts'
import { paymentStatuses } from '#domain/payments/payment-status.ts'
import { groupedNumber } from '#domain/payments/virtual-account-number.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { Money } from '#web/ui/money.tsx'
import { BillsList } from './desk/bills-list.tsx'
import { ReceiptButton } from './payment-history.tsx'
import { PaymentStatus } from './payment-status.tsx'
import classes from './payments.module.css'
import { cameBy } from './words.ts'

const none = '—'

/** Payments as the finance office reads them: newest first. */
export default function StaffPaymentsPage() {
  const [search] = useSearchParams()
  return search.get('show') === 'bills' ? <BillsList actions={<Actions />} /> : <PaymentsList />
}

/** From payments to bills and back, and entering what no bank reports. */
function Actions() {
  const { t } = useTranslation('desk')
  const { may } = useSession()
  const [search] = useSearchParams()
  const shown = search.get('show') === 'bills' ? 'bills' : 'payments'
  return (
    <>
      <Button.Group>
        {(['payments', 'bills'] as const).map((list) => (
          <Button
            key={list}
            component={Link}
            to={list === 'bills' ? '/pembayaran-mahasiswa?show=bills' : '/pembayaran-mahasiswa'}
            variant={shown === list ? 'light' : 'default'}
            aria-current={shown === list ? 'page' : undefined}
          >
            {t(`bills.tab.${list}`)}
          </Button>
        ))}
      </Button.Group>
      {may('pembayaran-mahasiswa-create') && (
        <Button component={Link} to="/pembayaran-mahasiswa/create" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('enter.title')}
        </Button>
      )}
    </>
  )
}

function PaymentsList() {
  const { t } = useTranslation('payments')
  return (
    <ListPage<PaymentRow>
      name="pembayaran-mahasiswa"
      title={useScreenTitle()}
      endpoint={listPayments}
      endless
      actions={<Actions />}
      summary={<Totals />}
      exportPath="/pembayaran-mahasiswa/export"
      searchLabel={t('staff.searchLabel')}
      columns={[
        { key: 'applicant', label: t('staff.applicant'), cell: (row) => row.applicantName ?? none },
        {
          key: 'registration',
          label: t('staff.registration'),
          cell: (row) => <span className={classes.number}>{row.registrationCode ?? none}</span>,
        },
        {
          key: 'received',
          label: t('staff.received'),
          cell: (row) => (
            <>
              <DateText value={row.receivedAt} as="short" />, <DateText value={row.receivedAt} as="time" />
            </>
          ),
        },
        { key: 'amount', label: t('staff.amount'), cell: (row) => <Money amount={row.amount} />, numeric: true },
        { key: 'status', label: t('staff.status'), cell: (row) => <Status row={row} /> },
        { key: 'bill', label: t('staff.bill'), cell: (row) => row.billNumber ?? t('staff.noBill') },
        {
          key: 'kind',
          label: t('staff.registrationKind'),
          cell: (row) => (row.billKind ? t(`kind.${row.billKind}`) : none),
          hidden: true,
        },
        { key: 'bank', label: t('staff.bank'), cell: (row) => cameBy(row, t), hidden: true },
        {
          key: 'number',
          label: t('staff.number'),
          cell: (row) => (
            <span className={classes.number}>
              {row.virtualAccountNumber ? groupedNumber(row.virtualAccountNumber) : none}
            </span>
          ),
          hidden: true,
        },
        {
          key: 'receipt',
          label: t('staff.receipt'),
          cell: (row) => (row.receiptNumber ? <ReceiptButton id={row.id} number={row.receiptNumber} compact /> : none),
        },
      ]}
      filters={[
        {
          key: 'status',
          label: t('staff.status'),
          kind: 'choice',
          choices: paymentStatuses.map((value) => ({ value, label: t(`paymentStatus.${value}`) })),
        },
        {
          key: 'kind',
          label: t('staff.registrationKind'),
          kind: 'choice',
          choices: billKinds.map((value) => ({ value, label: t(`kind.${value}`) })),
        },
        { key: 'from', label: t('staff.from'), kind: 'date' },
        { key: 'to', label: t('staff.to'), kind: 'date' },
      ]}
      rowId={({ id }) => id}
      rowTitle={(row) => row.applicantName ?? groupedNumber(row.virtualAccountNumber ?? row.id)}
      href={({ id }) => `/pembayaran-mahasiswa/${id}`}
      preview
      empty={{ title: t('staff.empty') }}
    />
  )
}

/** What the payments found add up to. */
function Totals() {
  const { t } = useTranslation('desk')
  const [search] = useSearchParams()
  const query = Object.fromEntries(
    ['q', 'status', 'kind', 'from', 'to'].flatMap((key) => (search.get(key) ? [[key, search.get(key)]] : [])),
  )
  const { data, error, refetch } = useEndpoint(paymentTotals, { query } as never)
  if (error && !data) return <Missing what={t('totals')} error={error} onRetry={refetch} />
  if (!data || data.data.count === 0) return null
  const { count, amount, waiting, refunded } = data.data
  return (
    <Text span size="sm" c="dimmed" role="status">
      {t('payment.totals', {
        count: wholeNumber(count) as never,
        amount: rupiah(amount),
        waiting: rupiah(waiting),
        refunded: rupiah(refunded),
      })}
    </Text>
  )
}

/** What became of the money; why and how much of it waits where nobody could tell what it is for. */
function Status({ row }: { row: PaymentRow }) {
  const { t } = useTranslation('payments')
  const waits = [
    row.waitingAmount > 0 && row.allocated === 0 && t('staff.waitingPart', { amount: rupiah(row.waitingAmount) }),
    row.waitingReason && t(`waitingReason.${row.waitingReason}`),
  ].filter(Boolean)
  return (
    <>
      <PaymentStatus payment={row} />
      {waits.length > 0 && (
        <Text span size="sm" c="dimmed" ml={8}>
          {waits.join(': ')}
        </Text>
      )}
    </>
  )
}
