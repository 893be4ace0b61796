import { Button, Checkbox, Group, Menu, Text, VisuallyHidden } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listRegistrations } from '#domain/admissions/endpoints.ts'
import type { RegistrationRow } from '#domain/admissions/schemas.ts'
import { wholeNumber } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { BulkBar } from './staff/bulk-bar.tsx'
import { PublishResults } from './staff/publish-results.tsx'
import { RegistrationFilters } from './staff/registration-filters.tsx'
import classes from './staff/staff-list.module.css'
import { documentsTone, resultTone, statusTone } from './staff/tones.ts'
import { useFilters } from './staff/use-filters.ts'

const columns = [
  'name',
  'code',
  'phone',
  'wave',
  'track',
  'programme',
  'classProgramme',
  'status',
  'documents',
  'result',
  'created',
] as const
type Column = (typeof columns)[number]
const shownAtFirst: Column[] = ['name', 'code', 'track', 'programme', 'status', 'documents', 'result', 'created']

/** Registrations as staff work through them: found, filtered, selected, decided. */
export default function StaffRegistrationListPage() {
  const { t } = useTranslation('staff')
  const { may } = useSession()
  const navigate = useNavigate()
  const state = useFilters()
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [shown, setShown] = useLocalStorage<Column[]>({ key: 'columns:pendaftaran', defaultValue: shownAtFirst })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(-1)
  const searchRef = useRef<HTMLInputElement>(null)
  const list = useInfiniteQuery({
    queryKey: keyOf(listRegistrations, state.query),
    queryFn: ({ pageParam, signal }) =>
      call(
        listRegistrations,
        { query: { ...state.query, per_page: 50, ...(pageParam && { after: pageParam }) } as never },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
    placeholderData: (before) => before,
  })
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const meta = list.data?.pages[0]?.meta
  const key = JSON.stringify(state.query)
  useEffect(() => {
    if (key) {
      setSelected(new Set())
      setCurrent(-1)
    }
  }, [key])

  const toggle = (id: string) =>
    setSelected((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by))
    setCurrent(next)
    document.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => rows[current] && toggle(rows[current].id)],
    ['Enter', () => rows[current] && navigate(`/pendaftaran/${rows[current].id}`)],
    ['/', () => searchRef.current?.focus()],
  ])
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  const cell: Record<Column, (row: RegistrationRow) => React.ReactNode> = {
    name: (row) => (
      <Link className={classes.name} to={`/pendaftaran/${row.id}`}>
        {row.name}
      </Link>
    ),
    code: (row) => <span className="tabular">{row.code}</span>,
    phone: (row) => <span className="tabular">{row.phone ?? '—'}</span>,
    wave: (row) => row.wave,
    track: (row) => row.track,
    programme: (row) => row.programme ?? '—',
    classProgramme: (row) => row.classProgramme,
    status: (row) => <StatusDot tone={statusTone[row.status]} label={t(`status.${row.status}`)} />,
    documents: (row) => (
      <StatusDot tone={documentsTone[row.documentsState] ?? 'waiting'} label={t(`documents.${row.documentsState}`)} />
    ),
    result: (row) =>
      row.decision && row.result === 'waiting' ? (
        <StatusDot tone="progress" label={`${t(`decision.${row.decision}`)} (${t('unpublished')})`} />
      ) : row.result === 'waiting' ? (
        <>
          <span aria-hidden="true">—</span>
          <VisuallyHidden>{t('result.waiting')}</VisuallyHidden>
        </>
      ) : (
        <StatusDot tone={resultTone[row.result]} label={t(`result.${row.result}`)} />
      ),
    created: (row) => <DateText value={row.createdAt} as="short" />,
  }
  const visible = columns.filter((column) => column === 'name' || shown.includes(column))

  return (
    <>
      <PageHeader
        title={t('list.title')}
        count={
          meta &&
          (meta.total_is_estimate
            ? t('list.about', { count: wholeNumber(meta.total) as never })
            : wholeNumber(meta.total))
        }
        actions={
          <>
            <Menu closeOnItemClick={false}>
              <Menu.Target>
                <Button variant="default" size="sm" visibleFrom="sm">
                  {t('list.columns')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {columns.slice(1).map((column) => (
                  <Menu.Item
                    key={column}
                    role="menuitemcheckbox"
                    aria-checked={shown.includes(column)}
                    leftSection={<span aria-hidden="true">{shown.includes(column) ? '✓' : ' '}</span>}
                    onClick={() =>
                      setShown((before) =>
                        before.includes(column) ? before.filter((one) => one !== column) : [...before, column],
                      )
                    }
                  >
                    {t(`column.${column}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            {may('pendaftaran-publish') && <PublishResults />}
          </>
        }
      />
      <RegistrationFilters state={state} searchRef={searchRef} />
      <Card flush className={classes.list}>
        {selected.size > 0 && (
          <div className={classes.bar}>
            <BulkBar ids={[...selected]} onDone={() => setSelected(new Set())} />
          </div>
        )}
        {list.isPending ? (
          <LoadingRows rows={12} />
        ) : list.isError && rows.length === 0 ? (
          <ErrorState
            title={t('common:errors.title')}
            message={list.error.message}
            retryLabel={t('common:actions.retry')}
            onRetry={() => list.refetch()}
          />
        ) : rows.length === 0 ? (
          <EmptyState title={t('list.empty')}>
            <Text c="dimmed">{t('list.emptyHint')}</Text>
            <Button variant="light" onClick={state.clear}>
              {t('list.clear')}
            </Button>
          </EmptyState>
        ) : narrow ? (
          <ul className={classes.cards}>
            {rows.map((row, index) => (
              <li key={row.id} className={classes.cardRow} data-row={index}>
                <Checkbox
                  checked={selected.has(row.id)}
                  onChange={() => toggle(row.id)}
                  aria-label={t('list.select', { name: row.name })}
                  size="md"
                />
                <div>
                  {cell.name(row)}
                  <Text size="sm" c="dimmed">
                    {row.code} · {row.programme ?? '—'} · {row.track}
                  </Text>
                  <Group gap="md">
                    {cell.status(row)}
                    {cell.documents(row)}
                  </Group>
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">
                    <Checkbox
                      size="xs"
                      checked={all}
                      indeterminate={selected.size > 0 && !all}
                      onChange={() => setSelected(all ? new Set() : new Set(rows.map(({ id }) => id)))}
                      aria-label={t('list.selectAll')}
                    />
                  </th>
                  {visible.map((column) => (
                    <th key={column} scope="col">
                      {t(`column.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <tr
                    key={row.id}
                    className={classes.row}
                    data-row={index}
                    data-current={index === current || undefined}
                    data-selected={selected.has(row.id) || undefined}
                    onClick={(event) => {
                      if (!(event.target as HTMLElement).closest('a,input,label')) navigate(`/pendaftaran/${row.id}`)
                    }}
                  >
                    <td>
                      <Checkbox
                        size="xs"
                        checked={selected.has(row.id)}
                        onChange={() => toggle(row.id)}
                        aria-label={t('list.select', { name: row.name })}
                      />
                    </td>
                    {visible.map((column) => (
                      <td key={column}>{cell[column](row)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('list.keys')}
        </Text>
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t('list.more')}
          </Button>
        )}
      </Group>
    </>
  )
}
