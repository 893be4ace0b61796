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

/** Messages to a thread: the data of a piece of work, and calls for its batches. */
export type ThreadCall = { data: unknown } | 'next'

/** Messages of a thread. */
export type ThreadMessage<T> = { batch: T } | { done: true } | { fault: string; message: string }

/** Batches a thread makes before the caller takes the first. */
const batchesAhead = 2

type IdleThread = { thread: Worker; end: () => void; timer: NodeJS.Timeout }

/** One thread without work for each file and memory: starting another takes far longer than reading a small sheet. */
const idleThreads = new Map<string, IdleThread>()
const idleMs = 5_000

function takeThread(file: URL, memoryMb: number): Worker {
  const idle = idleThreads.get(`${file} ${memoryMb}`)
  if (!idle)
    return new Worker(file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
  idleThreads.delete(`${file} ${memoryMb}`)
  clearTimeout(idle.timer)
  idle.thread.off('error', idle.end).off('exit', idle.end).ref()
  return idle.thread
}

/** Keeps a thread that has done its work for a moment; the process may end meanwhile. */
async function keepThread(thread: Worker, file: URL, memoryMb: number) {
  const key = `${file} ${memoryMb}`
  const end = () => {
    if (idleThreads.get(key)?.thread === thread) idleThreads.delete(key)
    void thread.terminate()
  }
  thread.on('error', end).on('exit', end).unref()
  if (idleThreads.has(key)) await thread.terminate()
  else idleThreads.set(key, { thread, end, timer: setTimeout(end, idleMs).unref() })
}

/**
 * Runs a source file in a thread and yields its batches, with at most two made ahead. The thread shares no memory with this
 * one: if it exceeds its memory or time, the thread ends and `ThreadError` is thrown here. One that is read to its end may do
 * the next piece of work.
 */
export async function* batchesOf<T>(file: URL, data: unknown, { memoryMb, timeMs }: ThreadLimits): AsyncGenerator<T> {
  const thread = takeThread(file, memoryMb)
  const call = (message: ThreadCall) => thread.postMessage(message)
  let unanswered = batchesAhead
  const messages: ThreadMessage<T>[] = []
  let wake = () => {}
  const receive = (message: ThreadMessage<T>) => {
    messages.push(message)
    wake()
  }
  const fail = (error: Error & { code?: string }) =>
    receive({
      fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'broken',
      message: String(error.stack ?? error),
    })
  const end = (code: number) => receive({ fault: 'broken', message: `the thread ended with ${code}` })
  thread.on('message', receive).on('error', fail).on('exit', end)

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

  let isDone = false
  try {
    call({ data })
    for (let i = 0; i < batchesAhead; i++) call('next')
    // Every call is answered before the thread gets other work, or that work would get this answer.
    while (unanswered > 0) {
      const message = await nextMessage()
      unanswered--
      if ('fault' in message) throw new ThreadError(message.fault, message.message)
      if ('done' in message) continue
      call('next')
      unanswered++
      yield message.batch
    }
    isDone = true
  } finally {
    if (isDone) {
      thread.off('message', receive).off('error', fail).off('exit', end)
      await keepThread(thread, file, memoryMb)
    } else await thread.terminate()
  }
}
