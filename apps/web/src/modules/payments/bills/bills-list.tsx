import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { BillRow } from '#domain/payments/bills/endpoints.ts'
import { remindPayers } from '#domain/payments/bills/endpoints.ts'
import { listBills } from '#domain/payments/bills/lists.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useBillActions } from './bill-actions.tsx'
import { RemindDialog } from './remind-dialog.tsx'
import { billTone, promiseTone } from './words.ts'

/** All bills, with the totals for the current filter. */
export function BillsList({ actions }: { actions: ReactNode }) {
  const { t } = useMoneyWords()
  const remind: RowAction<BillRow> = {
    key: 'remind',
    label: t('bills.remind'),
    right: remindPayers.access,
    many: true,
    suits: ({ status }) => isOwed(status),
    dialog: (rows, dialogEnds) => <RemindDialog rows={rows} {...dialogEnds} />,
  }
  const statusWord = ({ status, overdue, promise }: BillRow) => {
    const statusName = overdue ? t('bills:overdue') : t(`bills:billStatus.${status}`)
    return promise && promise !== 'kept' && isOwed(status)
      ? `${statusName}, ${t(`bills:promise.mark.${promise}`)}`
      : statusName
  }
  const facts = (row: BillRow) => (
    <Stack gap="md">
      <Facts
        facts={[
          [t('approvals:approval.status'), <StatusDot key="s" tone={billTone(row)} label={statusWord(row)} />],
          [
            t('approvals:approval.applicant'),
            row.registrationId && (
              <Anchor key="r" component={Link} to={`/pendaftaran/${row.registrationId}/pembayaran`}>
                {row.applicantName} · {row.registrationCode}
              </Anchor>
            ),
          ],
          [t('bills.programme'), row.programme],
          [t('bills.total'), rupiah(row.total)],
          [t('bills.paid'), rupiah(row.paid)],
          [t('bills.rest'), rupiah(row.rest)],
          [t('bills.dueAt'), row.dueAt && <DateText key="d" value={row.dueAt} as="datetime" />],
          ...(row.promise
            ? [[t('bills.filter.promise'), <PromiseWord key="p" row={row} />] as [string, ReactNode]]
            : []),
        ]}
      />
    </Stack>
  )
  return (
    <DataList
      list={listBills}
      title={useScreenTitle()}
      searchLabel={t('bills.search')}
      actions={actions}
      summary={({ total, sums }) => (
        <Text span size="sm" c="dimmed" role="status">
          {t('bills.totals', {
            count: wholeNumber(total),
            total: rupiah(sums.total),
            paid: rupiah(sums.paid),
            rest: rupiah(sums.rest),
          })}
        </Text>
      )}
      cells={{
        status: (row) => <StatusDot tone={billTone(row)} label={statusWord(row)} />,
        promise: (row) => (row.promise ? <PromiseWord row={row} /> : '—'),
      }}
      rowActions={[...useBillActions<BillRow>(), remind]}
      rowTitle={(row) => `${row.applicantName ?? ''} · ${row.number}`}
      href={({ id }) => `/pembayaran-mahasiswa/tagihan/${id}`}
      preview={facts}
      dimmed={({ status }) => status === 'cancelled'}
      empty={{ title: t('money:staff.noBill') }}
    />
  )
}

/** State and day of a promise to pay. */
function PromiseWord({ row: { promise, promisedUntil } }: { row: BillRow }) {
  const { t } = useMoneyWords()
  if (!promise || !promisedUntil) return null
  return (
    <Group gap={6} component="span" wrap="wrap">
      <StatusDot tone={promiseTone(promise)} label={t(`bills:promise.state.${promise}`)} />
      <DateText value={promisedUntil} as="short" />
    </Group>
  )
}
