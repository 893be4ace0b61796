import { AppError } from '#server/platform/errors.ts'
import { refuseInTransaction } from './transaction-guard.ts'

export type BoundedPool = <T>(work: () => Promise<T>) => Promise<T>

/** Seconds after which a caller that found the line full should try again. */
const retryAfter = 5

/** Does at most `atOnce` pieces of work at a time; `waiting` more stand in line, the next one is refused with 503. */
export function boundedPool(name: string, { atOnce, waiting }: { atOnce: number; waiting: number }): BoundedPool {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    refuseInTransaction(name)
    if (running < atOnce) running++
    else if (line.length < waiting) await new Promise<void>((turn) => line.push(turn))
    else throw new AppError(503, 'service_unavailable', { retryAfter })
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
