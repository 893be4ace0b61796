import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { billKinds } from '#domain/payments/bill-status.ts'
import { listBanks, listVirtualAccounts, type VirtualAccountRow } from '#domain/payments/virtual-account-endpoints.ts'
import { groupedNumber } from '#domain/payments/virtual-account-number.ts'
import { virtualAccountStatuses } from '#domain/payments/virtual-account-status.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { DataList } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { Money } from '#web/ui/money.tsx'
import classes from '../payments.module.css'
import { NumberStatus } from './number-status.tsx'

/** Every number that was given for a transfer, with what was asked for and what arrived. */
export default function VirtualAccountsPage() {
  const { t } = useTranslation('virtual-accounts')
  const words = useTranslation('payments').t
  const { may } = useSession()
  const known = useEndpoint(listBanks)
  const banks = known.data?.data ?? []
  const providers = [...new Set(banks.map(({ provider }) => provider))]
  const low = banks.filter((bank) => bank.low)
  return (
    <>
      {!known.data && <Missing what={t('create.bank')} error={known.error} onRetry={known.refetch} />}
      {low.length > 0 && (
        <Alert color="orange" variant="light" role="status" mb="md">
          {t('low', {
            banks: low
              .map(({ name, remaining }) => t('lowCount', { bank: name, remaining: wholeNumber(remaining ?? 0) }))
              .join(', '),
          })}
        </Alert>
      )}
      <DataList<VirtualAccountRow>
        name="transaksi-va"
        title={useScreenTitle()}
        endpoint={listVirtualAccounts}
        defaultSort="-createdAt"
        searchLabel={t('search')}
        exportPath="/transaksi-va/export"
        rowId={({ id }) => id}
        rowTitle={({ number, applicantName }) => (number ? groupedNumber(number) : applicantName)}
        href={({ id }) => `/transaksi-va/${id}`}
        preview
        empty={{ title: t('empty'), text: t('emptyText') }}
        summary={(meta) => {
          const { amount, received } = meta.sums as { amount: number; received: number }
          const sums = { amount: rupiah(amount), received: rupiah(received) }
          return (
            <Text span size="sm" c="dimmed" role="status">
              {t(meta.total_is_estimate ? 'totalsEstimate' : 'totals', sums)}
            </Text>
          )
        }}
        columns={[
          {
            key: 'number',
            label: t('columns.number'),
            cell: ({ number }) => (
              <span className={classes.number}>{number ? groupedNumber(number) : t('noNumber')}</span>
            ),
          },
          { key: 'status', label: t('columns.status'), cell: (row) => <NumberStatus row={row} short /> },
          { key: 'applicantName', label: t('columns.applicantName'), cell: (row) => row.applicantName },
          {
            key: 'billNumber',
            label: t('columns.billNumber'),
            hidden: true,
            cell: ({ billNumber, position }) => (
              <>
                <span className={classes.number}>{billNumber}</span>
                {position !== null && (
                  <Text span size="sm" c="dimmed" title={t('instalment', { position })}>
                    {' '}
                    · {position}
                  </Text>
                )}
              </>
            ),
          },
          { key: 'amount', label: t('columns.amount'), numeric: true, cell: (row) => <Money amount={row.amount} /> },
          {
            key: 'received',
            label: t('columns.received'),
            numeric: true,
            cell: (row) => <Money amount={row.received} />,
          },
          {
            key: 'expiresAt',
            label: t('columns.expiresAt'),
            sort: ['expiresAt', '-expiresAt'],
            cell: (row) => <DateText value={row.expiresAt} as="short" />,
          },
          { key: 'bankName', label: t('columns.bankName'), cell: (row) => row.bankName },
          {
            key: 'createdAt',
            label: t('columns.createdAt'),
            sort: ['createdAt', '-createdAt'],
            hidden: true,
            cell: (row) => (
              <>
                <DateText value={row.createdAt} as="short" />, <DateText value={row.createdAt} as="time" />
              </>
            ),
          },
          {
            key: 'registrationCode',
            label: t('columns.registrationCode'),
            hidden: true,
            cell: (row) => <span className={classes.number}>{row.registrationCode}</span>,
          },
          {
            key: 'billKind',
            label: t('columns.billKind'),
            hidden: true,
            cell: (row) => words(`kind.${row.billKind}`),
          },
          {
            key: 'amountType',
            label: t('columns.amountType'),
            hidden: true,
            cell: (row) => t(`amountTypes.${row.amountType}`),
          },
        ]}
        filters={[
          {
            key: 'status',
            label: t('filters.status'),
            kind: 'choice',
            choices: virtualAccountStatuses.map((value) => ({ value, label: words(`accountStatus.${value}`) })),
          },
          {
            key: 'bank',
            label: t('filters.bank'),
            kind: 'choice',
            choices: banks.map(({ code, name }) => ({ value: code, label: name })),
          },
          ...(providers.length > 1
            ? [
                {
                  key: 'provider',
                  label: t('filters.provider'),
                  kind: 'choice' as const,
                  choices: providers.map((value) => ({ value, label: value })),
                },
              ]
            : []),
          {
            key: 'kind',
            label: t('filters.kind'),
            kind: 'choice',
            choices: billKinds.map((value) => ({ value, label: words(`kind.${value}`) })),
          },
          { key: 'alert', label: t('filters.alert'), kind: 'boolean' },
          { key: 'expiresFrom', label: t('filters.expiresFrom'), kind: 'date' },
          { key: 'expiresTo', label: t('filters.expiresTo'), kind: 'date' },
          { key: 'createdFrom', label: t('filters.createdFrom'), kind: 'date' },
          { key: 'createdTo', label: t('filters.createdTo'), kind: 'date' },
        ]}
        actions={
          may('transaksi-va-create') && (
            <Group>
              <Button component={Link} to="/transaksi-va/create" leftSection={<IconPlus size={18} aria-hidden />}>
                {t('add')}
              </Button>
            </Group>
          )
        }
      />
    </>
  )
}
