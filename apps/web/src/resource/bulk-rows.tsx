import { useQueryClient } from '@tanstack/react-query'
import type { Entity } from '#entities/define/entity.ts'
import { type BulkAction, bulkEndpointsOf } from '#entities/endpoints.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { useEntityWords } from './words.ts'

type Props = { entity: Entity; action: BulkAction; rows: readonly { id: string }[] } & DialogEnds

/** Activates, deactivates or deletes many rows of an entity. */
export function BulkRows({ entity, action, rows, ...ends }: Props) {
  const { t, nouns } = useEntityWords()
  const queries = useQueryClient()
  const ids = rows.map(({ id }) => id)
  const { preview, run } = bulkEndpointsOf(entity)[action]
  const words = (key: 'will' | 'done', count: number) => t(`bulk.${key}.${action}`, { count, nouns: nouns(entity) })
  return (
    <BulkDialog
      title={t(`bulk.title.${action}`, { nouns: nouns(entity) })}
      preview={async () => (await call(preview, { body: { ids } })).data}
      will={(count) => words('will', count)}
      run={async (allowed) => {
        const { data } = await sendOnce(run, { body: { ids: allowed } })
        void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/master/') })
        return { message: words('done', data.allowed.length), partly: data.refused.length > 0 }
      }}
      button={() => t(action)}
      danger={action === 'delete'}
      {...ends}
    />
  )
}
