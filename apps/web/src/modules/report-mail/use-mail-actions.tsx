import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { deleteReportMail, pauseReportMail, readReportMail, sendReportMail } from '#domain/report-mail/endpoints.ts'
import { listReportMailRuns, listReportMails, type ReportMailRow } from '#domain/report-mail/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { EditMailDialog } from './mail-dialogs.tsx'

type Acted = Pick<ReportMailRow, 'id' | 'name' | 'recipients' | 'state' | 'version'>

/** Actions on the reader's own scheduled mail, for its row and its page. */
export function useMailActions({ onDeleted }: { onDeleted?: () => void } = {}): RowAction<Acted>[] {
  const { t } = useTranslation('report-mail')
  const { act, actOrThrow } = useAction(keyOf(listReportMails), keyOf(readReportMail), keyOf(listReportMailRuns))
  const switchTo = (active: boolean) => (row: Acted) =>
    act(
      row.id,
      () => sendOnce(pauseReportMail, { params: { id: row.id }, body: { active, version: row.version } }),
      () => t(active ? 'resumed' : 'paused'),
    )
  return [
    {
      key: 'send',
      label: t('actions.send'),
      icon: <IconSend size={16} aria-hidden />,
      dialog: ([row], { onClose }) =>
        row && (
          <ConfirmDialog
            title={t('sendTitle', { name: row.name })}
            message={t('sendText', { count: row.recipients })}
            confirmLabel={t('actions.send')}
            onConfirm={() =>
              actOrThrow(
                'send',
                () => sendOnce(sendReportMail, { params: { id: row.id } }),
                () => t('sending'),
              )
            }
            onClose={onClose}
          />
        ),
    },
    {
      key: 'edit',
      label: t('actions.edit'),
      icon: <IconPencil size={16} aria-hidden />,
      dialog: ([row], { onClose }) => row && <EditMailDialog id={row.id} onClose={onClose} />,
    },
    {
      key: 'pause',
      label: t('actions.pause'),
      icon: <IconPlayerPause size={16} aria-hidden />,
      suits: ({ state }) => state === 'active',
      run: switchTo(false),
    },
    {
      key: 'resume',
      label: t('actions.resume'),
      icon: <IconPlayerPlay size={16} aria-hidden />,
      suits: ({ state }) => state === 'paused',
      run: switchTo(true),
    },
    {
      key: 'delete',
      label: t('actions.delete'),
      icon: <IconTrash size={16} aria-hidden />,
      danger: true,
      dialog: ([row], { onClose }) =>
        row && (
          <ConfirmDialog
            danger
            title={t('deleteTitle', { name: row.name })}
            message={t('deleteText')}
            confirmLabel={t('actions.delete')}
            onConfirm={async () => {
              await sendOnce(deleteReportMail, { params: { id: row.id } })
              if (onDeleted) onDeleted()
              else await actOrThrow('delete', async () => undefined)
            }}
            onClose={onClose}
          />
        ),
    },
  ]
}
