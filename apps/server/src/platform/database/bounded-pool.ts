import { AppError } from '#server/platform/errors.ts'
import { refuseInTransaction } from './transaction-guard.ts'

export type BoundedPool = <T>(work: () => Promise<T>) => Promise<T>

/** Retry-After for a caller refused because the queue is full. */
const retryAfterSeconds = 5

/** Runs at most `atOnce` tasks at a time; `waiting` more may queue, further ones get 503. */
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
