import { describe, expect, it } from 'vitest'
import { type Browser, joinStream, type OpenStream, type StreamState, waitMsAfter } from './shared-stream.ts'

/** Fakes the locks and broadcast channels that the tabs of one browser share. */
function aBrowser(): Required<Pick<Browser, 'locks' | 'channel'>> {
  const queue: (() => void)[] = []
  let isHeld = false
  const channels = new Set<ReturnType<Required<Browser>['channel']>>()
  const next = () => {
    isHeld = false
    queue.shift()?.()
  }
  return {
    locks: {
      request: (_, { signal }, hold) =>
        new Promise<void>((resolve, reject) => {
          const run = () => {
            isHeld = true
            void hold().then(next).then(resolve)
          }
          signal.addEventListener('abort', () => {
            const at = queue.indexOf(run)
            if (at < 0) return
            queue.splice(at, 1)
            reject(new Error('aborted'))
          })
          if (isHeld) queue.push(run)
          else run()
        }),
    },
    channel: () => {
      const own: ReturnType<Required<Browser>['channel']> = {
        onmessage: null,
        postMessage: (data) => {
          for (const other of channels) if (other !== own) other.onmessage?.({ data })
        },
        close: () => void channels.delete(own),
      }
      channels.add(own)
      return own
    },
  }
}

/** Fakes a server that numbers its events. `cut` breaks all its streams. */
function aServer() {
  const events: string[] = []
  const streams = new Set<{ push: (id: string) => void; cut: () => void }>()
  const requests: (string | null)[] = []
  const open: OpenStream = ({ after, signal, onOpen, onEvent }) =>
    new Promise((resolve, reject) => {
      requests.push(after)
      const stream = {
        push: (id: string) => onEvent({ id, kind: 'message', data: null }),
        cut: () => {
          streams.delete(stream)
          reject(new Error('lost'))
        },
      }
      signal.addEventListener('abort', () => {
        streams.delete(stream)
        resolve()
      })
      onOpen()
      for (const id of events.filter((id) => after !== null && Number(id) > Number(after))) stream.push(id)
      streams.add(stream)
    })
  return {
    open,
    streams,
    requests,
    publish: () => {
      const id = String(events.length + 1)
      events.push(id)
      for (const { push } of streams) push(id)
    },
    cut: () => {
      for (const { cut } of [...streams]) cut()
    },
  }
}

function aTab(open: OpenStream, browser: Browser, wait: Browser['wait'] = async () => {}) {
  const ids: number[] = []
  const states: StreamState[] = []
  const leave = joinStream(
    'chat',
    open,
    { onEvent: ({ id }) => ids.push(Number(id)), onState: (state) => states.push(state) },
    { ...browser, wait },
  )
  return { ids, states, leave }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('tabs of one browser', () => {
  it('read one stream, and each hears every event once', async () => {
    const [server, browser] = [aServer(), aBrowser()]
    const tabs = [1, 2, 3].map(() => aTab(server.open, browser))
    await settle()
    server.publish()
    server.publish()
    expect(server.streams.size).toBe(1)
    for (const { ids, states } of tabs) {
      expect(ids).toEqual([1, 2])
      expect(states).toEqual(['open'])
    }
  })

  it('continue after the last event when the tab that reads closes', async () => {
    const [server, browser] = [aServer(), aBrowser()]
    const [first, second] = [aTab(server.open, browser), aTab(server.open, browser)]
    server.publish()
    first.leave()
    server.publish()
    await settle()
    server.publish()
    expect(server.requests).toEqual([null, '1'])
    expect(second.ids).toEqual([1, 2, 3])
    expect(first.ids).toEqual([1])
  })

  it('that open later know the position of the stream, even if nothing happens before they read themselves', async () => {
    const [server, browser] = [aServer(), aBrowser()]
    const first = aTab(server.open, browser)
    server.publish()
    const second = aTab(server.open, browser)
    expect(second.states).toEqual(['open'])
    first.leave()
    await settle()
    expect(server.requests).toEqual([null, '1'])
    expect(second.ids).toEqual([])
  })

  it('miss nothing and hear nothing twice while the connection is cut a thousand times', async () => {
    const [server, browser] = [aServer(), aBrowser()]
    const tabs = [aTab(server.open, browser), aTab(server.open, browser)]
    server.publish()
    for (let cuts = 0; cuts < 1000; cuts++) {
      server.cut()
      server.publish()
      if (cuts % 3 === 0) server.publish()
      await Promise.resolve()
      await Promise.resolve()
    }
    await settle()
    server.publish()
    const last = server.requests.length
    expect(last).toBeGreaterThan(300)
    for (const { ids } of tabs) expect(ids).toEqual(ids.map((_, index) => index + 1))
    expect(tabs[0]!.ids.length).toBe(1336)
    expect(tabs[1]!.ids).toEqual(tabs[0]!.ids)
  })

  it('read one stream each where the browser has no locks', async () => {
    const server = aServer()
    const tabs = [aTab(server.open, {}), aTab(server.open, {})]
    await settle()
    server.publish()
    expect(server.streams.size).toBe(2)
    for (const { ids } of tabs) expect(ids).toEqual([1])
    for (const { leave } of tabs) leave()
    expect(server.streams.size).toBe(0)
  })

  it('wait longer after each failure, at most half a minute', () => {
    expect([1, 2, 3, 10].map((failures) => waitMsAfter(failures, () => 1))).toEqual([1_000, 2_000, 4_000, 30_000])
    expect(waitMsAfter(1, () => 0)).toBe(500)
  })
})
