import type { MenuItem } from '#domain/access/endpoints.ts'
import { ownMenus, ownPermissions } from '#domain/access/endpoints.ts'
import type { SignedIn, SignedInUser } from '#domain/accounts/endpoints.ts'
import { logout, verifyToken } from '#domain/accounts/endpoints.ts'
import { applicantRole } from '#domain/accounts/redirect.ts'
import { endpoint } from '#domain/endpoint.ts'
import { navigationConstants, storageKeys } from '#domain/navigation/constants.ts'
import { ApiError, call, storedToken } from '../api/client.ts'
import { clearFailures } from '../api/failures.ts'
import { queryClient } from '../api/query.ts'
import { sendOnce } from '../api/send.ts'
import { forgetDrafts } from '../ui/forget-drafts.ts'

/** Read here by its path: the rest of the profile's contract belongs to the account screens. */
const myProfile = endpoint({
  method: 'GET',
  path: '/auth/my-profile',
  access: 'signed-in',
  summary: '',
  response: undefined as never,
})

/**
 * The little of the profile the frame uses. The whole of it (identity numbers, parents) is never kept in the browser:
 * the account screens read it through their endpoint.
 */
export type SessionProfile = { fullName: string | null }

export type Session = {
  /** `checking`: there is a token, and nothing kept tells yet whose it is. */
  state: 'checking' | 'signed-in' | 'signed-out'
  user: SignedInUser | null
  /** null: not filled in (or not an applicant). */
  profile: SessionProfile | null
  permissions: readonly string[]
  menus: readonly MenuItem[]
  /** Nothing else opens before two-factor sign-in is set up. */
  mustSetUpTotp: boolean
  /** Who really sits here while the product is seen as `user`, and until when. */
  seenBy: { name: string; until: string } | null
}

const signedOut: Session = {
  state: 'signed-out',
  user: null,
  profile: null,
  permissions: [],
  menus: [],
  mustSetUpTotp: false,
  seenBy: null,
}

/** Where one's own token waits while the product is seen as somebody else. */
export const ownTokenKey = 'own_token'

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}
function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value))
  } catch {
    // Storage is full or refused: the session then lasts as long as the page.
  }
}

type Kept = SignedInUser & Pick<Session, 'profile' | 'mustSetUpTotp' | 'seenBy'>

function restore(): Session {
  if (!storedToken()) return signedOut
  const kept = read<Kept>(storageKeys.profile)
  const permissions = read<string[]>(storageKeys.permissions)
  const menus = read<MenuItem[]>(storageKeys.menus)
  if (!kept?.id || !kept.role || !Array.isArray(permissions) || !Array.isArray(menus))
    return { ...signedOut, state: 'checking' }
  const { profile = null, mustSetUpTotp = false, seenBy = null, ...user } = kept
  return { state: 'signed-in', user, profile, permissions, menus, mustSetUpTotp, seenBy }
}

let session = restore()
const listeners = new Set<() => void>()
export const currentSession = () => session
export const onSession = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: Session) {
  session = next
  if (next.state === 'signed-in' && next.user) {
    const { profile, mustSetUpTotp, seenBy } = next
    write(storageKeys.profile, { ...next.user, profile, mustSetUpTotp, seenBy })
    write(storageKeys.permissions, next.permissions)
    write(storageKeys.menus, next.menus)
  }
  for (const listener of listeners) listener()
}

/** Forgets everything kept about the signed-in person in this browser. */
export function clearSession() {
  const own = localStorage.getItem(ownTokenKey)
  for (const key of [...Object.values(storageKeys), ownTokenKey]) localStorage.removeItem(key)
  // Only seeing as somebody else has ended: one's own session goes on.
  if (own) {
    write(storageKeys.token, own)
    location.replace('/settings/accounts')
  }
  lastCheck = 0
  queryClient.clear()
  clearFailures()
  set(signedOut)
}

