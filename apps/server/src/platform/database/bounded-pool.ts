import { AppError } from '#server/platform/errors.ts'
import { refuseInTransaction } from './transaction-guard.ts'

export type BoundedPool = <T>(work: () => Promise<T>) => Promise<T>

/** Value of Retry-After for a caller refused by a full queue. */
const retryAfterSeconds = 5

/** Runs at most `atOnce` pieces of work at a time; `waiting` more queue, further ones are refused with 503. */
export function boundedPool(
  name: string,
  { atOnce, waiting: maxWaiting }: { atOnce: number; waiting: number },
): BoundedPool {
  const waitingTurns: (() => void)[] = []
  let runningCount = 0
  return async (work) => {
    refuseInTransaction(name)
    if (runningCount < atOnce) runningCount++
    else if (waitingTurns.length < maxWaiting) await new Promise<void>((takeTurn) => waitingTurns.push(takeTurn))
    else throw new AppError(503, 'service_unavailable', { retryAfter: retryAfterSeconds })
    try {
      return await work()
    } finally {
      const next = waitingTurns.shift()
      if (next) next()
      else runningCount--
    }
  }
}
