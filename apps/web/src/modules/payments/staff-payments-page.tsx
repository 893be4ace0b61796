import { Anchor, Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { billKinds } from '#domain/payments/bill-status.ts'
import { listPayments, type PaymentRow } from '#domain/payments/endpoints.ts'
import { paymentStatuses } from '#domain/payments/payment-status.ts'
import { groupedNumber } from '#domain/payments/virtual-account-number.ts'
import { longDate, rupiah, timeOfDay, wholeNumber } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { Money } from '#web/ui/money.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { ReceiptButton } from './payment-history.tsx'
import classes from './payments.module.css'
import { paymentTone } from './words.ts'

const filters = ['q', 'status', 'kind', 'from', 'to'] as const

/** Payments as the finance office reads them: newest first, filters in the address. */
export default function StaffPaymentsPage() {
  const { t } = useTranslation('payments')
  const title = useScreenTitle()
  const [search, setSearch] = useSearchParams()
  const query = Object.fromEntries(
    filters.map((name) => [name, search.get(name) ?? undefined]).filter(([, value]) => value),
  )
  const { data, isPending, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keyOf(listPayments, query),
    queryFn: ({ pageParam, signal }) =>
      call(listPayments, { query: { ...query, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.meta.next,
    placeholderData: keepPreviousData,
  })
  const set = (name: (typeof filters)[number], value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const meta = data?.pages[0]?.meta
  return (
    <>
      <PageHeader title={title} count={meta && `${wholeNumber(meta.total)}${meta.total_is_estimate ? '+' : ''}`} />
      <div className={classes.filters}>
        <SearchBox value={search.get('q') ?? ''} onChange={(value) => set('q', value)} />
        <NativeSelect
          label={t('staff.status')}
          value={search.get('status') ?? ''}
          onChange={(event) => set('status', event.currentTarget.value)}
          data={[
            { value: '', label: t('staff.all') },
            ...paymentStatuses.map((status) => ({ value: status, label: t(`paymentStatus.${status}`) })),
          ]}
        />
        <NativeSelect
          label={t('staff.registrationKind')}
          value={search.get('kind') ?? ''}
          onChange={(event) => set('kind', event.currentTarget.value)}
          data={[
            { value: '', label: t('staff.all') },
            ...billKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
          ]}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(`staff.${name}`)}
            value={search.get(name) ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        {Object.keys(query).length > 0 && (
          <Button variant="subtle" onClick={() => setSearch({}, { replace: true })}>
            {t('staff.clear')}
          </Button>
        )}
      </div>
      <Card flush>
        {isPending ? (
          <LoadingRows rows={8} />
        ) : rows.length === 0 ? (
          <EmptyState title={t('staff.empty')} />
        ) : (
          <PaymentTable rows={rows} />
        )}
      </Card>
      {hasNextPage && (
        <Button mt="md" variant="default" onClick={() => void fetchNextPage()} loading={isFetching}>
          {t('staff.more')}
        </Button>
      )}
    </>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('payments')
  const [typed, setTyped] = useState(value)
  const [settled] = useDebouncedValue(typed, 300)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pause in typing starts a search
  useEffect(() => {
    if (settled !== value && (settled === '' || settled.trim().length >= 2)) onChange(settled.trim())
  }, [settled])
  useEffect(() => {
    if (value === '') setTyped('')
  }, [value])
  return (
    <TextInput
      className={classes.search}
      type="search"
      label={t('staff.searchLabel')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

function PaymentTable({ rows }: { rows: readonly PaymentRow[] }) {
  const { t } = useTranslation('payments')
  const { language } = useSurroundings()
  const heads = ['received', 'applicant', 'bill', 'bank', 'amount', 'status', 'receipt'] as const
  return (
    <table className={classes.wide}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className={head === 'amount' ? classes.right : undefined}>
              {t(`staff.${head}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td data-label={t('staff.received')}>
              <span className={classes.stacked}>
                <span>{longDate(row.receivedAt, language)}</span>
                <span className={classes.quiet}>{timeOfDay(row.receivedAt, language)}</span>
              </span>
            </td>
            <td data-label={t('staff.applicant')}>
              {row.registrationId ? (
                <span>
                  <Anchor component={Link} to={`/pendaftaran/${row.registrationId}`} fz="inherit">
                    {row.applicantName}
                  </Anchor>
                  <br />
                  <span className={classes.quiet}>{row.registrationCode}</span>
                </span>
              ) : (
                '—'
              )}
            </td>
            <td data-label={t('staff.bill')}>
              {row.billNumber ? (
                <span className={classes.stacked}>
                  <span>{row.billNumber}</span>
                  <span className={classes.quiet}>{row.billKind && t(`kind.${row.billKind}`)}</span>
                </span>
              ) : (
                t('staff.noBill')
              )}
            </td>
            <td data-label={t('staff.bank')}>
              <span className={classes.stacked}>
                <span>{row.bankName}</span>
                <span className={`${classes.quiet} ${classes.number}`}>{groupedNumber(row.virtualAccountNumber)}</span>
              </span>
            </td>
            <td data-label={t('staff.amount')} className={classes.right}>
              <span>
                <Money amount={row.amount} />
                {row.waitingAmount > 0 && (
                  <Text size="sm" c="dimmed">
                    {t('staff.waitingPart', { amount: rupiah(row.waitingAmount) })}
                  </Text>
                )}
              </span>
            </td>
            <td data-label={t('staff.status')}>
              <span>
                <StatusDot tone={paymentTone(row.status)} label={t(`paymentStatus.${row.status}`)} />
                {row.waitingReason && <div className={classes.quiet}>{t(`waitingReason.${row.waitingReason}`)}</div>}
              </span>
            </td>
            <td data-label={t('staff.receipt')}>
              {row.receiptNumber ? <ReceiptButton id={row.id} number={row.receiptNumber} compact /> : '—'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
