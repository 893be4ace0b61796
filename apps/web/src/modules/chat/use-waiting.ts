import { applicantRole } from '#domain/access/applicant-role.ts'
import { countWaiting } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'

const everyMinute = 60_000

/**
 * Number of waiting conversations without an agent. Undefined until read, and for readers who may not answer
 * applicants.
 */
export function useWaiting(): number | undefined {
  const { user, may } = useSession()
  const isOffice = user !== null && user.role.name !== applicantRole && may('private-chat')
  const { data } = useEndpoint(
    countWaiting,
    {},
    { enabled: isOffice, quietAs: 'chatWaiting', refetchInterval: everyMinute },
  )
  return isOffice ? data?.data.waiting : undefined
}
