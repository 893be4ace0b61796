import { type CallOptions, headersOf, notReached, refusal, storedToken, urlOf } from './client.ts'
import { sendWithKey } from './send.ts'

const uploadTimeoutMs = 10 * 60_000

/** Files sent at a time; the server refuses more of one account. */
const mostAtOnce = 3
const waiting: (() => void)[] = []
let running = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < mostAtOnce) running++
  else await new Promise<void>((start) => waiting.push(start))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/**
 * Sends files with the progress from 0 to 1, a few at a time and the others after them; `path` is below /api. The same
 * file sent again keeps its key.
 */
export const upload = <T>(
  path: string,
  form: FormData,
  onProgress?: (share: number) => void,
  options: CallOptions = {},
): Promise<T> =>
  sendWithKey({ method: 'UPLOAD', url: path, input: nameOf(form) }, (idempotencyKey) =>
    inTurn(() => {
      options.signal?.throwIfAborted()
      return transmit(path, form, onProgress, { ...options, idempotencyKey })
    }),
  )

/** Tells one choice of files from another without reading them. */
const nameOf = (form: FormData) =>
  JSON.stringify(
    [...form].map(([field, value]) => [
      field,
      typeof value === 'string' ? value : [value.name, value.size, value.lastModified],
    ]),
  )

function transmit<T>(
  path: string,
  form: FormData,
  onProgress: ((share: number) => void) | undefined,
  options: CallOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const token = storedToken()
    const request = new XMLHttpRequest()
    request.open('POST', urlOf(path))
    for (const [name, value] of Object.entries(headersOf(options, token))) request.setRequestHeader(name, value)
    request.timeout = uploadTimeoutMs
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      if (request.status < 200 || request.status >= 300)
        return reject(refusal(request.status, request.responseText, request.getResponseHeader('x-request-id'), token))
      resolve((request.responseText ? JSON.parse(request.responseText) : undefined) as T)
    }
    request.onerror = () => reject(notReached(false))
    request.ontimeout = () => reject(notReached(true))
    options.signal?.addEventListener('abort', () => request.abort())
    request.onabort = () => reject(options.signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    request.send(form)
  })
}
