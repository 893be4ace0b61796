import { type CallOptions, headersOf, storedToken, toApiError, unreachableError, urlOf } from './client.ts'

const uploadTimeoutMs = 10 * 60_000

/** What an upload waits for before it goes on by itself. */
export type Waiting = 'network' | 'server'
export type OnProgress = (share: number, waiting?: Waiting) => void

export type Transmission = {
  method?: 'GET' | 'POST'
  path: string
  query?: Record<string, unknown>
  body?: FormData | Blob | string
  type?: string
  onSent?: (share: number) => void
  options: CallOptions
}
/** Sends a body with an `XMLHttpRequest`, which reports how much has left. */
export function transmit<T>({ method = 'POST', path, query, body, type, onSent, options }: Transmission): Promise<T> {
  return new Promise((resolve, reject) => {
    const token = storedToken()
    const request = new XMLHttpRequest()
    request.open(method, urlOf(path, query && { query }))
    for (const [name, value] of Object.entries(headersOf(options, token))) request.setRequestHeader(name, value)
    if (type) request.setRequestHeader('Content-Type', type)
    request.timeout = options.timeoutMs ?? uploadTimeoutMs
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onSent?.(event.loaded / event.total)
    }
    request.onload = () => {
      if (request.status < 200 || request.status >= 300)
        return reject(
          toApiError(request.status, request.responseText, request.getResponseHeader('x-request-id'), token),
        )
      resolve((request.responseText ? JSON.parse(request.responseText) : undefined) as T)
    }
    request.onerror = () => reject(unreachableError(false))
    request.ontimeout = () => reject(unreachableError(true))
    options.signal?.addEventListener('abort', () => request.abort())
    request.onabort = () => reject(options.signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    request.send(body)
  })
}
