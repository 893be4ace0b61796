import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { type BulkAction, bulkEndpointsOf, endpointsOf } from '#entities/endpoints.ts'
import { hasPages, hasView } from '#entities/index.ts'
import type { EntityList } from '#entities/list-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { ListCard } from '#web/list/list-card.tsx'
import type { DeclaredProps } from '#web/list/types.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { BulkRows } from './bulk-rows.tsx'
import { FieldCell } from './field-cell.tsx'
import { createPath, editPath, viewPath } from './paths.ts'
import { titleOf, useEntityWords } from './words.ts'

type Props = { entity: Entity; title: string; parentId?: string; actions?: ReactNode }

/** List of any entity; for a nested entity, a card on its parent row's page. */
export function ResourceList({ entity, title, parentId, actions }: Props) {
  const { t, noun, nouns, language } = useEntityWords()
  const { may } = useSession()
  const mayCreate = may(permissionOf(entity, 'create'))
  const mayEdit = may(permissionOf(entity, 'update'))
  const hrefOf = (row: Row) => {
    if (hasView(entity)) return viewPath(entity, row.id)
    return mayEdit && hasPages(entity) ? editPath(entity, row.id, parentId) : undefined
  }
  const bulkActionOf = (action: BulkAction, suits?: (row: Row) => boolean): RowAction<Row> => ({
    key: action,
    label: t(action),
    right: bulkEndpointsOf(entity)[action].run.access,
    danger: action === 'delete',
    many: true,
    ...(suits && { suits }),
    dialog: (rows, ends) => <BulkRows entity={entity} action={action} rows={rows} {...ends} />,
  })
  const rowActions = [
    bulkActionOf('activate', ({ active }) => !active),
    bulkActionOf('deactivate', ({ active }) => active),
    bulkActionOf('delete'),
  ]
  const wordOf = (active: boolean) => t(active ? 'active' : 'inactive')
  const states = [true, false].map((active) => ({ value: String(active), label: wordOf(active) }))
  const cells = Object.entries(entity.fields).map(([key, field]) => [
    key,
    (row: Row) => <FieldCell field={field} value={row[key] as FieldValue} title={row.titles[key]} />,
  ])
  const props: DeclaredProps<EntityList> = {
    list: endpointsOf(entity).list,
    title,
    params: parentId ? { parentId } : {},
    cells: {
      ...Object.fromEntries(cells),
      active: ({ active }) => <StatusDot tone={active ? 'done' : 'waiting'} label={wordOf(active)} />,
      updatedAt: ({ updatedAt, titles }) =>
        [dateTime(updatedAt, language), titles.updatedBy].filter(Boolean).join(' · '),
    },
    controls: { active: { kind: 'choice', label: t('status'), choices: states } },
    searchLabel: t('search', { nouns: nouns(entity) }),
    rowTitle: (row) => titleOf(entity, row) || noun(entity),
    href: hrefOf,
    dimmed: ({ active }) => !active,
    actions: (
      <>
        {actions}
        {mayCreate && (
          <Button
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            {...({ component: Link, to: createPath(entity, parentId) } as object)}
            children={t('add', { noun: noun(entity) })}
          />
        )}
      </>
    ),
    rowActions,
    empty: { title: t('empty', { nouns: nouns(entity) }), text: mayCreate && t('emptyText') },
  }
  return parentId ? <ListCard {...props} prefix={`${entity.slug}.`} /> : <DataList {...props} preview />
}
