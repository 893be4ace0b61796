import { safeReturnPath } from '#domain/accounts/redirect.ts'
import { rememberReferral } from '#web/modules/accounts/referral.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/**
 * Study choice and return path of a visitor without an account. Kept in the device's storage, because
 * the confirmation mail is often opened in another tab.
 */
export type StudyChoice = { wave?: string; track?: string; programme?: string }
type Arrival = { choice?: StudyChoice; next?: string; until: number }

const key = 'arrival'
const lifetimeMs = 7 * 24 * 3_600_000

function read(): Arrival {
  const arrival = readStored<Arrival>('localStorage', key)
  return arrival && arrival.until > Date.now() ? arrival : { until: 0 }
}

/** Without storage the arrival lasts as long as the address of the page. */
const write = (change: Partial<Arrival>) =>
  void writeStored('localStorage', key, { ...read(), ...change, until: Date.now() + lifetimeMs })

const asCode = (value: string | null) => (value && /^[\w-]{1,60}$/.test(value) ? value : undefined)

/** Stores `ref`, `voucher`, `wave`, `track`, `programme` and `next` from an address; absent parameters keep their stored value. */
export function rememberArrival(search: string) {
  const parameters = new URLSearchParams(search)
  const next = safeReturnPath(parameters.get('next'))
  const returnSearch = next?.includes('?') ? new URLSearchParams(next.slice(next.indexOf('?'))) : new URLSearchParams()
  const parameterOf = (name: string) => asCode(parameters.get(name)) ?? asCode(returnSearch.get(name))
  const ref = parameterOf('ref')
  const choice = { wave: parameterOf('wave'), track: parameterOf('track'), programme: parameterOf('programme') }
  rememberReferral({ ref, voucher: parameterOf('voucher') })
  if (choice.wave || choice.track || choice.programme) write({ choice: onlyGiven(choice) })
  if (next) write({ next })
}

const onlyGiven = (choice: Record<string, string | undefined>): StudyChoice =>
  Object.fromEntries(Object.entries(choice).filter((entry) => entry[1] !== undefined))

export const keptChoice = () => read().choice
export const keptReturnPath = () => safeReturnPath(read().next)

/** Path to open after signing in; removed once read, so that the next sign-in does not follow it. */
export function takeReturnPath(): string | null {
  const next = keptReturnPath()
  if (next) write({ next: undefined })
  return next
}
export const forgetChoice = () => write({ choice: undefined })
