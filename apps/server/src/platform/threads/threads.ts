import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  /** Memory of one thread, in megabytes. */
  memoryMb: number
  /** Milliseconds the caller waits for a thread, all batches together; what the caller does in between is not counted. */
  timeMs: number
}

export type ThreadFault = 'out_of_memory' | 'out_of_time' | 'broken'

/** A thread ended before its work was done; `fault` is what it said itself, or how it died. */
export class ThreadError extends Error {
  readonly fault: ThreadFault | (string & {})
  constructor(fault: ThreadFault | (string & {}), cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

/** What a thread says. */
export type Said<T> = { batch: T } | { done: true } | { fault: string; message: string }

/** Batches a thread makes before the first is taken. */
const ahead = 2

/**
 * Runs a file of ours in a thread and yields the batches it makes, few at a time. The thread shares nothing with this
 * one: a file that takes all its memory or time ends the thread and throws `ThreadError` here.
 */
export async function* batchesOf<T>(file: URL, data: unknown, { memoryMb, timeMs }: ThreadLimits): AsyncGenerator<T> {
  const thread = new Worker(file, {
    workerData: data,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const said: Said<T>[] = []
  let wake = () => {}
  const hear = (word: Said<T>) => {
    said.push(word)
    wake()
  }
  thread.on('message', hear)
  thread.on('error', (error: Error & { code?: string }) =>
    hear({
      fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'broken',
      message: String(error.stack ?? error),
    }),
  )
  thread.on('exit', (code) => hear({ fault: 'broken', message: `the thread ended with ${code}` }))

  let left = timeMs
  async function nextWord(): Promise<Said<T>> {
    if (said.length === 0) {
      const begun = performance.now()
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(late)
          resolve()
        }
      })
      left -= performance.now() - begun
    }
    return said.shift() ?? { fault: 'out_of_time', message: `no answer within ${timeMs} ms` }
  }

  try {
    for (let i = 0; i < ahead; i++) thread.postMessage('next')
    for (;;) {
      const word = await nextWord()
      if ('fault' in word) throw new ThreadError(word.fault, word.message)
      if ('done' in word) return
      thread.postMessage('next')
      yield word.batch
    }
  } finally {
    await thread.terminate()
  }
}
