import { type CallOptions, headersOf, storedToken, toApiError, unreachableError, urlOf } from './client.ts'
import { sendWithKey } from './send.ts'

const uploadTimeoutMs = 10 * 60_000

/** Parallel uploads; the server refuses more per account. */
const maxAtOnce = 3
const waitingStarts: (() => void)[] = []
let running = 0

async function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running++
  else await new Promise<void>((start) => waitingStarts.push(start))
  try {
    return await work()
  } finally {
    const next = waitingStarts.shift()
    if (next) next()
    else running--
  }
}

/**
 * Uploads files and reports progress from 0 to 1; uploads beyond the limit wait. `path` is below /api. Uploading the
 * same file again keeps its key.
 */
export const upload = <T>(
  path: string,
  form: FormData,
  onProgress?: (share: number) => void,
  options: CallOptions = {},
): Promise<T> =>
  sendWithKey({ method: 'UPLOAD', url: path, input: fingerprintOf(form) }, (idempotencyKey) =>
    runInTurn(() => {
      options.signal?.throwIfAborted()
      return transmit(path, form, onProgress, { ...options, idempotencyKey })
    }),
  )

/** Tells uploads apart by name, size and date, without reading the files. */
const fingerprintOf = (form: FormData) =>
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
        return reject(
          toApiError(request.status, request.responseText, request.getResponseHeader('x-request-id'), token),
        )
      resolve((request.responseText ? JSON.parse(request.responseText) : undefined) as T)
    }
    request.onerror = () => reject(unreachableError(false))
    request.ontimeout = () => reject(unreachableError(true))
    options.signal?.addEventListener('abort', () => request.abort())
    request.onabort = () => reject(options.signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    request.send(form)
  })
}