async function load(answer: SignedIn, fresh: boolean): Promise<Session> {
  const { user, seen_by: seenBy = null } = answer
  if (answer.totp_setup_required) return { ...signedOut, state: 'signed-in', user, mustSetUpTotp: true, seenBy }
  const known =
    !fresh && !session.mustSetUpTotp && session.user?.id === user.id && session.user.role.id === user.role.id
  const kept = known ? read<string[]>(storageKeys.permissions) : null
  const keptMenus = known ? read<MenuItem[]>(storageKeys.menus) : null
  const [permissions, menus, profile] = await Promise.all([
    kept ?? call(ownPermissions).then(({ data }) => data.map(({ slug }) => slug)),
    keptMenus ?? call(ownMenus).then(({ data }) => data),
    user.role.name === applicantRole && user.email_verified_at
      ? (call(myProfile) as Promise<{ data: { fullName?: string | null } | null }>).then(
          ({ data }): SessionProfile | null => data && { fullName: data.fullName ?? null },
        )
      : null,
  ])
  return { state: 'signed-in', user, profile, permissions, menus, mustSetUpTotp: false, seenBy }
}

/** Takes over the answer of a successful sign-in, sign-up or token check. */
export async function acceptSignIn(answer: SignedIn) {
  if (session.user && session.user.id !== answer.user.id) queryClient.clear()
  write(storageKeys.token, answer.access_token)
  left = false
  lastCheck = Date.now()
  try {
    set(await load(answer, true))
  } catch (error) {
    clearSession()
    throw error
  }
}

let lastCheck = 0
let running: Promise<void> | null = null

/**
 * Asks the server whether the kept token is still good. A refusal ends the session; an unreachable server does not,
 * since a lost signal must not throw anybody out.
 */
export function checkSession({ force = false, fresh = false } = {}): Promise<void> {
  const token = storedToken()
  if (!token) {
    if (session.state !== 'signed-out') clearSession()
    return Promise.resolve()
  }
  if (running) return running
  if (!force && session.state === 'signed-in' && Date.now() - lastCheck < navigationConstants.sessionCheckPause)
    return Promise.resolve()
  const check = async () => {
    try {
      const answer = await call(verifyToken, { body: { api_token: token } })
      if (storedToken() !== token) return
      write(storageKeys.token, answer.access_token)
      lastCheck = Date.now()
      set(await load(answer, fresh))
    } catch (error) {
      const unreachable =
        error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
      if (unreachable && session.state === 'signed-in') return
      if (unreachable) throw error
      if (storedToken() === token) clearSession()
    }
  }
  running = check().finally(() => {
    running = null
  })
  return running
}

let lastRefusal = 0
/** A refused call may mean that the role changed meanwhile: what is kept here is read anew, at most every ten seconds. */
export function checkAfterRefusal() {
  if (Date.now() - lastRefusal < 10_000) return
  lastRefusal = Date.now()
  void checkSession({ force: true, fresh: true }).catch(() => {})
}

/** After the profile, the e-mail address or the role changed: everything about the person is read again. */
export const refreshSession = () => checkSession({ force: true, fresh: true })

let left = false
/** Whoever signed out on purpose leaves no way back for the next person at this device. */
export const leftOnPurpose = () => left

export async function signOut() {
  left = true
  const leaving = storedToken() ? sendOnce(logout).catch(() => {}) : null
  localStorage.removeItem(ownTokenKey)
  clearSession()
  forgetDrafts()
  await leaving
}

// Signing out in one tab signs out the others; signing in as somebody else must not leave their data on the screen.
addEventListener('storage', (event) => {
  if (event.key !== storageKeys.token && event.key !== null) return
  if (!storedToken()) {
    queryClient.clear()
    set(signedOut)
  } else if (event.oldValue !== event.newValue) {
    queryClient.clear()
    void checkSession({ force: true, fresh: true })
  }
})
