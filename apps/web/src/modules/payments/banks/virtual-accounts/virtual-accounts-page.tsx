import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listBanks } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { listVirtualAccounts } from '#domain/payments/banks/virtual-accounts/lists.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { DataList } from '#web/list/data-list.tsx'
import classes from '#web/modules/payments/bills/bills.module.css'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { NumberStatus } from './number-status.tsx'

/** All transfer numbers, with requested and received amounts. */
export default function VirtualAccountsPage() {
  const { t } = useTranslation('banks')
  const { may } = useSession()
  const bankList = useEndpoint(listBanks)
  const banks = bankList.data?.data ?? []
  const providers = [...new Set(banks.map(({ provider }) => provider))]
  const lowBanks = banks.filter((bank) => bank.low)
  return (
    <>
      {!bankList.data && <Missing what={t('create.bank')} error={bankList.error} onRetry={bankList.refetch} />}
      {lowBanks.length > 0 && (
        <Alert color="orange" variant="light" role="status" mb="md">
          {t('low', {
            banks: lowBanks
              .map(({ name, remaining }) => t('lowCount', { bank: name, remaining: wholeNumber(remaining ?? 0) }))
              .join(', '),
          })}
        </Alert>
      )}
      <DataList
        list={listVirtualAccounts}
        title={useScreenTitle()}
        searchLabel={t('search')}
        rowTitle={({ number, applicantName }) => (number ? groupedNumber(number) : applicantName)}
        href={({ id }) => `/transaksi-va/${id}`}
        preview
        empty={{ title: t('empty'), text: t('emptyText') }}
        summary={({ isEstimate, sums }) => (
          <Text span size="sm" c="dimmed" role="status">
            {t(isEstimate ? 'totalsEstimate' : 'totals', {
              amount: rupiah(sums.amount),
              received: rupiah(sums.received),
            })}
          </Text>
        )}
        cells={{
          number: ({ number }) => (
            <span className={classes.number}>{number ? groupedNumber(number) : t('noNumber')}</span>
          ),
          status: (row) => <NumberStatus row={row} short />,
          billNumber: ({ billNumber }) => <span className={classes.number}>{billNumber}</span>,
          registrationCode: (row) => <span className={classes.number}>{row.registrationCode}</span>,
        }}
        controls={{
          bank: { kind: 'choice', choices: banks.map(({ code, name }) => ({ value: code, label: name })) },
          provider:
            providers.length > 1
              ? { kind: 'choice', choices: providers.map((value) => ({ value, label: value })) }
              : { kind: 'fixed' },
        }}
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
