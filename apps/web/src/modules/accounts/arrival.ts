import { safeReturnPath } from '#domain/accounts/redirect.ts'

/**
 * What a visitor brought along before having an account: a referral code, a study choice made on a public page, and
 * the page that asked to sign in. Kept on the device, because the confirmation mail is often opened in another tab.
 */
export type StudyChoice = { wave?: string; track?: string; programme?: string }
type Kept = { ref?: string; choice?: StudyChoice; next?: string; until: number }

const key = 'arrival'
const keepFor = 7 * 24 * 3_600_000

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null
    if (kept && kept.until > Date.now()) return kept
  } catch {
    // Without storage nothing is brought along.
  }
  return { until: 0 }
}

function write(change: Partial<Kept>) {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(), ...change, until: Date.now() + keepFor }))
  } catch {
    // Then it lasts as long as the page's own address.
  }
}

const plain = (value: string | null) => (value && /^[\w-]{1,60}$/.test(value) ? value : undefined)

/** Reads `ref`, `wave`, `track`, `programme` and `next` from an address; what it does not name stays as it was. */
export function rememberArrival(search: string) {
  const given = new URLSearchParams(search)
  const next = safeReturnPath(given.get('next'))
  const asked = next?.includes('?') ? new URLSearchParams(next.slice(next.indexOf('?'))) : new URLSearchParams()
  const named = (name: string) => plain(given.get(name)) ?? plain(asked.get(name))
  const ref = named('ref')
  const choice = { wave: named('wave'), track: named('track'), programme: named('programme') }
  if (ref) write({ ref })
  if (choice.wave || choice.track || choice.programme) write({ choice: onlyGiven(choice) })
  if (next) write({ next })
}

const onlyGiven = (choice: Record<string, string | undefined>): StudyChoice =>
  Object.fromEntries(Object.entries(choice).filter((entry) => entry[1] !== undefined))

export const keptReferral = () => read().ref
export const keptChoice = () => read().choice
export const keptReturnPath = () => safeReturnPath(read().next)

/** Where to go on, once: the next sign-in starts without it. */
export function takeReturnPath(): string | null {
  const next = keptReturnPath()
  if (next) write({ next: undefined })
  return next
}
export const forgetChoice = () => write({ choice: undefined })
export const forgetReferral = () => write({ ref: undefined })
