import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventParser, readEvents, type StreamEvent } from './event-stream.ts'

const parsed = (...pieces: string[]) => {
  const events: StreamEvent[] = []
  const parse = eventParser((event) => events.push(event))
  for (const piece of pieces) parse(piece)
  return events
}

describe('an event stream', () => {
  const text = 'id: 7\nevent: message\ndata: {"seq":3}\n\n: beat\n\nid: 8\r\nevent: read\r\ndata: a\r\ndata: b\r\n\r\n'
  const events = [
    { id: '7', kind: 'message', data: '{"seq":3}' },
    { id: '8', kind: 'read', data: 'a\nb' },
  ]

  it('gives the same events wherever the text is split', () => {
    for (let at = 0; at <= text.length; at++) expect(parsed(text.slice(0, at), text.slice(at))).toEqual(events)
    expect(parsed(...text)).toEqual(events)
  })

  it('gives no event that was cut off', () => {
    expect(parsed('id: 7\ndata: x\n')).toEqual([])
  })
})

describe('reading an event stream', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
    vi.unstubAllGlobals()
  })

  async function serve(answer: Parameters<typeof createServer>[1]) {
    const server = createServer(answer!)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const real = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => real(`http://127.0.0.1:${port}${url}`, init))
    vi.stubGlobal('document', { documentElement: { lang: 'id' } })
    vi.stubGlobal('localStorage', { getItem: () => 'secret' })
  }
  const read = (options: Partial<Parameters<typeof readEvents>[1]> = {}) =>
    readEvents('/chat/stream', {
      query: { after: '5' },
      signal: new AbortController().signal,
      onOpen: () => {},
      onEvent: () => {},
      silenceMs: 2_000,
      ...options,
    })

  it('sends the token and the last event id, and ends when the server ends it', async () => {
    const requests: unknown[] = []
    await serve((request, response) => {
      requests.push([request.url, request.headers.authorization])
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('id: 6\nevent: message\ndata: {}\n\n')
    })
    const events: StreamEvent[] = []
    await read({ onEvent: (event) => events.push(event) })
    expect(requests).toEqual([['/api/chat/stream?after=5', 'Bearer secret']])
    expect(events).toEqual([{ id: '6', kind: 'message', data: '{}' }])
  })

  it('that falls silent counts as lost', async () => {
    await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': beat\n\n')
    })
    await expect(read({ silenceMs: 150 })).rejects.toMatchObject({ code: 'timeout' })
  })

  it("refused by the server rejects with the server's sentence", async () => {
    await serve((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json' })
      response.end('{"code":"too_many_attempts","message":"Too many"}')
    })
    await expect(read()).rejects.toMatchObject({ status: 429, message: 'Too many' })
  })

  it('left by the reader ends without an error', async () => {
    await serve((_, response) => void response.writeHead(200).flushHeaders())
    const leaving = new AbortController()
    await read({ signal: leaving.signal, onOpen: () => leaving.abort() })
  })
})
