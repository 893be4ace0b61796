import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { type ChatAgent, type Conversation, listAgents, listRooms } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useStreamState } from '#web/modules/chat/stream/chat-stream.ts'
import { Composer } from '#web/modules/chat/thread/composer.tsx'
import { MessageList } from '#web/modules/chat/thread/message-list.tsx'
import threadClasses from '#web/modules/chat/thread/thread.module.css'
import { useMessageBox } from '#web/modules/chat/thread/use-message-box.ts'
import { useThread } from '#web/modules/chat/thread/use-thread.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import tabLinks from '#web/ui/tab-links.module.css'
import classes from './inbox.module.css'
import { officeOnly } from './office-only.tsx'

function RoomsPage() {
  const { t } = useTranslation('inbox')
  const title = useScreenTitle()
  const [search] = useSearchParams()
  const { data, error, refetch } = useEndpoint(listRooms)
  const { data: agents } = useEndpoint(listAgents)
  const rooms = data?.data ?? []
  const room = rooms.find(({ id }) => id === search.get('c')) ?? rooms[0]
  return (
    <div className={classes.page} data-open data-list>
      <PageHeader title={title} description={t('roomText')} />
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={6} />}
      {data && !room && <EmptyState title={t('noRooms')} />}
      {rooms.length > 1 && (
        <nav aria-label={title} className={tabLinks.tabs}>
          {rooms.map(({ id, name }) => (
            <Link key={id} to={`?c=${id}`} className={tabLinks.tab} aria-current={id === room?.id ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
      )}
      {room && <Room key={room.id} room={room} agents={agents?.data ?? []} />}
    </div>
  )
}

function Room({ room: { id, name }, agents }: { room: Conversation; agents: readonly ChatAgent[] }) {
  const { t } = useTranslation('chat')
  const thread = useThread(id)
  const box = useMessageBox(id, thread)
  const isOffline = useStreamState() === 'lost' || box.isOffline
  const { writer } = thread
  const writerName = agents.find((agent) => agent.id === writer?.by)?.name
  return (
    <section className={classes.room} aria-label={name}>
      <MessageList
        thread={thread}
        unsent={box.unsent}
        isOffline={isOffline}
        side="staff"
        isRoom
        writing={writer ? (writerName ? t('writing', { name: writerName }) : t('somebodyWriting')) : null}
      />
      <div className={threadClasses.notices}>
        {isOffline && <Alert color="orange" variant="light" role="status" p="xs" children={t('offline')} />}
        <Failure>{box.givenBack?.message}</Failure>
      </div>
      <Composer text={box.text} onText={box.type} onSend={box.sendText} onFile={box.sendFile} />
    </section>
  )
}

export default officeOnly(RoomsPage)
