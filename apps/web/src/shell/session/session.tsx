import { useMemo, useSyncExternalStore } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
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
      /** Whether the server lets the role make a call; a role limited to some study programmes writes nothing shared. */
      mayCall: ({ access, alsoFor = [], shared }: Pick<Endpoint, 'access' | 'alsoFor' | 'shared'>) =>
        !(shared && session.limited) && [access, ...alsoFor].some((slug) => slugs.has(slug)),
      signIn: acceptSignIn,
      refresh: refreshSession,
      signOut,
    }
  }, [session])
}
