import { headersOf, storedToken, toApiError, unreachableError, urlOf } from './client.ts'

/** One event of a stream; `id` is empty if the server does not number it. */
export type StreamEvent = { id: string; kind: string; data: string }

/**
 * Returns a function that takes the text of an event stream in pieces of any length and calls `onEvent` for each
 * complete event. Skips comments, which only keep the connection alive.
 */
export function eventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = ''
  let event = { id: '', kind: 'message', data: [] as string[] }
  const readLine = (line: string) => {
    if (line === '') {
      if (event.data.length > 0) onEvent({ ...event, data: event.data.join('\n') })
      event = { id: '', kind: 'message', data: [] }
      return
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (field === 'id') event.id = value
    if (field === 'event') event.kind = value
    if (field === 'data') event.data.push(value)
  }
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) readLine(line.replace(/\r$/, ''))
  }
}

type Options = {
  query: Record<string, unknown>
  signal: AbortSignal
  /** Called once the server has accepted the connection. */
  onOpen: () => void
  onEvent: (event: StreamEvent) => void
  /**
   * Milliseconds without a byte after which the connection counts as lost; a phone does not notice a dead connection.
   */
  silenceMs: number
}

/**
 * Reads an event stream until the server or `signal` ends it. Throws `ApiError` if the server refuses it or the
 * connection is lost. Replaces `EventSource`, which cannot send the bearer token.
 */
export async function readEvents(path: string, { query, signal, onOpen, onEvent, silenceMs }: Options) {
  const token = storedToken()
  const lost = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => lost.abort(), silenceMs)
  }
  listen()
  try {
    const response = await fetch(urlOf(path, { query }), {
      headers: { ...headersOf({}, token), Accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, lost.signal]),
      cache: 'no-store',
    })
    if (!response.ok)
      throw toApiError(response.status, await response.text(), response.headers.get('x-request-id'), token)
    onOpen()
    const parse = eventParser(onEvent)
    const decoder = new TextDecoder()
    const reader = response.body!.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      listen()
      parse(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    if (signal.aborted) return
    throw (error as Error).name === 'ApiError' ? error : unreachableError(lost.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}
