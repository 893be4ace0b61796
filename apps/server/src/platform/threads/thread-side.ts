import { parentPort } from 'node:worker_threads'
import type { ThreadCall, ThreadMessage } from './threads.ts'

/** Thread side of `batchesOf`: produces a batch for each call from the other side. */
export function answerWith<D, T>(batches: (data: D) => AsyncIterable<T>) {
  let iterator: AsyncIterator<T>
  if (!parentPort) throw new Error('Not in a thread')
  const port = parentPort
  const say = (word: ThreadMessage<T>) => port.postMessage(word)
  port.on('message', (call: ThreadCall) => {
    if (call !== 'next') {
      iterator = batches(call.data as D)[Symbol.asyncIterator]()
      return
    }
    iterator.next().then(
      ({ value, done }) => say(done ? { done: true } : { batch: value as T }),
      (error: Error & { fault?: string }) => say({ fault: error.fault ?? 'broken', message: String(error.stack) }),
    )
  })
}
