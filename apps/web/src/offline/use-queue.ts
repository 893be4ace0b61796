import { useCallback, useEffect, useRef, useState } from 'react'
import { newId } from './new-id.ts'
import { addToQueue, type QueuedItem, queuedItems, removeFromQueue } from './queue.ts'

type Options<T> = {
  topic: string
  owner: string
  /** Most items of one request. */
  batchSize: number
  /** Sends items; they leave the queue when it resolves, and wait for another attempt when it rejects. */
  send: (items: readonly QueuedItem<T>[]) => Promise<unknown>
}

const pauseMs = 10_000

/** Writes of a topic that outlive the network and the page: kept on the device and sent in order when it can be reached. */
export function useQueue<T>({ topic, owner, batchSize, send }: Options<T>) {
  const [items, setItems] = useState<readonly QueuedItem<T>[]>([])
  const [failure, setFailure] = useState<Error | null>(null)
  const sender = useRef(send)
  sender.current = send

  const flush = useCallback(async () => {
    try {
      await alone(`queue:${topic}`, async () => {
        for (;;) {
          const waiting = await queuedItems<T>(owner, topic)
          setItems(waiting)
          if (waiting.length === 0) break
          const batch = waiting.slice(0, batchSize)
          await sender.current(batch)
          await removeFromQueue(batch.map(({ id }) => id))
        }
      })
      setFailure(null)
    } catch (error) {
      setFailure(error as Error)
    }
  }, [topic, owner, batchSize])

  const add = useCallback(
    async (data: T) => {
      const item = { id: newId(), topic, owner, at: new Date().toISOString(), data }
      await addToQueue(item)
      setItems((before) => [...before, item])
      void flush()
      return item
    },
    [topic, owner, flush],
  )

  useEffect(() => {
    void flush()
    const timer = setInterval(() => void flush(), pauseMs)
    addEventListener('online', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      clearInterval(timer)
      removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [flush])

  return { items, failure, add }
}

const running = new Set<string>()

/** Runs the work unless it runs already, in this tab or, where the browser has locks, in another. */
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
