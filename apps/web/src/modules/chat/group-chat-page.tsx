import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { listRooms } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Forbidden } from '#web/modules/errors/forbidden.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { ConversationView } from './inbox/conversation-view.tsx'

/** Rooms in which the staff talk to each other. */
export default function GroupChatPage() {
  const { may, user } = useSession()
  return may(listRooms.access) && user?.role.name !== applicantRole ? <Rooms /> : <Forbidden />
}

function Rooms() {
  const { t } = useTranslation('inbox')
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useEndpoint(listRooms)
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
  const id = chosen ?? data.data[0]?.id
  if (!id) return <EmptyState title={t('noRooms')} />
  return (
    <>
      {data.data.length > 1 && (
        <SegmentedControl
          mb="md"
          aria-label={t('room')}
          value={id}
          onChange={setChosen}
          data={data.data.map((room) => ({ value: room.id, label: room.name }))}
        />
      )}
      <ConversationView key={id} id={id} />
    </>
  )
}
