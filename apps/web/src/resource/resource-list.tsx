import { Box, Button, Pagination, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '../api/query.ts'
import { useSession } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading-rows.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ListFilters } from './list-filters.tsx'
import { pageSizes, useColumns, useListState } from './list-state.ts'
import { createPath, editPath, hasScreens, hasView, viewPath } from './paths.ts'
import classes from './resource-list.module.css'
import { ResourceRows } from './resource-rows.tsx'
import { useEntityWords } from './words.ts'

type Props = {
  entity: Entity
  title: string
  /** Below a row of another entity: the list is a card of that row's page. */
  parentId?: string
  /** For rows without screens of their own. */
  onCreate?: () => void
  onOpen?: (row: Row) => void
}

/** The list of any entity: search, filters, order, columns, pages; a table, or cards where there is no room for one. */
export function ResourceList({ entity, title, parentId, onCreate, onOpen }: Props) {
  const { t, noun, nouns } = useEntityWords()
  const { may } = useSession()
  const list = useListState(entity, parentId ? `${entity.slug}.` : '')
  const columns = useColumns(entity)
  const answer = useEndpoint(
    endpointsOf(entity).list,
    { params: { ...(parentId && { parentId }) }, query: list.query } as never,
    { placeholderData: keepPreviousData },
  )
  const rows = (answer.data?.data ?? []) as unknown as Row[]
  const { total = 0, total_is_estimate: estimated } = answer.data?.meta ?? {}
  const pages = Math.max(1, Math.ceil(total / list.perPage))
  const mayCreate = may(permissionOf(entity, 'create'))
  const mayEdit = may(permissionOf(entity, 'update'))
  const addressOf = (row: Row) => {
    if (hasView(entity)) return viewPath(entity, row.id)
    return mayEdit && hasScreens(entity) ? editPath(entity, row.id, parentId) : undefined
  }
  const frame = {
    title,
    count: answer.data && t(estimated ? 'countEstimate' : 'count', { count: total, formatted: wholeNumber(total) }),
    actions: mayCreate && (
      <Button
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        {...(onCreate ? { onClick: onCreate } : ({ component: Link, to: createPath(entity, parentId) } as object))}
      >
        {t('add', { noun: noun(entity) })}
      </Button>
    ),
  }

  const body = (
    <>
      {(!parentId || list.narrowed || total > 10) && <ListFilters entity={entity} list={list} columns={columns} />}
      <div aria-busy={answer.isFetching}>
        {answer.isPending ? (
          <Box p={20} children={<LoadingRows rows={8} />} />
        ) : answer.isError ? (
          <EmptyState title={answer.error.message}>
            <Button variant="default" onClick={() => answer.refetch()} children={t('retry')} />
          </EmptyState>
        ) : rows.length > 0 ? (
          <ResourceRows {...{ entity, rows, list, addressOf, ...columns }} onOpen={mayEdit ? onOpen : undefined} />
        ) : list.narrowed ? (
          <EmptyState title={t('noneFound')} children={t('noneFoundText')} />
        ) : (
          <EmptyState title={t('empty', { nouns: nouns(entity) })} children={mayCreate && t('emptyText')} />
        )}
      </div>
      {total > 10 && (
        <div className={classes.foot}>
          <Select
            size="sm"
            w={150}
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
      )}
    </>
  )
  if (parentId) return <Card flush {...frame} children={body} />
  return (
    <>
      <PageHeader {...frame} />
      <Card flush>{body}</Card>
    </>
  )
}
