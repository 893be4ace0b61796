import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#domain/list.ts'
import type { SeatStatus } from '#domain/testing/seat-status.ts'
import type { SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { listParticipants } from '#domain/testing/sessions/lists.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { WalkInDialog } from './walk-in-dialog.tsx'

type Participant = RowOf<typeof listParticipants>

const toneOf: Record<SeatStatus, Tone> = {
  held: 'attention',
  booked: 'progress',
  attended: 'done',
  absent: 'stopped',
  released: 'waiting',
}

/** People of a session: moved in bulk, released with a reason, or admitted at the door. */
export function ParticipantsCard({ session }: { session: SessionDetail }) {
  const { t } = useTranslation('test-sessions')
  const { may } = useSession()
  const [isLettingIn, setLettingIn] = useState(false)
  const isOpen = session.state !== 'cancelled' && session.state !== 'over'
  const refusal = ({ status }: Participant) => (status === 'held' || status === 'booked' ? null : t('release.used'))
  const shared = { right: 'jadwal-test-update', many: true, refusal } as const
  const actions: RowAction<Participant>[] = [
    {
      key: 'move',
      label: t('move.title'),
      main: true,
      ...shared,
      dialog: (rows, ends) => <MoveDialog session={session} rows={rows} {...ends} />,
    },
    {
      key: 'release',
      label: t('release.title'),
      danger: true,
      ...shared,
      dialog: (rows, ends) => <ReleaseDialog session={session} rows={rows} {...ends} />,
    },
  ]
  return (
    <>
      <ListCard
        list={listParticipants}
        prefix="p."
        title={t('participants.title')}
        params={{ id: session.id }}
        rowTitle={({ name }) => name}
        href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
        cells={{ status: ({ status }) => <StatusDot tone={toneOf[status]} label={t(`seatStatus.${status}`)} /> }}
        rowActions={actions}
        actions={
          isOpen && (
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconUserPlus size={18} aria-hidden="true" />}
              onClick={() => setLettingIn(true)}
              children={t('walkIn.title')}
            />
          )
        }
        empty={{ title: t('participants.empty'), text: t('participants.emptyText') }}
      />
      {isLettingIn && <WalkInDialog session={session} onClose={() => setLettingIn(false)} />}
    </>
  )
}
