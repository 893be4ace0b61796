import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { ownMenus, ownPermissions } from '#domain/access/session-endpoints.ts'
import type { SignedIn, SignedInUser } from '#domain/accounts/endpoints.ts'
import { logout, verifyToken } from '#domain/accounts/endpoints.ts'
import { endpoint } from '#domain/endpoint.ts'
import { navigationConstants, storageKeys } from '#domain/navigation/constants.ts'
import { trialTokenStart } from '#domain/trial/trial-token.ts'
import { ApiError, call, storedToken } from '#web/api/client.ts'
import { clearFailures, forgetFailure, reportFailure } from '#web/api/failures.ts'
import { queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { forgetDashboards, forgetDrafts } from '#web/ui/form/forget-drafts.ts'
import { readStored } from '#web/ui/stored.ts'

const noProfile: { data: { fullName?: string | null } | null } = { data: null }
/** Declared here by its path, because the rest of the profile's contract belongs to the account screens. */
const myProfile = endpoint({
  method: 'GET',
  path: '/auth/my-profile',
  access: 'signed-in',
  summary: '',
  response: { _zod: { output: noProfile, input: noProfile } },
})

/**
 * The only profile fields the frame uses. The browser never stores the rest (identity numbers, parents); the account
 * screens read it from their endpoint.
 */
export type SessionProfile = { fullName: string | null }

export type Session = {
  /** `checking`: a token exists, but no stored session shows whose it is. */
  state: 'checking' | 'signed-in' | 'signed-out'
  user: SignedInUser | null
  /** Null: not filled in, or not an applicant's account. */
  profile: SessionProfile | null
  permissions: readonly string[]
  /** Whether the role is limited to some study programmes. */
  limited: boolean
  menus: readonly MenuItem[]
  /** Until two-factor sign-in is set up, every other page redirects to the setup. */
  mustSetUpTotp: boolean
  /** Staff member who views the product as `user`, and when the view ends. */
  seenBy: { name: string; until: string } | null
  /** Sentence about a check without an answer; the session stays and the check is repeated. */
  trouble: string | null
  /** Sentence about the check that ended the session, for the sign-in page. */
  endedBecause: string | null
  /** Account whose session ended in this document. */
  endedFor: string | null
}

const signedOut: Session = {
  state: 'signed-out',
  user: null,
  profile: null,
  permissions: [],
  limited: false,
  menus: [],
  mustSetUpTotp: false,
  seenBy: null,
  trouble: null,
  endedBecause: null,
  endedFor: null,
}

/** Whether this browser views the product as a test applicant. */
export const isTrialSession = () => storedToken()?.startsWith(trialTokenStart) ?? false

/** Storage key of the actor's own token during a view as another account. */
export const ownTokenKey = 'own_token'

const read = <T>(key: string) => readStored<T>('localStorage', key)
function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value))
  } catch {
    // Storage is full or refused: the session lasts until a reload.
  }
}

type Kept = SignedInUser & Pick<Session, 'profile' | 'limited' | 'mustSetUpTotp' | 'seenBy'>

function restore(): Session {
  if (!storedToken()) return signedOut
  const stored = read<Kept>(storageKeys.profile)
  const permissions = read<string[]>(storageKeys.permissions)
  const menus = read<MenuItem[]>(storageKeys.menus)
  if (!stored?.id || !stored.role || !Array.isArray(permissions) || !Array.isArray(menus))
    return { ...signedOut, state: 'checking' }
  const { profile = null, limited = false, mustSetUpTotp = false, seenBy = null, ...user } = stored
  return { ...signedOut, state: 'signed-in', user, profile, permissions, limited, menus, mustSetUpTotp, seenBy }
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
    const { profile, limited, mustSetUpTotp, seenBy } = next
    write(storageKeys.profile, { ...next.user, profile, limited, mustSetUpTotp, seenBy })
    write(storageKeys.permissions, next.permissions)
    write(storageKeys.menus, next.menus)
  }
  // Every navigation checks the token, so an unchanged answer must not render all pages again.
  if (JSON.stringify(next) === JSON.stringify(session)) return
  session = next
  for (const listener of listeners) listener()
}

