import { useTranslation } from 'react-i18next'
import { verifyProposals } from '#domain/schools/endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { useSchoolRefresh } from './use-school-data.ts'

type Props = { rows: readonly { id: string }[] } & DialogEnds

/** Before anything happens, lists the proposals that will be accepted and those that need a closer look. */
export function VerifyMany({ rows, ...ends }: Props) {
  const ids = rows.map(({ id }) => id)
  const { t } = useTranslation('schools')
  const refresh = useSchoolRefresh()
  const withTitles = <R extends { name: string }>(schools: readonly R[]) =>
    schools.map((row) => ({ ...row, title: row.name }))
  return (
    <BulkDialog
      title={t('proposals.bulkTitle', { count: ids.length })}
      preview={async () => {
        const { data } = await sendOnce(verifyProposals, { body: { ids, preview: true } })
        return { allowed: withTitles(data.verified), refused: withTitles(data.refused) }
      }}
      will={(count) => t('proposals.bulkWill', { count })}
      run={async () => {
        const { data } = await sendOnce(verifyProposals, { body: { ids } })
        refresh()
        return { message: t('proposals.bulkDone', { count: data.verified.length }), partly: data.refused.length > 0 }
      }}
      button={(count) => t('proposals.bulkRun', { count })}
      {...ends}
    />
  )
}
