import { mustGet } from '#domain/must.ts'
import { AppError } from './errors.ts'

/** Limits parallel work in this process: `whole` in total, `perAccount` for one account. */
export function limitPlaces({ whole, perAccount }: { whole: number; perAccount: number }) {
  const counts = new Map<string, number>()
  let total = 0
  /** Takes a place and returns the function that frees it (idempotent); throws 429 if none is free. */
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
      const remaining = mustGet(counts, accountId) - 1
      if (remaining > 0) counts.set(accountId, remaining)
      else counts.delete(accountId)
    }
  }
}
