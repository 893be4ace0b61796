import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  memoryMb: number
  /** Time the caller waits for the thread, all batches together, without the caller's own work in between. */
  timeMs: number
}

export type ThreadFault = 'out_of_memory' | 'out_of_time' | 'broken'

/** A thread ended before its work was done; `fault` is its own message or the way it died. */
export class ThreadError extends Error {
  readonly fault: ThreadFault | (string & {})
  constructor(fault: ThreadFault | (string & {}), cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

/** Messages of a thread. */
export type ThreadMessage<T> = { batch: T } | { done: true } | { fault: string; message: string }

/** Batches a thread makes before the caller takes the first. */
const batchesAhead = 2

/**
 * Runs a source file in a thread and yields its batches, with at most two made ahead. The thread shares no memory with this
 * one: if it exceeds its memory or time, the thread ends and `ThreadError` is thrown here.
 */
export async function* batchesOf<T>(file: URL, data: unknown, { memoryMb, timeMs }: ThreadLimits): AsyncGenerator<T> {
  const thread = new Worker(file, {
    workerData: data,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const messages: ThreadMessage<T>[] = []
  let wake = () => {}
  const receive = (message: ThreadMessage<T>) => {
    messages.push(message)
    wake()
  }
  thread.on('message', receive)
  thread.on('error', (error: Error & { code?: string }) =>
    receive({
      fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'broken',
      message: String(error.stack ?? error),
    }),
  )
  thread.on('exit', (code) => receive({ fault: 'broken', message: `the thread ended with ${code}` }))

  let remainingMs = timeMs
  async function nextMessage(): Promise<ThreadMessage<T>> {
    if (messages.length === 0) {
      const startMs = performance.now()
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, remainingMs)
        wake = () => {
          clearTimeout(timeout)
          resolve()
        }
      })
      remainingMs -= performance.now() - startMs
    }
    return messages.shift() ?? { fault: 'out_of_time', message: `no answer within ${timeMs} ms` }
  }

  try {
    for (let i = 0; i < batchesAhead; i++) thread.postMessage('next')
    for (;;) {
      const message = await nextMessage()
      if ('fault' in message) throw new ThreadError(message.fault, message.message)
      if ('done' in message) return
      thread.postMessage('next')
      yield message.batch
    }
  } finally {
    await thread.terminate()
  }
}
