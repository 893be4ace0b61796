import type { MenuItem } from '#domain/access/endpoints.ts'
import { ownMenus, ownPermissions } from '#domain/access/endpoints.ts'
import type { SignedIn, SignedInUser } from '#domain/accounts/endpoints.ts'
import { logout, verifyToken } from '#domain/accounts/endpoints.ts'
import { endpoint } from '#domain/endpoint.ts'
import { navigationConstants, storageKeys } from '#domain/navigation/constants.ts'
import { ApiError, call, storedToken } from '#web/api/client.ts'
import { clearFailures, forgetFailure, reportFailure } from '#web/api/failures.ts'
import { queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { forgetDrafts } from '#web/ui/form/forget-drafts.ts'

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
  /** Sentence about a check without an answer: the session stays and the check is repeated. */
  trouble: string | null
  /** Sentence about the check that ended the session, for the sign-in page. */
  endedBecause: string | null
}

const signedOut: Session = {
  state: 'signed-out',
  user: null,
  profile: null,
  permissions: [],
  menus: [],
  mustSetUpTotp: false,
  seenBy: null,
  trouble: null,
  endedBecause: null,
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
  return { ...signedOut, state: 'signed-in', user, profile, permissions, menus, mustSetUpTotp, seenBy }
}

let session = restore()
const listeners = new Set<() => void>()
export const currentSession = () => session
export const onSession = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: Session) {
  if (next.state === 'signed-in' && next.user) {
    const { profile, mustSetUpTotp, seenBy } = next
    write(storageKeys.profile, { ...next.user, profile, mustSetUpTotp, seenBy })
    write(storageKeys.permissions, next.permissions)
    write(storageKeys.menus, next.menus)
  }
  // Every navigation checks the token: an answer that changes nothing must not draw every page again.
  if (JSON.stringify(next) === JSON.stringify(session)) return
  session = next
  for (const listener of listeners) listener()
}

/** Forgets everything kept about the signed-in person in this browser; `because` is shown at sign-in. */
export function clearSession(because: string | null = null) {
  const own = localStorage.getItem(ownTokenKey)
  for (const key of [...Object.values(storageKeys), ownTokenKey]) localStorage.removeItem(key)
  // Only seeing as somebody else has ended: one's own session goes on.
  if (own) {
    write(storageKeys.token, own)
    location.replace('/settings/accounts')
  }
  lastCheck = 0
  clearTimeout(nextCheck)
  nextCheck = undefined
  unansweredChecks = 0
  mustReadAnew = false
  queryClient.clear()
  clearFailures()
  set({ ...signedOut, endedBecause: because })
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Only these say nothing about the token: no answer at all, too many calls, a server that is starting or overloaded. */
const tellsNothing = (error: unknown): error is ApiError =>
  error instanceof ApiError && [0, 429, 503].includes(error.status)

/** The answer, or what is kept when the read fails; the failure dialog then offers another check. */
async function orKept<T>(id: string, read: Promise<T>, kept: T): Promise<T> {
  try {
    const answer = await read
    forgetFailure(id)
    return answer
  } catch (error) {
    if (tellsNothing(error) || (error instanceof ApiError && error.code === 'unauthenticated')) throw error
    reportFailure({ id, message: sentenceOf(error), retry: () => void refreshSession() })
    return kept
  }
}

async function load(answer: SignedIn, fresh: boolean): Promise<Session> {
  const { user, seen_by: seenBy = null } = answer
  const now = { ...signedOut, state: 'signed-in' as const, user, seenBy }
  // The server refuses every other read before two-factor sign-in is set up.
  if (answer.totp_setup_required) return { ...now, mustSetUpTotp: true }
  const samePerson = session.user?.id === user.id
  const known = !fresh && !session.mustSetUpTotp && samePerson && session.user?.role.id === user.role.id
  const kept = known ? read<string[]>(storageKeys.permissions) : null
  const keptMenus = known ? read<MenuItem[]>(storageKeys.menus) : null
  // An unread profile sends nobody to fill one in.
  const keptProfile = samePerson && session.profile ? session.profile : { fullName: null }
  const [permissions, menus, profile] = await Promise.all([
    kept ?? call(ownPermissions).then(({ data }) => data.map(({ slug }) => slug)),
    keptMenus ??
      orKept(
        'menus',
        call(ownMenus).then(({ data }) => data),
        samePerson ? [...session.menus] : [],
      ),
    orKept<SessionProfile | null>(
      'profile',
      (call(myProfile) as Promise<{ data: { fullName?: string | null } | null }>).then(
        ({ data }) => data && { fullName: data.fullName ?? null },
      ),
      keptProfile,
    ),
  ])
  return { ...now, profile, permissions, menus }
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
    if (tellsNothing(error)) {
      set({ ...signedOut, state: 'checking' })
      return checkAgainLater(error, true)
    }
    clearSession(sentenceOf(error))
    throw error
  }
}

let lastCheck = 0
let running: Promise<void> | null = null
let nextCheck: ReturnType<typeof setTimeout> | undefined
let unansweredChecks = 0
/** A check that should read the permissions and the menu anew had no answer: the next check does both. */
let mustReadAnew = false

const longestPauseMs = 30_000

/** Keeps the session, says that the server gave no answer, and checks again ever less often. */
function checkAgainLater(error: ApiError, fresh: boolean) {
  mustReadAnew ||= fresh
  set({ ...session, trouble: error.message })
  clearTimeout(nextCheck)
  const pauseMs = Math.min(navigationConstants.sessionCheckPause * 2 ** ++unansweredChecks, longestPauseMs)
  nextCheck = setTimeout(() => void checkSession({ force: true }), pauseMs)
}

/**
 * Asks the server whether the kept token is still good, at most once a second. A refused or failed check ends the
 * session and keeps the reason for the sign-in page; a check without an answer leaves the session and is repeated.
 */
export function checkSession({ force = false, fresh = false } = {}): Promise<void> {
  const token = storedToken()
  if (!token) {
    if (session.state !== 'signed-out') clearSession()
    return Promise.resolve()
  }
  // A forced check wants what the server knows now, not what the check under way has read already.
  if (running) return force ? running.then(() => checkSession({ force, fresh })) : running
  const pauseMs = lastCheck + navigationConstants.sessionCheckPause - Date.now()
  if (!force && session.state === 'signed-in' && pauseMs > 0) {
    nextCheck ??= setTimeout(() => void checkSession({ force: true }), pauseMs)
    return Promise.resolve()
  }
  clearTimeout(nextCheck)
  nextCheck = undefined
  lastCheck = Date.now()
  const check = async () => {
    let checked = token
    try {
      const answer = await call(verifyToken, { body: { api_token: token } })
      if (storedToken() !== checked) return
      checked = answer.access_token
      write(storageKeys.token, checked)
      const next = await load(answer, fresh || mustReadAnew)
      if (storedToken() !== checked) return
      unansweredChecks = 0
      mustReadAnew = false
      set(next)
    } catch (error) {
      if (storedToken() !== checked) return
      if (tellsNothing(error)) checkAgainLater(error, fresh)
      else clearSession(sentenceOf(error))
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
  void checkSession({ force: true, fresh: true })
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
