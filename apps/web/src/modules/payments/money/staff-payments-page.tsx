import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { ListedPayment } from '#domain/payments/money/endpoints.ts'
import { listPayments } from '#domain/payments/money/lists.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import classes from '#web/modules/payments/bills/bills.module.css'
import { BillsList } from '#web/modules/payments/bills/bills-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { ReceiptButton } from './payment-history.tsx'
import { PaymentStatus } from './payment-status.tsx'

const emptyCell = '—'

/** Payments for the finance office, newest first. */
export default function StaffPaymentsPage() {
  const [search] = useSearchParams()
  return search.get('show') === 'bills' ? <BillsList actions={<Actions />} /> : <PaymentsList />
}

/** Switches between payments and bills, and opens the form for payments no bank reports. */
function Actions() {
  const { t } = useTranslation('money')
  const { may } = useSession()
  const [search] = useSearchParams()
  const listName = search.get('show') === 'bills' ? 'bills' : 'payments'
  return (
    <>
      <Button.Group>
        {(['payments', 'bills'] as const).map((list) => (
          <Button
            key={list}
            component={Link}
            to={list === 'bills' ? '/pembayaran-mahasiswa?show=bills' : '/pembayaran-mahasiswa'}
            variant={listName === list ? 'light' : 'default'}
            aria-current={listName === list ? 'page' : undefined}
          >
            {t(`money:bills.tab.${list}`)}
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
  const { t } = useTranslation(['bills', 'money'])
  const desk = useTranslation('money').t
  return (
    <DataList
      list={listPayments}
      title={useScreenTitle()}
      endless
      actions={<Actions />}
      summary={({ total, sums }) => (
        <Text span size="sm" c="dimmed" role="status">
          {desk('payment.totals', {
            count: wholeNumber(total),
            amount: rupiah(sums.amount),
            waiting: rupiah(sums.waiting),
            refunded: rupiah(sums.refunded),
          })}
        </Text>
      )}
      searchLabel={t('money:staff.searchLabel')}
      cells={{
        registrationCode: (row) => <span className={classes.number}>{row.registrationCode ?? emptyCell}</span>,
        status: (row) => <Status row={row} />,
        virtualAccountNumber: (row) => (
          <span className={classes.number}>
            {row.virtualAccountNumber ? groupedNumber(row.virtualAccountNumber) : emptyCell}
          </span>
        ),
        receiptNumber: (row) =>
          row.receiptNumber ? <ReceiptButton id={row.id} number={row.receiptNumber} compact /> : emptyCell,
      }}
      rowTitle={(row) => row.applicantName ?? groupedNumber(row.virtualAccountNumber ?? row.id)}
      href={({ id }) => `/pembayaran-mahasiswa/${id}`}
      preview
      empty={{ title: t('money:staff.empty') }}
    />
  )
}

/** Status of a payment; for waiting money, the reason and the waiting amount. */
function Status({ row }: { row: ListedPayment }) {
  const { t } = useTranslation(['bills', 'money'])
  const waitingNotes = [
    row.waitingAmount > 0 && row.allocated === 0 && t('money:staff.waitingPart', { amount: rupiah(row.waitingAmount) }),
    row.waitingReason && t(`waitingReason.${row.waitingReason}`),
  ].filter(Boolean)
  return (
    <>
      <PaymentStatus payment={row} />
      {waitingNotes.length > 0 && (
        <Text span size="sm" c="dimmed" ml={8}>
          {waitingNotes.join(': ')}
        </Text>
      )}
    </>
  )
}
