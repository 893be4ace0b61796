import { useSearchParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ConversationView } from './inbox/conversation-view.tsx'
import { InboxList } from './inbox/inbox-list.tsx'
import OwnChat from './own-chat.tsx'
import classes from './thread/thread.module.css'

/** The staff's inbox, or a conversation of it; for applicants their own conversation. */
export default function PrivateChatPage() {
  const { user } = useSession()
  const title = useScreenTitle()
  const [search] = useSearchParams()
  const id = search.get('conversation')
  if (user?.role.name === applicantRole)
    return (
      <>
        <PageHeader title={title} />
        <div className={classes.page}>
          <OwnChat />
        </div>
      </>
    )
  return id ? <ConversationView key={id} id={id} /> : <InboxList title={title} />
}
