import { parentPort, workerData } from 'node:worker_threads'
import type { Said } from './threads.ts'

/** The inner side of `batchesOf`: makes one batch each time the other side has taken one. */
export function answerWith<D, T>(batches: (data: D) => AsyncIterable<T>) {
  const made = batches(workerData as D)[Symbol.asyncIterator]()
  const say = (word: Said<T>) => parentPort!.postMessage(word)
  parentPort!.on('message', () => {
    made.next().then(
      ({ value, done }) => say(done ? { done: true } : { batch: value as T }),
      (error: Error & { fault?: string }) => say({ fault: error.fault ?? 'broken', message: String(error.stack) }),
    )
  })
}
