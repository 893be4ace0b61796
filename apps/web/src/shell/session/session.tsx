import { useMemo, useSyncExternalStore } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
import { acceptSignIn, currentSession, onSession, refreshSession, signOut } from './session-store.ts'

export { acceptSignIn, refreshSession, signOut }

/** The signed-in user, with permissions and menu. */
export function useSession() {
  const session = useSyncExternalStore(onSession, currentSession, currentSession)
  return useMemo(() => {
    const slugs = new Set(session.permissions)
    return {
      ...session,
      signedIn: session.state === 'signed-in',
      may: (slug: string) => slugs.has(slug),
      /**
       * Whether the server allows the role to make a call; a role limited to some study programmes writes no shared
       * data.
       */
      mayCall: ({ access, alsoFor = [], shared }: Pick<Endpoint, 'access' | 'alsoFor' | 'shared'>) =>
        !(shared && session.limited) && [access, ...alsoFor].some((slug) => slugs.has(slug)),
      signIn: acceptSignIn,
      refresh: refreshSession,
      signOut,
    }
  }, [session])
}
