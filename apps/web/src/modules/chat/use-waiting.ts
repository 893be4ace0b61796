import { applicantRole } from '#domain/access/applicant-role.ts'
import { countWaiting } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'

const everyMinute = 60_000

/**
 * Number of applicants who wait without an agent. Undefined while loading and for readers who do not answer applicants.
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
