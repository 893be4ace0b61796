import { Button, Menu } from '@mantine/core'
import { IconDotsVertical, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  cancelSession,
  moveSession,
  printSession,
  type SessionDetail,
  type Sheet,
  sheets,
} from '#domain/testing/sessions/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { MoveSessionDialog } from './move-session-dialog.tsx'

/** Papers to print, and actions on the whole session. */
export function SessionActions({ session }: { session: SessionDetail }) {
  const { t } = useTranslation('test-sessions')
  const { may, mayCall } = useSession()
  const [dialog, setDialog] = useState<'move' | 'cancel' | null>(null)
  const isOpen = session.state !== 'cancelled' && session.state !== 'over'
  const close = () => setDialog(null)
  return (
    <>
      <PrintMenu session={session} />
      {isOpen && mayCall(moveSession) && mayCall(cancelSession) && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDotsVertical size={18} aria-hidden="true" />}>
              {t('detail.more')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('move')}>{t('detail.moveTime')}</Menu.Item>
            {may('master-jadwal-test-update') && (
              <Menu.Item component={Link} to={`/master/jadwal-test/${session.id}`}>
                {t('detail.edit')}
              </Menu.Item>
            )}
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setDialog('cancel')}>
              {t('detail.cancel')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'move' && <MoveSessionDialog session={session} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog session={session} onClose={close} />}
    </>
  )
}

/** Papers of the whole session, or of one room. */
export function PrintMenu({ session, room }: { session: SessionDetail; room?: { id: string; name: string } }) {
  const { t } = useTranslation('test-sessions')
  const { language } = useSurroundings()
  const { start, busy } = useDownload()
  const print = (sheet: Sheet) =>
    start(
      pathOf(printSession.path, { id: session.id }),
      `${[t(`print.${sheet}`), session.name, room?.name].filter(Boolean).join(' ')}.pdf`,
      { sheet, language, ...(room && { roomId: room.id }) },
    )
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size={room ? 'compact-md' : 'sm'}
          loading={busy}
          leftSection={<IconPrinter size={18} aria-hidden="true" />}
          aria-label={room ? `${t('detail.print')}: ${room.name}` : undefined}
        >
          {t('detail.print')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sheets.map((sheet) => (
          <Menu.Item key={sheet} onClick={() => print(sheet)}>
            {t(`print.${sheet}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
