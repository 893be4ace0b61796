import { Box, Button, CloseButton, Group, Pagination, Select, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { wholeNumber } from '#locales/format.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading-rows.tsx'
import { Missing } from '../ui/missing.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ExportMenu } from './export-menu.tsx'
import classes from './list.module.css'
import { ListBar } from './list-bar.tsx'
import { KeysDialog, useListKeys } from './list-keys.tsx'
import { ListCards, ListTable, RowFacts } from './list-rows.tsx'
import { type ListState, pageSizes, useColumns, useListState } from './list-state.ts'
import { SavedViews } from './saved-views.tsx'
import { withPage } from './selection.ts'
import type { BulkAction, ListProps, RowsAnswer } from './types.ts'
import { useFittingCount } from './use-fitting-count.ts'
import { useRows } from './use-rows.ts'
import { useSettledMedia } from './use-settled-media.ts'
import { useWindowRest } from './use-window-rest.ts'

const noFilters: never[] = []
/**
 * The list of staff: search, filters, order, columns and page in the address, saved views, selection with what can be
 * done to it, the row beside the list, all of it by keyboard; a table, or cards where there is no room for one.
 */
export function DataList<Row>(props: ListProps<Row>) {
  const { name, title, filters = noFilters, defaultSort = '', rowId, rowTitle, bulk = [], within, preview } = props
  const { t } = useTranslation('list')
  const navigate = useNavigate()
  const narrow = useSettledMedia('(max-width: 48em)')
  const wide = useSettledMedia('(min-width: 75em)')
  const list = useListState({ filters, defaultSort, prefix: within ?? '' })
  const columns = useColumns(name, props.columns)
  const found = useRows<Row>({ ...props, list })
  const { rows, meta } = found
  const searchRef = useRef<HTMLInputElement>(null)
  const of = JSON.stringify([list.query, list.page])

  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [openId, setOpenId] = useState<string | null>(null)
  const filter = JSON.stringify(list.query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected must be in what the filter shows
  useEffect(() => setSelected(new Map()), [filter])
  const selects = bulk.length > 0
  const unselect = () => setSelected(new Map())
  const toggle = (row: Row) => setSelected((before) => withPage(before, [row], rowId, !before.has(rowId(row))))
  const selection = selects
    ? {
        ids: new Set(selected.keys()),
        toggle: (id: string) => {
          const row = rows.find((one) => rowId(one) === id)
          if (row) toggle(row)
        },
        setAll: (chosen: boolean) => setSelected((before) => withPage(before, rows, rowId, chosen)),
      }
    : undefined

  const previews = wide && preview !== undefined
  const opens = previews || props.href !== undefined || props.onOpen !== undefined
  const open = (row: Row) => {
    const address = props.href?.(row)
    if (address) navigate(address)
    else props.onOpen?.(row)
  }
  const withKeys = bulk.filter(({ hotkey }) => hotkey)
  const keys = useListKeys({
    rows,
    of,
    enabled: !within,
    onOpen: open,
    onMove: (row) => previews && openId !== null && setOpenId(rowId(row)),
    ...(selects && { onToggle: toggle }),
    acts: withKeys.map(({ hotkey, run }) => ({
      hotkey: hotkey!,
      run: (row: Row | undefined) => {
        const meant = selected.size > 0 ? [...selected.values()] : row === undefined ? [] : [row]
        if (meant.length > 0) run(meant, unselect)
      },
    })),
    onEscape: () => setOpenId(null),
    searchRef,
  })
  const show = (row: Row, index: number) => {
    keys.goTo(index)
    if (previews) setOpenId(rowId(row))
    else open(row)
  }
  const onRow = opens ? show : undefined
  const openRow = previews ? rows.find((row) => rowId(row) === openId) : undefined

  const boxRef = useRef<HTMLDivElement>(null)
  const boxHeight = useWindowRest(boxRef, !within && !narrow && rows.length > 0)
  const fitting = useFittingCount(boxRef, openRow !== undefined, columns.shown.length)

  const frame = {
    title,
    count: meta && countText(t, meta),
    actions: props.actions,
  }
  const shownRows = {
    ...props,
    rows,
    list,
    columns: columns.shown.slice(0, fitting),
    selection,
    current: keys.current,
    openId,
    onRow,
    boxRef,
    boxHeight,
  }
  const content = (
    <>
      {(!within || list.narrowed || (meta?.total ?? 0) > 0) && (
        <ListBar {...{ list, filters, columns, searchRef }} searchLabel={props.searchLabel} noSearch={props.noSearch}>
          {!within && <SavedViews name={name} list={list} columns={columns} />}
          {props.exportPath && (
            <ExportMenu
              path={props.exportPath}
              name={name}
              query={{ ...props.query, ...list.query }}
              columns={columns.keys}
            />
          )}
        </ListBar>
      )}
      {selected.size > 0 && <SelectionBar rows={[...selected.values()]} bulk={bulk} onClear={unselect} />}
      <div aria-busy={found.fetching}>
        {found.pending ? (
          <Box p={20} children={<LoadingRows rows={8} />} />
        ) : found.error && rows.length === 0 ? (
          <EmptyState title={found.error.message}>
            <Button variant="default" onClick={found.retry} children={t('retry')} />
          </EmptyState>
        ) : rows.length > 0 ? (
          narrow ? (
            <ListCards {...shownRows} />
          ) : (
            <ListTable {...shownRows} />
          )
        ) : list.narrowed ? (
          <EmptyState title={t('noneFound')}>
            <Text c="dimmed">{t('noneFoundText')}</Text>
            <Button variant="default" onClick={list.clear} children={t('clearAll')} />
          </EmptyState>
        ) : (
          <EmptyState title={props.empty?.title ?? t('empty')} children={props.empty?.text} />
        )}
      </div>
      {rows.length > 0 && <Missing error={found.error} onRetry={found.retry} />}
      {props.endless ? (
        found.more && (
          <div className={classes.foot}>
            <Button variant="default" loading={found.more.loading} onClick={found.more.load} children={t('more')} />
          </div>
        )
      ) : (
        <Foot list={list} total={meta?.total ?? 0} />
      )}
    </>
  )
  if (within) return <Card flush {...frame} children={content} />
  return (
    <>
      <PageHeader {...frame} description={summaryOf(props.summary, meta)} />
      <div className={classes.layout} data-list data-preview={openRow ? true : undefined}>
        <Card flush className={classes.list}>
          {content}
        </Card>
        {openRow && preview && (
          <aside className={classes.preview} aria-label={rowTitle(openRow)}>
            <Card
              title={rowTitle(openRow)}
              actions={
                <>
                  {(props.href?.(openRow) || props.onOpen) && (
                    <Button size="compact-sm" onClick={() => open(openRow)} children={t('open')} />
                  )}
                  <CloseButton aria-label={t('closePreview')} onClick={() => setOpenId(null)} />
                </>
              }
              children={
                preview === true ? <RowFacts columns={props.columns.slice(1)} row={openRow} /> : preview(openRow)
              }
            />
          </aside>
        )}
      </div>
      <Group justify="flex-end" mt="xs" visibleFrom="sm" className="no-print">
        <Text size="xs" c="dimmed">
          {t('keys.hint')}
        </Text>
      </Group>
      <KeysDialog opened={keys.help} onClose={keys.closeHelp} selects={selects} acts={withKeys} />
    </>
  )
}

function summaryOf(summary: ListProps<never>['summary'], meta: RowsAnswer<never>['meta'] | undefined) {
  if (typeof summary !== 'function') return summary
  return meta && meta.total > 0 ? summary(meta as never) : undefined
}

/** More are not counted one by one. */
const countedUpTo = 10_000

function countText(t: TFunction<'list'>, { total, total_is_estimate }: RowsAnswer<never>['meta']) {
  if (!total_is_estimate) return t('count', counted(total))
  return total > countedUpTo + 1 ? t('countEstimate', counted(total)) : t('countMore', counted(countedUpTo))
}

const counted = (total: number) => ({ count: total, formatted: wholeNumber(total) })

type SelectionBarProps<Row> = { rows: Row[]; bulk: readonly BulkAction<Row>[]; onClear: () => void }

function SelectionBar<Row>({ rows, bulk, onClear }: SelectionBarProps<Row>) {
  const { t } = useTranslation('list')
  return (
    <div className={classes.bar} data-selection role="region" aria-label={t('selection')}>
      <Text size="sm" fw={600} role="status">
        {t('selected', counted(rows.length))}
      </Text>
      {bulk.map((action) => (
        <Button
          key={action.key}
          size="compact-md"
          variant="default"
          c={action.danger ? 'var(--mantine-color-error)' : undefined}
          leftSection={action.icon}
          onClick={() => action.run(rows, onClear)}
        >
          {action.label}
        </Button>
      ))}
      <Button size="compact-md" variant="transparent" onClick={onClear} children={t('clearSelection')} />
    </div>
  )
}

function Foot({ list, total }: { list: ListState; total: number }) {
  const { t } = useTranslation('list')
  if (total <= 10) return null
  const pages = Math.max(1, Math.ceil(total / list.perPage))
  return (
    <div className={`${classes.foot} no-print`}>
      <Select
        size="sm"
        w="13rem"
        aria-label={t('rowsPerPage')}
        data={pageSizes.map((count) => ({ value: String(count), label: t('perPage', { count }) }))}
        value={String(list.perPage)}
        allowDeselect={false}
        onChange={(value) => list.set({ per_page: value })}
      />
      <Pagination
        size="sm"
        total={pages}
        value={Math.min(list.page, pages)}
        onChange={(page) => list.set({ page: String(page) })}
        getItemProps={(page) => ({ 'aria-label': t('pageOf', { page, pages }) })}
        getControlProps={(control) => ({ 'aria-label': t(`page.${control}`) })}
      />
    </div>
  )
}
