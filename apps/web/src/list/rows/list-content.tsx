import { Box, Button, Pagination, Select, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { mostCountedRows } from '#domain/list.ts'
import { wholeNumber } from '#locales/format.ts'
import { SelectionBar } from '#web/list/actions/selection-bar.tsx'
import { ExportMenu } from '#web/list/bar/export-menu.tsx'
import { ListBar } from '#web/list/bar/list-bar.tsx'
import { PrintedFilter } from '#web/list/bar/printed-filter.tsx'
import { SavedViews } from '#web/list/bar/saved-views.tsx'
import classes from '#web/list/list.module.css'
import { type ListState, pageSizes } from '#web/list/list-state.ts'
import type { ListProps, RowsAnswer } from '#web/list/types.ts'
import type { DataListState } from '#web/list/use-data-list.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSettledMedia } from '#web/ui/use-settled-media.ts'
import { ListCards, ListTable } from './list-rows.tsx'

type Props<Row> = {
  props: ListProps<Row>
  state: DataListState<Row>
  /** Number of columns that fit; undefined shows all. */
  fittingCount?: number
  /** Box in which a table's rows scroll, and its height in pixels. */
  boxRef?: RefObject<HTMLDivElement | null>
  boxHeight?: number | undefined
  /** The list fills the page: it has saved views, and shows its bar even without rows. */
  isPage?: boolean
}

/** Bar, selection, rows and footer of a list, as a table or, on narrow screens, cards. */
export function ListContent<Row>({ props, state, fittingCount: fitting, boxRef, boxHeight, isPage }: Props<Row>) {
  const { t } = useTranslation('list')
  const isNarrow = useSettledMedia('(max-width: 48em)')
  const { list, filters, columns, found, selected, searchRef } = state
  const { rows, meta } = found
  const rowsProps = {
    ...props,
    ...state.shown,
    actionState: state.actionState,
    rows,
    list,
    columns: columns.visible.slice(0, fitting),
    ...(boxRef && { boxRef }),
    ...(boxHeight !== undefined && { boxHeight }),
  }
  return (
    <>
      {(isPage || list.narrowed || (meta?.total ?? 0) > 0) && (
        <ListBar {...{ list, filters, columns, searchRef }} searchLabel={props.searchLabel} noSearch={props.noSearch}>
          {isPage && !props.rows && <SavedViews name={props.name} list={list} columns={columns} />}
          {props.exportPath && (
            <ExportMenu
              path={props.exportPath}
              title={props.title}
              query={{ ...props.query, ...list.query }}
              columns={columns.keys}
            />
          )}
        </ListBar>
      )}
      <PrintedFilter list={list} filters={filters} />
      {selected.rows.length > 0 && (
        <SelectionBar rows={selected.rows} actionState={state.actionState} onClear={selected.clear} />
      )}
      <div aria-busy={found.fetching}>
        {found.pending ? (
          <Box p={20} children={<LoadingRows rows={8} />} />
        ) : found.error && rows.length === 0 ? (
          <EmptyState title={found.error.message}>
            <Button variant="default" onClick={found.retry} children={t('retry')} />
          </EmptyState>
        ) : rows.length > 0 ? (
          isNarrow ? (
            <ListCards {...rowsProps} />
          ) : (
            <ListTable {...rowsProps} />
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
      {state.actionState.dialog}
    </>
  )
}

/** Row count in words; undefined while the server counts. */
export function useCountText(meta: RowsAnswer<never>['meta'] | undefined) {
  const { t } = useTranslation('list')
  return meta && meta.total !== null ? countText(t, { ...meta, total: meta.total }) : undefined
}

function countText(t: TFunction<'list'>, { total, total_is_estimate }: { total: number; total_is_estimate: boolean }) {
  if (!total_is_estimate) return t('count', counted(total))
  return total > mostCountedRows + 1 ? t('countEstimate', counted(total)) : t('countMore', counted(mostCountedRows))
}

const counted = (total: number) => ({ count: total, formatted: wholeNumber(total) })

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
