import { type QueuedItem, queuedItems, removeFromQueue } from './queue.ts'

export type QueueOptions<T> = {
  topic: string
  owner: string
  /** Most items per request. */
  batchSize: number
  /** Parallel requests; with two, one travels while the server works on the other. */
  lanes?: number
  /** Sends items and returns the ids of those that must stay; the others leave the queue. If it rejects, all stay. */
  send: (items: readonly QueuedItem<T>[]) => Promise<readonly string[]>
  /** Called with all waiting items after each read of the queue. */
  onRead?: (items: readonly QueuedItem<T>[]) => void
}

/**
 * Sends all waiting items of a topic, oldest first, in one tab at a time. An item that stays is tried once per call;
 * rejects when `send` does.
 */
export const sendQueue = <T>({ topic, owner, batchSize, lanes = 1, send, onRead }: QueueOptions<T>): Promise<void> =>
  alone(`queue:${topic}`, async () => {
    const tried = new Set<string>()
    for (;;) {
      const waiting = await queuedItems<T>(owner, topic)
      onRead?.(waiting)
      const due = waiting.filter(({ id }) => !tried.has(id))
      if (due.length === 0) return
      let next = 0
      const runLane = async () => {
        while (next < due.length) {
          const batch = due.slice(next, next + batchSize)
          next += batchSize
          const stayingIds = new Set(await send(batch))
          await removeFromQueue(batch.map(({ id }) => id).filter((id) => !stayingIds.has(id)))
          for (const { id } of batch) tried.add(id)
        }
      }
      // Holds the lock until every lane has ended; after a failure the other lanes start nothing new.
      const outcomes = await Promise.allSettled(
        Array.from({ length: lanes }, () =>
          runLane().catch((error) => {
            next = due.length
            throw error
          }),
        ),
      )
      const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (failed) throw failed.reason
    }
  })

/**
 * Calls `flush` now, when the network or the reader comes back, and after each pause; `pauseMs` gets the number of
 * consecutive failures. Returns a function that stops this.
 */
export function keepFlushing(flush: () => Promise<boolean>, pauseMs: (failures: number) => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let ended = false
  const run = async () => {
    clearTimeout(timer)
    failures = (await flush()) ? 0 : failures + 1
    clearTimeout(timer)
    if (!ended) timer = setTimeout(run, pauseMs(failures))
  }
  const runNow = () => void run()
  runNow()
  addEventListener('online', runNow)
  document.addEventListener('visibilitychange', runNow)
  return () => {
    ended = true
    clearTimeout(timer)
    removeEventListener('online', runNow)
    document.removeEventListener('visibilitychange', runNow)
  }
}

const running = new Set<string>()

/** Runs the work unless it is already running, in this tab or, if the browser has locks, in another. */
async function alone(name: string, work: () => Promise<void>) {
  if (running.has(name)) return
  running.add(name)
  try {
    if (navigator.locks) await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && work())
    else await work()
  } finally {
    running.delete(name)
  }
}