const lastUserId = () => session.user?.id ?? session.endedFor

/** Deletes everything this browser stores about the signed-in user; the sign-in page shows `reason`. */
export function clearSession(reason: string | null = null) {
  const ownToken = localStorage.getItem(ownTokenKey)
  const ownPage = isTrialSession() ? '/settings/opening/trial' : '/settings/accounts'
  for (const key of [...Object.values(storageKeys), ownTokenKey]) localStorage.removeItem(key)
  // Only the view as another account has ended; the actor's own session continues.
  if (ownToken) {
    write(storageKeys.token, ownToken)
    location.replace(ownPage)
  }
  lastCheck = 0
  clearTimeout(nextCheck)
  nextCheck = undefined
  unansweredChecks = 0
  mustReadAnew = false
  queryClient.clear()
  clearFailures()
  forgetDashboards()
  set({ ...signedOut, endedBecause: reason, endedFor: lastUserId() })
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Whether an error reveals nothing about the token: no answer (0), too many calls (429), a starting or overloaded
 * server (503).
 */
const isInconclusive = (error: unknown): error is ApiError =>
  error instanceof ApiError && [0, 429, 503].includes(error.status)

/** Resolves to the answer, or to `fallback` if the read fails; the failure dialog then offers another check. */
async function readOrKeep<T>(id: string, read: Promise<T>, fallback: T): Promise<T> {
  try {
    const answer = await read
    forgetFailure(id)
    return answer
  } catch (error) {
    if (isInconclusive(error) || (error instanceof ApiError && error.code === 'unauthenticated')) throw error
    reportFailure({ id, message: sentenceOf(error), retry: () => void refreshSession() })
    return fallback
  }
}

async function load(answer: SignedIn, fresh: boolean): Promise<Session> {
  const { user, limited = false, seen_by: seenBy = null } = answer
  const base = { ...signedOut, state: 'signed-in' as const, user, limited, seenBy }
  // Until two-factor sign-in is set up, the server refuses all other reads.
  if (answer.totp_setup_required) return { ...base, mustSetUpTotp: true }
  const samePerson = session.user?.id === user.id
  const isSameRole = !fresh && !session.mustSetUpTotp && samePerson && session.user?.role.id === user.role.id
  const storedPermissions = isSameRole ? read<string[]>(storageKeys.permissions) : null
  const storedMenus = isSameRole ? read<MenuItem[]>(storageKeys.menus) : null
  // An unreadable profile must not redirect the applicant to the profile form.
  const fallbackProfile = samePerson && session.profile ? session.profile : { fullName: null }
  const [permissions, menus, profile] = await Promise.all([
    storedPermissions ?? call(ownPermissions).then(({ data }) => data.map(({ slug }) => slug)),
    storedMenus ??
      readOrKeep(
        'menus',
        call(ownMenus).then(({ data }) => data),
        samePerson ? [...session.menus] : [],
      ),
    readOrKeep<SessionProfile | null>(
      'profile',
      call(myProfile).then(({ data }) => data && { fullName: data.fullName ?? null }),
      fallbackProfile,
    ),
  ])
  return { ...base, profile, permissions, menus }
}

/** Starts the session from the answer to a successful sign-in, sign-up or session check. */
export async function acceptSignIn(answer: SignedIn) {
  if (session.user && session.user.id !== answer.user.id) queryClient.clear()
  write(storageKeys.token, answer.access_token)
  hasSignedOut = false
  lastCheck = Date.now()
  try {
    set(await load(answer, true))
  } catch (error) {
    if (isInconclusive(error)) {
      set({ ...signedOut, state: 'checking' })
      return checkAgainLater(error, true)
    }
    clearSession(sentenceOf(error))
    throw error
  }
}

let lastCheck = 0
let runningCheck: Promise<void> | null = null
let nextCheck: ReturnType<typeof setTimeout> | undefined
let unansweredChecks = 0
/** A check with `fresh` got no answer, so the next check reads permissions and menu again. */
let mustReadAnew = false

const longestPauseMs = 30_000

/**
 * Keeps the session, says that the server did not answer, and doubles the pause before each further check, up to
 * `longestPauseMs`.
 */
function checkAgainLater(error: ApiError, fresh: boolean) {
  mustReadAnew ||= fresh
  set({ ...session, trouble: error.message })
  clearTimeout(nextCheck)
  const pauseMs = Math.min(navigationConstants.sessionCheckPause * 2 ** ++unansweredChecks, longestPauseMs)
  nextCheck = setTimeout(() => void checkSession({ force: true }), pauseMs)
}

/**
 * Asks the server whether the stored token is still valid, at most once a second. A refused or failed check ends the
 * session and keeps the reason for the sign-in page; a check without an answer keeps the session and is repeated.
 */
export function checkSession({ force = false, fresh = false } = {}): Promise<void> {
  const token = storedToken()
  if (!token) {
    if (session.state !== 'signed-out') clearSession()
    return Promise.resolve()
  }
  // A forced check waits for the running one and starts another, because the running one may have read older state.
  if (runningCheck) return force ? runningCheck.then(() => checkSession({ force, fresh })) : runningCheck
  const pauseMs = lastCheck + navigationConstants.sessionCheckPause - Date.now()
  if (!force && session.state === 'signed-in' && pauseMs > 0) {
    nextCheck ??= setTimeout(() => void checkSession({ force: true }), pauseMs)
    return Promise.resolve()
  }
  clearTimeout(nextCheck)
  nextCheck = undefined
  lastCheck = Date.now()
  const check = async () => {
    let checkedToken = token
    try {
      const answer = await call(verifyToken, { body: { api_token: token } })
      if (storedToken() !== checkedToken) return
      checkedToken = answer.access_token
      write(storageKeys.token, checkedToken)
      const next = await load(answer, fresh || mustReadAnew)
      if (storedToken() !== checkedToken) return
      unansweredChecks = 0
      mustReadAnew = false
      set(next)
    } catch (error) {
      if (storedToken() !== checkedToken) return
      if (isInconclusive(error)) checkAgainLater(error, fresh)
      else clearSession(sentenceOf(error))
    }
  }
  runningCheck = check().finally(() => {
    runningCheck = null
  })
  return runningCheck
}

let lastRefusal = 0
/**
 * After a refused call the role may have changed: checks the session with fresh permissions, at most every ten seconds.
 */
export function checkAfterRefusal() {
  if (Date.now() - lastRefusal < 10_000) return
  lastRefusal = Date.now()
  void checkSession({ force: true, fresh: true })
}

/** Reads everything about the user again, after profile, e-mail address or role changed. */
export const refreshSession = () => checkSession({ force: true, fresh: true })

let hasSignedOut = false
/**
 * After a deliberate sign-out, sign-in does not return to a page: the next person at this device must not land on this
 * person's page.
 */
export const leftOnPurpose = () => hasSignedOut

export async function signOut() {
  hasSignedOut = true
  const leaving = storedToken() ? sendOnce(logout).catch(() => {}) : null
  localStorage.removeItem(ownTokenKey)
  clearSession()
  forgetDrafts()
  await leaving
}

// Signing out in one tab signs out the others; signing in as someone else clears their cached data.
addEventListener('storage', (event) => {
  if (event.key !== storageKeys.token && event.key !== null) return
  if (!storedToken()) {
    queryClient.clear()
    set({ ...signedOut, endedFor: lastUserId() })
  } else if (event.oldValue !== event.newValue) {
    queryClient.clear()
    void checkSession({ force: true, fresh: true })
  }
})
