import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { hasPages, hasView } from '#entities/index.ts'
import type { EntityList } from '#entities/list-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { ListCard } from '#web/list/list-card.tsx'
import type { DeclaredProps } from '#web/list/types.ts'
import { useSession } from '#web/shell/session.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { BulkRows, type BulkWish } from './bulk-dialog.tsx'
import { FieldCell } from './field-cell.tsx'
import { createPath, editPath, viewPath } from './paths.ts'
import { titleOf, useEntityWords } from './words.ts'

type Props = { entity: Entity; title: string; parentId?: string; actions?: ReactNode }

/** The list of any entity; below a row of another entity a card of that row's page. */
export function ResourceList({ entity, title, parentId, actions }: Props) {
  const { t, noun, nouns, language } = useEntityWords()
  const { may } = useSession()
  const [wish, setWish] = useState<BulkWish | null>(null)
  const mayCreate = may(permissionOf(entity, 'create'))
  const mayEdit = may(permissionOf(entity, 'update'))
  const hrefOf = (row: Row) => {
    if (hasView(entity)) return viewPath(entity, row.id)
    return mayEdit && hasPages(entity) ? editPath(entity, row.id, parentId) : undefined
  }
  const ask = (action: BulkWish['action']) => ({
    key: action,
    label: t(action),
    danger: action === 'delete',
    run: (rows: Row[], done: () => void) => setWish({ action, ids: rows.map(({ id }) => id), done }),
  })
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
    bulk: [
      ...(mayEdit ? [ask('activate'), ask('deactivate')] : []),
      ...(may(permissionOf(entity, 'delete')) ? [ask('delete')] : []),
    ],
    empty: { title: t('empty', { nouns: nouns(entity) }), text: mayCreate && t('emptyText') },
  }
  return (
    <>
      {parentId ? <ListCard {...props} prefix={`${entity.slug}.`} /> : <DataList {...props} preview />}
      {wish && <BulkRows entity={entity} wish={wish} onClose={() => setWish(null)} />}
    </>
  )
}
