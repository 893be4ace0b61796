import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { useSession } from '../app/session.tsx'
import { CardOfRows } from '../list/list-card.tsx'
import { BulkRows, type BulkWish } from './bulk-dialog.tsx'
import { useListParts } from './list-parts.tsx'
import { createPath, editPath, hasScreens, hasView, viewPath } from './paths.ts'
import { titleOf, useEntityWords } from './words.ts'

type Props = {
  entity: Entity
  title: string
  /** Below a row of another entity: the list is a card of that row's page. */
  parentId?: string
  /** For rows without screens of their own. */
  onCreate?: () => void
  onOpen?: (row: Row) => void
  actions?: ReactNode
}

/** The list of any entity. */
export function ResourceList({ entity, title, parentId, onCreate, onOpen, actions }: Props) {
  const { t, noun, nouns } = useEntityWords()
  const { may } = useSession()
  const [wish, setWish] = useState<BulkWish | null>(null)
  const { columns, filters } = useListParts(entity)
  const mayCreate = may(permissionOf(entity, 'create'))
  const mayEdit = may(permissionOf(entity, 'update'))
  const hrefOf = (row: Row) => {
    if (hasView(entity)) return viewPath(entity, row.id)
    return mayEdit && hasScreens(entity) ? editPath(entity, row.id, parentId) : undefined
  }
  const ask = (action: BulkWish['action']) => ({
    key: action,
    label: t(action),
    danger: action === 'delete',
    run: (rows: Row[], done: () => void) => setWish({ action, ids: rows.map(({ id }) => id), done }),
  })
  const { list } = endpointsOf(entity)
  return (
    <>
      <CardOfRows<Row>
        key={entity.slug}
        name={entity.slug}
        title={title}
        endpoint={list}
        params={parentId ? { parentId } : {}}
        columns={columns}
        filters={filters}
        defaultSort={entity.defaultSort}
        searchLabel={t('search', { nouns: nouns(entity) })}
        rowId={({ id }) => id}
        rowTitle={(row) => titleOf(entity, row) || noun(entity)}
        href={onOpen ? undefined : hrefOf}
        onOpen={mayEdit ? onOpen : undefined}
        preview={!parentId || undefined}
        dimmed={({ active }) => !active}
        actions={
          <>
            {actions}
            {mayCreate && (
              <Button
                leftSection={<IconPlus size={18} aria-hidden="true" />}
                {...(onCreate
                  ? { onClick: onCreate }
                  : ({ component: Link, to: createPath(entity, parentId) } as object))}
                children={t('add', { noun: noun(entity) })}
              />
            )}
          </>
        }
        bulk={[
          ...(mayEdit ? [ask('activate'), ask('deactivate')] : []),
          ...(may(permissionOf(entity, 'delete')) ? [ask('delete')] : []),
        ]}
        exportPath={`${list.path.replace(':parentId', parentId ?? '')}/export`}
        empty={{ title: t('empty', { nouns: nouns(entity) }), text: mayCreate && t('emptyText') }}
        prefix={parentId ? `${entity.slug}.` : ''}
      />
      {wish && <BulkRows entity={entity} wish={wish} onClose={() => setWish(null)} />}
    </>
  )
}
