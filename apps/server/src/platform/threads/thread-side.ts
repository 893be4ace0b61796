import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from './threads.ts'

/** The thread's side of `batchesOf`: makes a batch for each message from the other side. */
export function answerWith<D, T>(batches: (data: D) => AsyncIterable<T>) {
  const iterator = batches(workerData as D)[Symbol.asyncIterator]()
  const say = (word: ThreadMessage<T>) => parentPort!.postMessage(word)
  parentPort!.on('message', () => {
    iterator.next().then(
      ({ value, done }) => say(done ? { done: true } : { batch: value as T }),
      (error: Error & { fault?: string }) => say({ fault: error.fault ?? 'broken', message: String(error.stack) }),
    )
  })
}
