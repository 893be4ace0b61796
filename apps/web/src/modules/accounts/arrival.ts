import { applicantRole } from '#domain/access/applicant-role.ts'
import { safeReturnPath } from '#domain/accounts/redirect.ts'
import { rememberReferral } from '#web/modules/accounts/referral.ts'
import { pageAt } from '#web/shell/page-table.ts'
import { currentSession, type Session } from '#web/shell/session/session-store.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/**
 * Study choice of a visitor without an account. Kept on the device, because the confirmation mail is often opened in
 * another tab.
 */
export type StudyChoice = { wave?: string; track?: string; programme?: string; class?: string }
type Arrival = { choice?: StudyChoice; until: number }

const key = 'arrival'
const lifetimeMs = 7 * 24 * 3_600_000

function read(): Arrival {
  const arrival = readStored<Arrival>('localStorage', key)
  return arrival && arrival.until > Date.now() ? arrival : { until: 0 }
}

/** Without storage the arrival lasts as long as the page's address. */
const write = (change: Partial<Arrival>) =>
  void writeStored('localStorage', key, { ...read(), ...change, until: Date.now() + lifetimeMs })

/** Page to open after sign-in. `owner`: account whose session ended on that page; null for a visitor. */
type ReturnPath = { path: string; owner: string | null; until: number }

const returnKey = 'return_path'
const returnLifetimeMs = 3_600_000

const asCode = (value: string | null) => (value && /^[\w-]{1,60}$/.test(value) ? value : undefined)

/**
 * Stores `ref`, `voucher`, `wave`, `track`, `programme`, `class` and `next` from an address; missing parameters keep their
 * stored value.
 */
export function rememberArrival(search: string) {
  const parameters = new URLSearchParams(search)
  const next = safeReturnPath(parameters.get('next'))
  const returnSearch = next?.includes('?') ? new URLSearchParams(next.slice(next.indexOf('?'))) : new URLSearchParams()
  const parameterOf = (name: string) => asCode(parameters.get(name)) ?? asCode(returnSearch.get(name))
  const ref = parameterOf('ref')
  const choice = {
    wave: parameterOf('wave'),
    track: parameterOf('track'),
    programme: parameterOf('programme'),
    class: parameterOf('class'),
  }
  rememberReferral({ ref, voucher: parameterOf('voucher') })
  if (Object.values(choice).some(Boolean)) write({ choice: onlyGiven(choice) })
  if (next) {
    const returnPath: ReturnPath = {
      path: next,
      owner: currentSession().endedFor,
      until: Date.now() + returnLifetimeMs,
    }
    writeStored('sessionStorage', returnKey, returnPath)
  }
}

const onlyGiven = (choice: Record<string, string | undefined>): StudyChoice =>
  Object.fromEntries(Object.entries(choice).filter((entry) => entry[1] !== undefined))

export const keptChoice = () => read().choice
/** The stored path; null after an hour, or if the signed-in account may not open its page. */
export function keptReturnPath(): string | null {
  const stored = readStored<ReturnPath>('sessionStorage', returnKey)
  return stored && stored.until > Date.now() && isOpenTo(currentSession(), stored) ? safeReturnPath(stored.path) : null
}

function isOpenTo({ user, permissions }: Session, { path, owner }: ReturnPath): boolean {
  if (!user) return true
  if (owner !== null && owner !== user.id) return false
  const page = pageAt(path.replace(/[?#].*/, ''))
  // The staff pages may not have arrived yet; the staff layout then refuses the page itself.
  if (!page) return user.role.name !== applicantRole
  return ['public', 'signed-in'].includes(page.access) || permissions.includes(page.access)
}

/** Path to open after sign-in; deleted once read, so that the next sign-in does not use it. */
export function takeReturnPath(): string | null {
  const path = keptReturnPath()
  writeStored('sessionStorage', returnKey, null)
  return path
}
export const forgetChoice = () => write({ choice: undefined })
