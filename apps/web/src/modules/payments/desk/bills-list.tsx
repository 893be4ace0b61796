import { Anchor, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { billKinds, billStatuses, isOwed } from '#domain/payments/bill-status.ts'
import { type BillRow, billTotals, listBills, remindPayers } from '#domain/payments/desk-endpoints.ts'
import { promiseStates } from '#domain/payments/promise.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { DataList } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { billTone, promiseTone } from '../words.ts'
import { BillActions } from './bill-actions.tsx'
import { useDeskWords } from './words.ts'

const filterKeys = ['q', 'status', 'kind', 'overdue', 'promise', 'from', 'to'] as const

/** Every bill, with what the ones found add up to. */
export function BillsList({ actions }: { actions: ReactNode }) {
  const send = useSend(remindPayers)
  const { t } = useDeskWords()
  const { may } = useSession()
  const remind = (rows: BillRow[], done: () => void) =>
    void send({ body: { ids: rows.map(({ id }) => id) } }).then(
      ({ data }) => {
        notifications.show({
          color: data.left > 0 ? 'yellow' : 'green',
          message: t('bills.reminded', { reminded: data.reminded, left: data.left }),
        })
        done()
      },
      (error: Error) => notifications.show({ color: 'red', message: error.message }),
    )
  const statusWord = ({ status, overdue, promise }: BillRow) => {
    const word = overdue ? t('payments:overdue') : t(`payments:billStatus.${status}`)
    return promise && promise !== 'kept' && isOwed(status) ? `${word}, ${t(`payments:promise.mark.${promise}`)}` : word
  }
  const facts = (row: BillRow) => (
    <Stack gap="md">
      <Facts
        facts={[
          [t('approval.status'), <StatusDot key="s" tone={billTone(row)} label={statusWord(row)} />],
          [
            t('approval.applicant'),
            row.registrationId && (
              <Anchor key="r" component={Link} to={`/pendaftaran/${row.registrationId}?tab=payments`}>
                {row.applicantName} · {row.registrationCode}
              </Anchor>
            ),
          ],
          [t('bills.programme'), row.programme],
          [t('bills.total'), rupiah(row.total)],
          [t('bills.paid'), rupiah(row.paid)],
          [t('bills.rest'), rupiah(row.total - row.paid)],
          [t('bills.dueAt'), row.dueAt && <DateText key="d" value={row.dueAt} as="datetime" />],
          ...(row.promise
            ? [[t('bills.filter.promise'), <PromiseWord key="p" row={row} />] as [string, ReactNode]]
            : []),
        ]}
      />
      <BillActions bill={row} />
    </Stack>
  )
  return (
    <DataList<BillRow>
      name="bills"
      title={useScreenTitle()}
      endpoint={listBills}
      defaultSort="-issuedAt"
      searchLabel={t('bills.search')}
      actions={actions}
      summary={<Totals />}
      columns={[
        { key: 'applicant', label: t('approval.applicant'), cell: (row) => row.applicantName ?? '—' },
        { key: 'number', label: t('approval.bill'), cell: (row) => row.number },
        {
          key: 'kind',
          label: t('payments:staff.registrationKind'),
          cell: (row) => t(`payments:kind.${row.kind}`),
          hidden: true,
        },
        {
          key: 'status',
          label: t('approval.status'),
          cell: (row) => <StatusDot tone={billTone(row)} label={statusWord(row)} />,
        },
        {
          key: 'total',
          label: t('bills.total'),
          cell: (row) => <Money amount={row.total} />,
          numeric: true,
          sort: true,
        },
        {
          key: 'paid',
          label: t('bills.paid'),
          cell: (row) => <Money amount={row.paid} />,
          numeric: true,
          hidden: true,
        },
        {
          key: 'rest',
          label: t('bills.rest'),
          cell: (row) => <Money amount={isOwed(row.status) ? row.total - row.paid : 0} />,
          numeric: true,
        },
        {
          key: 'dueAt',
          label: t('bills.dueAt'),
          cell: (row) => (row.dueAt ? <DateText value={row.dueAt} as="short" /> : '—'),
          sort: true,
        },
        {
          key: 'issuedAt',
          label: t('bills.issuedAt'),
          cell: (row) => <DateText value={row.issuedAt} as="short" />,
          sort: true,
          hidden: true,
        },
        {
          key: 'promise',
          label: t('bills.filter.promise'),
          cell: (row) => (row.promise ? <PromiseWord row={row} /> : '—'),
          hidden: true,
        },
        { key: 'programme', label: t('bills.programme'), cell: (row) => row.programme ?? '—', hidden: true },
        {
          key: 'registration',
          label: t('payments:staff.registration'),
          cell: (row) => row.registrationCode,
          hidden: true,
        },
      ]}
      filters={[
        {
          key: 'status',
          label: t('approval.status'),
          kind: 'choice',
          choices: billStatuses.map((value) => ({ value, label: t(`payments:billStatus.${value}`) })),
        },
        {
          key: 'overdue',
          label: t('payments:overdue'),
          kind: 'boolean',
        },
        {
          key: 'promise',
          label: t('bills.filter.promise'),
          kind: 'choice',
          choices: promiseStates.map((value) => ({ value, label: t(`payments:promise.state.${value}`) })),
        },
        {
          key: 'kind',
          label: t('payments:staff.registrationKind'),
          kind: 'choice',
          choices: billKinds.map((value) => ({ value, label: t(`payments:kind.${value}`) })),
        },
        { key: 'from', label: t('payments:staff.from'), kind: 'date' },
        { key: 'to', label: t('payments:staff.to'), kind: 'date' },
      ]}
      exportPath="/bills/export"
      {...(may('pembayaran-mahasiswa-update') && {
        bulk: [{ key: 'remind', label: t('bills.remind'), run: remind }],
      })}
      rowId={({ id }) => id}
      rowTitle={(row) => `${row.applicantName ?? ''} · ${row.number}`}
      href={({ registrationId }) => (registrationId ? `/pendaftaran/${registrationId}?tab=payments` : undefined)}
      preview={facts}
      dimmed={({ status }) => status === 'cancelled'}
      empty={{ title: t('payments:staff.noBill') }}
    />
  )
}

/** What became of a promise, and its day. */
function PromiseWord({ row: { promise, promisedUntil } }: { row: BillRow }) {
  const { t } = useDeskWords()
  if (!promise || !promisedUntil) return null
  return (
    <Group gap={6} component="span" wrap="wrap">
      <StatusDot tone={promiseTone(promise)} label={t(`payments:promise.state.${promise}`)} />
      <DateText value={promisedUntil} as="short" />
    </Group>
  )
}

/** What the bills found add up to. */
function Totals() {
  const { t } = useDeskWords()
  const [search] = useSearchParams()
  const query = Object.fromEntries(filterKeys.flatMap((key) => (search.get(key) ? [[key, search.get(key)]] : [])))
  const { data, error, refetch } = useEndpoint(billTotals, { query } as never)
  if (!data) return <Missing what={t('totals')} error={error} onRetry={refetch} />
  const { count, total, paid, rest } = data.data
  return (
    <Text span size="sm" c="dimmed" role="status">
      {t('bills.totals', {
        count: wholeNumber(count) as never,
        total: rupiah(total),
        paid: rupiah(paid),
        rest: rupiah(rest),
      })}
    </Text>
  )
}
