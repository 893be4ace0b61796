import { useEffect, useState } from 'react'
import type { Dashboard } from '#domain/admissions/schemas.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { isTrialSession } from '#web/shell/session/session-store.ts'

type OfApplicant = Extract<Dashboard, { kind: 'applicant' }>
type LastSeen = { dashboard: OfApplicant; at: Date }

const snapshots = () => import('#web/offline/snapshots.ts')

/**
 * Keeps an applicant's dashboard on the device until they sign out, and returns it while the server cannot be reached
 * (`isUnread`).
 */
export function useLastSeen(dashboard: Dashboard | undefined, isUnread: boolean): LastSeen | null {
  const { user, seenBy } = useSession()
  const [lastSeen, setLastSeen] = useState<LastSeen | null>(null)
  const key = user && !seenBy && !isTrialSession() ? `dashboard:${user.id}` : null
  useEffect(() => {
    if (!key || dashboard?.kind !== 'applicant') return
    // Without storage there is nothing to show next time.
    snapshots()
      .then(({ keepSnapshot }) => keepSnapshot(key, dashboard))
      .catch(() => {})
  }, [key, dashboard])
  useEffect(() => {
    if (!key || !isUnread) return
    snapshots()
      .then(({ findSnapshot }) => findSnapshot<OfApplicant>(key))
      .then((snapshot) => snapshot && setLastSeen({ dashboard: snapshot.data, at: new Date(snapshot.savedAt) }))
      .catch(() => {})
  }, [key, isUnread])
  return isUnread ? lastSeen : null
}
