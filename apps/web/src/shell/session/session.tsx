import { useMemo, useSyncExternalStore } from 'react'
import { acceptSignIn, currentSession, onSession, refreshSession, signOut } from './session-store.ts'

export { acceptSignIn, refreshSession, signOut }

/** The signed-in person, their permissions, and their menu. */
export function useSession() {
  const session = useSyncExternalStore(onSession, currentSession)
  return useMemo(() => {
    const slugs = new Set(session.permissions)
    return {
      ...session,
      signedIn: session.state === 'signed-in',
      may: (slug: string) => slugs.has(slug),
      signIn: acceptSignIn,
      refresh: refreshSession,
      signOut,
    }
  }, [session])
}
