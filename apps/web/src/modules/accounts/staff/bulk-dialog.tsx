import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listAccounts } from '#domain/accounts/lists.ts'
import { type AccountBulkAction, previewAccountsBulk, runAccountsBulk } from '#domain/accounts/staff-endpoints.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

type Props = { action: AccountBulkAction; label: string; danger: boolean; rows: readonly { id: string }[] } & DialogEnds

/** Deactivates, reactivates or signs out the selected accounts. */
export function AccountsBulkDialog({ action, label, danger, rows, ...dialogEnds }: Props) {
  const ids = rows.map(({ id }) => id)
  const { t } = useTranslation('staff-accounts')
  const queries = useQueryClient()
  return (
    <BulkDialog
      title={t(`bulk.title.${action}`)}
      preview={async () => (await call(previewAccountsBulk, { body: { action, ids } })).data}
      will={(count) => t(`bulk.will.${action}`, { count })}
      run={async (allowedIds) => {
        const { data } = await sendOnce(runAccountsBulk, { body: { action, ids: allowedIds } })
        void queries.invalidateQueries({ queryKey: keyOf(listAccounts) })
        return { message: t(`bulk.done.${action}`, { count: data.allowed.length }), partly: data.refused.length > 0 }
      }}
      button={() => label}
      danger={danger}
      {...dialogEnds}
    />
  )
}
