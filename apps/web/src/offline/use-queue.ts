import { useCallback, useEffect, useRef, useState } from 'react'
import { newId } from './new-id.ts'
import { addToQueue, type QueuedItem } from './queue.ts'
import { keepFlushing, type QueueOptions, sendQueue } from './send-queue.ts'

type Options<T> = Pick<QueueOptions<T>, 'topic' | 'owner' | 'batchSize'> & {
  /** Sends items. They leave the queue when it resolves, and wait for another attempt when it rejects. */
  send: (items: readonly QueuedItem<T>[]) => Promise<unknown>
}

const pauseMs = 10_000

/**
 * Writes of a topic that survive lost network and reloads: stored on the device and sent in order once the server is
 * reachable.
 */
export function useQueue<T>({ topic, owner, batchSize, send }: Options<T>) {
  const [items, setItems] = useState<readonly QueuedItem<T>[]>([])
  const [failure, setFailure] = useState<Error | null>(null)
  const sender = useRef(send)
  sender.current = send

  const flush = useCallback(async () => {
    try {
      await sendQueue<T>({
        topic,
        owner,
        batchSize,
        send: async (batch) => {
          await sender.current(batch)
          const sentIds = new Set(batch.map(({ id }) => id))
          setItems((before) => before.filter(({ id }) => !sentIds.has(id)))
          return []
        },
        onRead: setItems,
      })
      setFailure(null)
      return true
    } catch (error) {
      setFailure(error as Error)
      return false
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

  useEffect(() => keepFlushing(flush, () => pauseMs), [flush])

  return { items, failure, add }
}
