import { AppError } from './errors.ts'

/** Limits work that runs in this process at a time: `whole` for everybody together, `perAccount` for one account. */
export function limitPlaces({ whole, perAccount }: { whole: number; perAccount: number }) {
  const counts = new Map<string, number>()
  let total = 0
  /** Takes a place and returns the function that frees it, at its first call; throws 429 while there is none. */
  return (accountId: string): (() => void) => {
    const count = counts.get(accountId) ?? 0
    if (total >= whole || count >= perAccount) throw new AppError(429, 'too_many_requests', { retryAfter: 10 })
    total++
    counts.set(accountId, count + 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      total--
      const remaining = counts.get(accountId)! - 1
      if (remaining > 0) counts.set(accountId, remaining)
      else counts.delete(accountId)
    }
  }
}
