import { type CallOptions, storedToken } from './client.ts'
import { sendWithKey } from './send.ts'
import { type OnProgress, transmit } from './transmit.ts'
import { isForPieces, sendInPieces } from './upload-pieces.ts'

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
 * same file again keeps its key. A file of more than one piece is sent in pieces, and goes on after a cut or a reload.
 */
export const upload = <T>(
  path: string,
  form: FormData,
  onProgress?: OnProgress,
  options: CallOptions = {},
): Promise<T> =>
  sendWithKey({ method: 'UPLOAD', url: path, input: fingerprintOf(form) }, (idempotencyKey) =>
    runInTurn(() => {
      options.signal?.throwIfAborted()
      const keyed = { ...options, idempotencyKey }
      return isForPieces(form) && storedToken()
        ? sendInPieces<T>({ path, form, onProgress, options: keyed })
        : transmit<T>({ path, body: form, onSent: (share) => onProgress?.(share), options: keyed })
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
