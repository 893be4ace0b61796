import { useEffect, useState } from 'react'
import type { Dashboard } from '#domain/admissions/schemas.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { currentSession, isTrialSession } from '#web/shell/session/session-store.ts'
import { dashboardPrefix } from '#web/ui/form/forget-drafts.ts'

type OfApplicant = Extract<Dashboard, { kind: 'applicant' }>
type LastSeen = { key: string; dashboard: OfApplicant; at: Date }

const snapshots = () => import('#web/offline/snapshots.ts')

/**
 * Keeps an applicant's dashboard on the device until their session ends, and returns it while the server cannot be
 * reached (`isUnread`).
 */
export function useLastSeen(dashboard: Dashboard | undefined, isUnread: boolean): LastSeen | null {
  const { user, seenBy } = useSession()
  const [lastSeen, setLastSeen] = useState<LastSeen | null>(null)
  const userId = user && !seenBy && !isTrialSession() ? user.id : null
  const key = userId && dashboardPrefix + userId
  useEffect(() => {
    if (!key || dashboard?.kind !== 'applicant') return
    let isLeft = false
    // Without storage there is nothing to show next time.
    snapshots()
      .then(({ keepOnlySnapshot }) => {
        // The session may have ended while the file was loaded.
        if (isLeft || currentSession().user?.id !== userId) return
        return keepOnlySnapshot(dashboardPrefix, key, dashboard)
      })
      .catch(() => {})
    return () => {
      isLeft = true
    }
  }, [key, userId, dashboard])
  useEffect(() => {
    if (!key || !isUnread) return
    snapshots()
      .then(({ findSnapshot }) => findSnapshot<OfApplicant>(key))
      .then((snapshot) => snapshot && setLastSeen({ key, dashboard: snapshot.data, at: new Date(snapshot.savedAt) }))
      .catch(() => {})
  }, [key, isUnread])
  return isUnread && lastSeen?.key === key ? lastSeen : null
}
