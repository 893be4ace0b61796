import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  memoryMb: number
  /** Total time the caller waits for the thread, over all batches, without the caller's own work in between. */
  timeMs: number
}

export type ThreadFault = 'out_of_memory' | 'out_of_time' | 'broken'

/** A thread ended before its work was done; `fault` is its message or how it died. */
export class ThreadError extends Error {
  readonly fault: ThreadFault | (string & {})
  constructor(fault: ThreadFault | (string & {}), cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

/** Messages to a thread: the data of a task, and calls for its batches. */
export type ThreadCall = { data: unknown } | 'next'

/** Messages of a thread. */
export type ThreadMessage<T> = { batch: T } | { done: true } | { fault: string; message: string }

/** Batches a thread makes before the caller takes the first. */
const batchesAhead = 2

type IdleThread = { thread: Worker; discard: () => void; timer: NodeJS.Timeout }

/** Idle threads by file and memory limit: starting a thread takes far longer than reading a small sheet. */
const idleThreads = new Map<string, IdleThread>()
const idleMs = 5_000
const keyOf = (file: URL, memoryMb: number) => `${file} ${memoryMb}`

function takeIdleThread(key: string): Worker | undefined {
  const idle = idleThreads.get(key)
  if (!idle) return undefined
  idleThreads.delete(key)
  clearTimeout(idle.timer)
  return idle.thread.off('error', idle.discard).off('exit', idle.discard)
}

const startThread = (file: URL, memoryMb: number) =>
  new Worker(file, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })

/** Keeps a thread for five seconds after its work, without keeping the process alive. */
async function keepThread(thread: Worker, key: string) {
  const discard = () => {
    if (idleThreads.get(key)?.thread === thread) idleThreads.delete(key)
    void thread.terminate()
  }
  thread.on('error', discard).on('exit', discard).unref()
  if (idleThreads.has(key)) await thread.terminate()
  else idleThreads.set(key, { thread, discard, timer: setTimeout(discard, idleMs).unref() })
}

/**
 * Runs a source file in a thread and yields its batches, with at most two made ahead. The thread shares no memory with
 * this one: if it exceeds its memory or time, it ends and `ThreadError` is thrown here. A thread whose batches were all
 * read is used again; if it breaks before its first answer, another one takes over.
 */
export async function* batchesOf<T>(file: URL, data: unknown, limits: ThreadLimits): AsyncGenerator<T> {
  const { memoryMb, timeMs } = limits
  const key = keyOf(file, memoryMb)
  const idleThread = takeIdleThread(key)
  const thread = idleThread ?? startThread(file, memoryMb)
  thread.ref()
  const send = (call: ThreadCall) => thread.postMessage(call)
  const messages: (ThreadMessage<T> & { isDeath?: true })[] = []
  let wake = () => {}
  const receive = (message: (typeof messages)[number]) => {
    messages.push(message)
    wake()
  }
  const onError = (error: Error & { code?: string }) =>
    receive({
      fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'broken',
      message: String(error.stack ?? error),
      isDeath: true,
    })
  const onExit = (code: number) => receive({ fault: 'broken', message: `the thread ended with ${code}`, isDeath: true })
  thread.on('message', receive).on('error', onError).on('exit', onExit)

  let remainingMs = timeMs
  async function nextMessage() {
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

  let unanswered = batchesAhead
  let hasAnswered = false
  let isDone = false
  try {
    send({ data })
    for (let i = 0; i < batchesAhead; i++) send('next')
    // Every call must be answered before the thread gets other work, or that work would get this answer.
    while (unanswered > 0) {
      const message = await nextMessage()
      if ('fault' in message) {
        if (!idleThread || hasAnswered || !message.isDeath) throw new ThreadError(message.fault, message.message)
        yield* batchesOf<T>(file, data, limits)
        return
      }
      hasAnswered = true
      unanswered--
      if ('done' in message) continue
      send('next')
      unanswered++
      yield message.batch
    }
    // A thread that died after its last answer has reported it by now.
    isDone = messages.length === 0
  } finally {
    if (isDone) {
      thread.off('message', receive).off('error', onError).off('exit', onExit)
      await keepThread(thread, key)
    } else await thread.terminate()
  }
}
