import { useTranslation } from 'react-i18next'
import type { RowOf } from '#domain/list.ts'
import { approveFiles } from '#domain/students/files/endpoints.ts'
import type { listStudentFiles } from '#domain/students/files/lists.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

export type FileRow = RowOf<typeof listStudentFiles>

/** Approves the chosen documents of the same kind as the first one waiting for review. */
export function ApproveDialog({ rows, ...ends }: { rows: readonly FileRow[] } & DialogEnds) {
  const { t } = useTranslation('student-files')
  const requirement = (rows.find(({ state }) => state === 'uploaded') ?? rows[0])?.requirement ?? ''
  const titleOf = ({ name, code }: FileRow) => `${name} · ${code}`
  const reasonAgainst = ({ state, requirement: kind }: FileRow) => {
    if (state !== 'uploaded') return t('notWaiting', { state: t(`state.${state}`) })
    return kind === requirement ? null : t('otherKind')
  }
  const preview = async () => ({
    allowed: rows.filter((row) => !reasonAgainst(row)).map((row) => ({ id: row.id, title: titleOf(row) })),
    refused: rows.flatMap((row) => {
      const reason = reasonAgainst(row)
      return reason ? [{ id: row.id, title: titleOf(row), reason }] : []
    }),
  })
  const approve = async (ids: string[]) => {
    const documents = rows.filter(({ id }) => ids.includes(id)).map(({ id, version }) => ({ id, version }))
    const { data } = await sendOnce(approveFiles, { body: { requirement, documents } })
    const [firstRefusal] = data.refused
    if (!firstRefusal) return { message: t('approved', { count: data.approved }) }
    const message = t('approvedPartly', {
      approved: data.approved,
      refused: data.refused.length,
      reason: firstRefusal.reason,
    })
    return { message, partly: true }
  }
  return (
    <BulkDialog
      title={t('approveTitle')}
      preview={preview}
      will={(count) => t('approveWill', { count, requirement })}
      run={approve}
      button={(count) => t('approveButton', { count })}
      {...ends}
    />
  )
}
