import { Anchor, Button, Pagination, Select, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { type FieldValue, type Row, sortKeys } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '../api/query.ts'
import { useSession } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading-rows.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { FieldCell } from './field-cell.tsx'
import { ListFilters } from './list-filters.tsx'
import { useColumns, useListState } from './list-state.ts'
import { createPath, editPath, hasScreens, hasView, viewPath } from './paths.ts'
import classes from './resource-list.module.css'
import { isNumeric, useEntityWords } from './words.ts'

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
    <Rows
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

type RowsProps = {
  entity: Entity
  rows: Row[]
  columns: string[]
  list: ReturnType<typeof useListState>
  addressOf: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
  language: 'en' | 'id'
}

function Rows({ entity, rows, columns, list, addressOf, onOpen, language }: RowsProps) {
  const { t, labelOf } = useEntityWords()
  const common = useTranslation('common').t
  const navigate = useNavigate()
  const sortable = new Set(sortKeys(entity))
  const cell = (row: Row, name: string): ReactNode => {
    const field = entity.fields[name]
    if (!field) return dateTime(String(row[name]), language)
    const value = row[name] as FieldValue
    return <FieldCell {...{ field, value, language }} title={row.titles[name]} yes={common('yes')} no={common('no')} />
  }
  const status = (row: Row) => (
    <StatusDot tone={row.active ? 'done' : 'waiting'} label={t(row.active ? 'active' : 'inactive')} />
  )
  const opening = (row: Row, content: ReactNode) => {
    const address = addressOf(row)
    if (address) return <Anchor component={Link} to={address} fw={500} inherit children={content} />
    if (!onOpen) return content
    return <Anchor component="button" type="button" fw={500} inherit onClick={() => onOpen(row)} children={content} />
  }
  const open = (row: Row) => {
    const address = addressOf(row)
    if (address) navigate(address)
    else onOpen?.(row)
  }
  const header = (name: string) => {
    const label = labelOf(entity, name)
    const order = list.sort === name ? 'ascending' : list.sort === `-${name}` ? 'descending' : undefined
    const right = isNumeric(entity.fields[name]) ? classes.number : undefined
    if (!sortable.has(name)) return <Table.Th key={name} className={right} children={label} />
    return (
      <Table.Th key={name} aria-sort={order} className={right}>
        <UnstyledButton
          className={classes.sort}
          fz="inherit"
          aria-label={t('sortBy', { name: label })}
          onClick={() => list.set({ sort: order === 'ascending' ? `-${name}` : name })}
        >
          {label}
          {order === 'ascending' && <IconArrowUp size={14} aria-hidden="true" />}
          {order === 'descending' && <IconArrowDown size={14} aria-hidden="true" />}
        </UnstyledButton>
      </Table.Th>
    )
  }
  const [first, ...others] = columns.length > 0 ? columns : [Object.keys(entity.fields)[0]!]
  const named = entity.fields.name && others.includes('name') ? 'name' : first!
  const facts = [first!, ...others].filter((name) => name !== named).slice(0, 4)

  return (
    <>
      <div className={`${classes.scroll} mantine-visible-from-sm`}>
        <Table className={classes.table} highlightOnHover>
          <Table.Thead>
            <Table.Tr>{[first!, ...others, 'active'].map(header)}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr
                key={row.id}
                data-opens={addressOf(row) || onOpen ? true : undefined}
                onClick={(event) =>
                  (event.target as Element).closest('a,button') || getSelection()?.toString() || open(row)
                }
              >
                {[first!, ...others].map((name) => (
                  <Table.Td key={name} className={isNumeric(entity.fields[name]) ? classes.number : classes.cell}>
                    {name === named ? opening(row, cell(row, name)) : cell(row, name)}
                  </Table.Td>
                ))}
                <Table.Td>{status(row)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ul className={`${classes.cards} mantine-hidden-from-sm`}>
        {rows.map((row) => (
          <li key={row.id} className={classes.card}>
            <div className={classes.cardTitle}>
              <span>{opening(row, cell(row, named))}</span>
              {status(row)}
            </div>
            <dl className={classes.facts}>
              {facts.map((name) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{labelOf(entity, name)}</dt>
                  <dd>{cell(row, name)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}
