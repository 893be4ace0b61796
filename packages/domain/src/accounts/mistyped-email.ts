/** Mail services that most applicants use. */
const knownDomains = ['gmail.com', 'yahoo.com', 'yahoo.co.id', 'outlook.com', 'hotmail.com', 'icloud.com', 'ymail.com']

/** Services of their own whose names are one letter away from a known one, and endings that are no slip. */
const otherDomains = new Set(['mail.com', 'email.com', 'googlemail.com', 'outlook.co.id', 'hotmail.co.id', 'live.com'])

/** Whether one letter was left out, added, replaced, or swapped with its neighbour. */
function isOneSlipAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start++
  let end = 0
  while (end < Math.min(typed.length, meant.length) - start && typed.at(-1 - end) === meant.at(-1 - end)) end++
  const [was, is] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  if (was.length + is.length === 1 || (was.length === 1 && is.length === 1)) return true
  return was.length === 2 && is.length === 2 && was[0] === is[1] && was[1] === is[0]
}

/** Endings that people add to or leave off a known service: `gmail`, `gmail.co`, `gmail.co.id`, `gmail.id`. */
const wrongEndings = /^(gmail|icloud)(\.co|\.co\.id|\.id)?$|^(yahoo|outlook|hotmail)(\.co)?$/

/** The address somebody most likely meant instead of `siti@gmial.com`; null if nothing looks mistyped. */
export function meantEmail(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  if (at < 1 || domain === '' || knownDomains.includes(domain) || otherDomains.has(domain)) return null
  const ending = wrongEndings.exec(domain)
  const service = ending?.[1] ?? ending?.[3]
  const meant = service ? `${service}.com` : knownDomains.find((known) => isOneSlipAway(domain, known))
  return meant ? `${email.slice(0, at).trim()}@${meant}` : null
}
