import { previewReminders, remindPayers } from '#domain/payments/bills/endpoints.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'

type Props = { rows: readonly { id: string }[] } & DialogEnds

/** Reminds the selected applicants of unpaid bills, after showing who gets the message. */
export function RemindDialog({ rows, ...dialogEnds }: Props) {
  const ids = rows.map(({ id }) => id)
  const { t } = useMoneyWords()
  return (
    <BulkDialog
      title={t('bills.remind')}
      preview={async () => (await call(previewReminders, { body: { ids } })).data}
      will={(count) => t('bills.remindWill', { count })}
      run={async (allowedIds, skippedCount) => {
        const { data } = await sendOnce(remindPayers, { body: { ids: allowedIds } })
        const left = data.left + skippedCount
        return { message: t('bills.reminded', { ...data, left }), partly: left > 0 }
      }}
      button={(count) => t('bills.remindCount', { count })}
      {...dialogEnds}
    />
  )
}
