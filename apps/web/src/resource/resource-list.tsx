import { Button, Pagination, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
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
import { useColumns, useListState } from './list-state.ts'
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
  const words = useEntityWords()
  const { t, noun, nouns, language } = words
  const { may } = useSession()
  const list = useListState(entity, parentId ? `${entity.slug}.` : '')
  const columns = useColumns(entity)
  const endpoints = endpointsOf(entity)
  const answer = useEndpoint(endpoints.list, { params: parentId ? { parentId } : {}, query: list.query } as never, {
    placeholderData: (before) => before,
  })
  const rows = (answer.data?.data ?? []) as unknown as Row[]
  const meta = answer.data?.meta
  const mayCreate = may(permissionOf(entity, 'create'))
  const mayEdit = may(permissionOf(entity, 'update'))
  const addressOf = (row: Row) => {
    if (hasView(entity)) return viewPath(entity, row.id)
    return mayEdit && hasScreens(entity) ? editPath(entity, row.id, parentId) : undefined
  }

  const add = mayCreate && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden="true" />}
      {...(onCreate ? { onClick: onCreate } : ({ component: Link, to: createPath(entity, parentId) } as object))}
    >
      {t('add', { noun: noun(entity) })}
    </Button>
  )
  const count =
    meta &&
    t(meta.total_is_estimate ? 'countEstimate' : 'count', { count: meta.total, formatted: wholeNumber(meta.total) })
  const narrowed = list.q !== '' || list.active !== null || Object.keys(list.filters).length > 0
  const pages = meta ? Math.max(1, Math.ceil(meta.total / list.perPage)) : 1

  const content = answer.isPending ? (
    <div style={{ padding: 20 }}>
      <LoadingRows rows={8} />
    </div>
  ) : answer.isError ? (
    <EmptyState title={answer.error.message}>
      <Button variant="default" onClick={() => answer.refetch()}>
        {t('retry')}
      </Button>
    </EmptyState>
  ) : rows.length === 0 ? (
    <EmptyState title={narrowed ? t('noneFound') : t('empty', { nouns: nouns(entity) })}>
      {narrowed ? t('noneFoundText') : mayCreate ? t('emptyText') : null}
    </EmptyState>
  ) : (
    <ResourceRows
      {...{ entity, rows, columns: columns.columns, list, addressOf, language }}
      onOpen={mayEdit ? onOpen : undefined}
    />
  )

  const body = (
    <>
      {(!parentId || narrowed || (meta && meta.total > 10)) && (
        <ListFilters entity={entity} list={list} columns={columns} />
      )}
      <div aria-busy={answer.isFetching}>{content}</div>
      {meta && meta.total > 10 && (
        <div className={classes.foot}>
          <Select
            size="sm"
            w={150}
            aria-label={t('rowsPerPage')}
            data={['10', '25', '50', '100'].map((value) => ({ value, label: t('perPage', { count: Number(value) }) }))}
            value={String(list.perPage)}
            allowDeselect={false}
            onChange={(value) => list.set({ per_page: value === '25' ? null : value })}
          />
          <Pagination
            size="sm"
            total={pages}
            value={Math.min(list.page, pages)}
            onChange={(page) => list.set({ page: page === 1 ? null : String(page) })}
            getItemProps={(page) => ({ 'aria-label': t('pageOf', { page, pages }) })}
            getControlProps={(control) => ({ 'aria-label': t(`page.${control}`) })}
          />
        </div>
      )}
    </>
  )

  if (parentId)
    return (
      <Card flush actions={add} title={<Heading title={title} count={count} />}>
        {body}
      </Card>
    )
  return (
    <>
      <PageHeader title={title} count={count} actions={add} />
      <Card flush>{body}</Card>
    </>
  )
}

const Heading = ({ title, count }: { title: string; count?: string }) => (
  <>
    {title} {count && <span style={{ fontWeight: 400, color: 'var(--mantine-color-dimmed)' }}>{count}</span>}
  </>
)
