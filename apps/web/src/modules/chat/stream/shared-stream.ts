/** An event of the stream, as passed between tabs. */
export type SharedEvent = { id: string; kind: string; data: unknown }

/** `lost`: the connection failed or ended, and none has opened since. */
export type StreamState = 'connecting' | 'open' | 'lost'

/** Reads events after the event id `after`, or new events if `after` is null. Settles when the stream ends. */
export type OpenStream = (options: {
  after: string | null
  signal: AbortSignal
  onOpen: () => void
  onEvent: (event: SharedEvent) => void
}) => Promise<void>

type Listener = { onEvent: (event: SharedEvent) => void; onState: (state: StreamState) => void }

/** Messages between tabs. A new tab posts `hello`, and the tab that reads the stream answers with `state`. */
type Note =
  | { note: 'hello' }
  | { note: 'state'; state: StreamState; lastId: string | null }
  | { note: 'event'; event: SharedEvent }

type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & {
  onmessage: ((event: { data: Note }) => void) | null
}

/** Browser features, replaced in tests. Without `locks` or `channel`, each tab reads its own stream. */
export type Browser = {
  locks?: { request: (name: string, options: { signal: AbortSignal }, hold: () => Promise<void>) => Promise<unknown> }
  channel?: (name: string) => Channel
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
}

const firstWaitMs = 1_000
const longestWaitMs = 30_000

/**
 * Wait before the next attempt, longer after several failures. A random part keeps clients from reconnecting at the
 * same time after the server restarts.
 */
export const waitMsAfter = (failures: number, random = Math.random) =>
  Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs) * (0.5 + random() / 2)

/** Waits `ms`. Ends early when the network returns, the tab becomes visible or `signal` aborts. */
function waitForChance(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', end)
      globalThis.document?.removeEventListener('visibilitychange', seen)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const seen = () => document.visibilityState === 'visible' && end()
    const timer = setTimeout(end, ms)
    globalThis.addEventListener?.('online', end)
    globalThis.document?.addEventListener('visibilitychange', seen)
    signal.addEventListener('abort', end)
  })
}

const ofThisBrowser = (): Browser => ({
  ...(globalThis.navigator?.locks && {
    locks: { request: (name, options, hold) => navigator.locks.request(name, options, hold) },
  }),
  ...('BroadcastChannel' in globalThis && { channel: (name) => new BroadcastChannel(name) as unknown as Channel }),
})

/** Shares one stream among the tabs of a browser. Returns a function that leaves the stream. */
export function joinStream(
  name: string,
  open: OpenStream,
  listener: Listener,
  { locks, channel: channelOf, wait = waitForChance, random = Math.random }: Browser = ofThisBrowser(),
): () => void {
  const left = new AbortController()
  const isShared = locks !== undefined && channelOf !== undefined
  const channel = isShared ? channelOf(name) : undefined
  let lastId: string | null = null
  let state: StreamState = 'connecting'
  let isLeader = !isShared
  const post = (note: Note) => channel?.postMessage(note)

  const changeState = (next: StreamState) => {
    state = next
    listener.onState(next)
  }
  const receive = (event: SharedEvent) => {
    if (event.id) lastId = event.id
    listener.onEvent(event)
  }
  if (channel)
    channel.onmessage = ({ data }) => {
      if (data.note === 'hello') {
        if (isLeader) post({ note: 'state', state, lastId })
        return
      }
      if (isLeader) return
      if (data.note === 'event') return receive(data.event)
      lastId = data.lastId ?? lastId
      if (data.state !== state) changeState(data.state)
    }
  post({ note: 'hello' })

  async function lead() {
    isLeader = true
    let failures = 0
    while (!left.signal.aborted) {
      try {
        await open({
          after: lastId,
          signal: left.signal,
          onOpen: () => {
            failures = 0
            changeState('open')
            post({ note: 'state', state, lastId })
          },
          onEvent: (event) => {
            receive(event)
            post({ note: 'event', event })
          },
        })
      } catch {
        // Retried below, like a stream that the server has ended.
      }
      if (left.signal.aborted) return
      failures++
      changeState('lost')
      post({ note: 'state', state, lastId })
      await wait(waitMsAfter(failures, random), left.signal)
    }
  }

  // The tab that holds the lock reads the stream. When that tab closes, another one continues after `lastId`.
  if (isShared) locks.request(name, { signal: left.signal }, lead).catch(() => {})
  else void lead()

  return () => {
    left.abort()
    channel?.close()
  }
}
