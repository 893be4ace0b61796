import { beginUpload, readUpload, sendPiece } from '#domain/uploads/endpoints.ts'
import { pieceBytes, pieceLength, uploadLifetimeMs } from '#domain/uploads/pieces.ts'
import { draftPrefix } from '#web/ui/form/forget-drafts.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { ApiError, type CallOptions, pathOf } from './client.ts'
import { type OnProgress, type Transmission, transmit, type Waiting } from './transmit.ts'

/** Milliseconds for one piece; slower than 4 kB a second counts as no network. */
const pieceTimeoutMs = 60_000
/** Attempts without a byte in between, while the browser says there is network: about two minutes. */
const mostFailures = 12
const longestPauseMs = 15_000
/** No answer, too many calls, or a server that is away. */
const passingStatuses = new Set([0, 429, 502, 503, 504])

type State = { id: string; received: number }

const filesIn = (form: FormData) => [...form].flatMap(([, value]) => (typeof value === 'string' ? [] : [value]))

/** Whether a form is worth pieces: its one file is larger than a piece. */
export function isForPieces(form: FormData) {
  const [file, ...others] = filesIn(form)
  return file !== undefined && others.length === 0 && file.size > pieceBytes
}

/** Undefined without HTTPS, where browsers hash nothing: an upload is then not found again after a reload. */
async function sha256Of(file: File): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Ids of begun uploads by address and content. Signing out deletes them, like drafts. */
function memoryOf(path: string, sha256: string | undefined) {
  const key = `${draftPrefix}upload:${path}:${sha256}`
  return {
    read(): string | undefined {
      if (!sha256) return undefined
      const entry = readStored<{ id: string; at: number }>('localStorage', key)
      return entry && Date.now() - entry.at < uploadLifetimeMs ? entry.id : undefined
    },
    keep: (id: string | null) => {
      if (sha256) writeStored('localStorage', key, id && { id, at: Date.now() })
    },
  }
}

type Sending = {
  path: string
  form: FormData
  onProgress: OnProgress | undefined
  options: CallOptions
}

/**
 * Sends the file of a form in pieces, then the form with the id of the upload. Waits while there is no network, and asks
 * the server afterwards which piece is next. Repeating the same file continues its upload.
 */
export async function sendInPieces<T>({ path, form, onProgress, options }: Sending): Promise<T> {
  const [file] = filesIn(form) as [File]
  const { signal } = options
  const quick = { ...(signal && { signal }), timeoutMs: pieceTimeoutMs }
  const sha256 = await sha256Of(file)
  const memory = memoryOf(path, sha256)
  let share = 0
  const patiently = <A>(work: () => Promise<A>, final?: string) =>
    tryPatiently(work, { signal, final, onWait: (reason) => onProgress?.(share, reason) })

  const ask = async (transmission: Transmission) => (await transmit<{ data: State }>(transmission)).data
  const begin = async () => {
    const body = JSON.stringify({ name: file.name.slice(0, 200), bytes: file.size, ...(sha256 && { sha256 }) })
    // The account has too many uploads that go on elsewhere, which waiting here does not change.
    const state = await patiently(
      () => ask({ path: beginUpload.path, body, type: 'application/json', options: quick }),
      'too_many_uploads',
    )
    memory.keep(state.id)
    return state
  }
  const find = (id: string) =>
    patiently(() => ask({ method: 'GET', path: pathOf(readUpload.path, { id }), options: quick }))

  const sendNext = async ({ id, received: from }: State): Promise<State> => {
    const length = pieceLength(from, file.size)
    try {
      return await ask({
        path: pathOf(sendPiece.path, { id }),
        query: { from },
        body: file.slice(from, from + length),
        type: 'application/octet-stream',
        onSent: (part) => onProgress?.((from + part * length) / file.size),
        options: quick,
      })
    } catch (error) {
      // Another tab was faster, or the answer to this piece was lost.
      if (error instanceof ApiError && error.code === 'upload_place') return find(id)
      throw error
    }
  }

  const known = memory.read()
  const sendRest = async (first: State) => {
    let state = first
    while (state.received < file.size) {
      share = state.received / file.size
      onProgress?.(share)
      const current = state
      state = (await patiently(() => sendNext(current)).catch(unlessGone)) ?? (await begin())
    }
    share = 1
    return state
  }
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  const use = ({ id }: State) => {
    const body = JSON.stringify({ upload: id, ...(Object.keys(fields).length > 0 && { fields }) })
    return patiently(() => transmit<T>({ path, body, type: 'application/json', options }))
  }

  const state = await sendRest((known && (await find(known).catch(unlessGone))) || (await begin()))
  try {
    const answer = await use(state).catch(async (error: unknown) => {
      unlessGone(error)
      // What is gone may also be the document or registration.
      if (await find(state.id).catch(unlessGone)) throw error
      return use(await sendRest(await begin()))
    })
    memory.keep(null)
    return answer
  } catch (error) {
    // The server has deleted a refused file; another attempt begins with its first byte.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) memory.keep(null)
    throw error
  }
}

/** Undefined for an upload that the server no longer has. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

type Patience = {
  signal: AbortSignal | undefined
  /** Code of a refusal that is not waited for. */
  final: string | undefined
  onWait: (reason: Waiting) => void
}

/** Repeats work that found no network or a busy server, with growing pauses. Waiting for network counts no attempt. */
async function tryPatiently<A>(work: () => Promise<A>, { signal, final, onWait }: Patience): Promise<A> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted) throw error
      const passing = error instanceof ApiError && (passingStatuses.has(error.status) || error.code === 'still_working')
      if (!passing || error.code === final) throw error
      onWait(error.status === 0 ? 'network' : 'server')
      if (!navigator.onLine) {
        await untilOnline(signal)
        failures = 0
      } else if (failures >= mostFailures) throw error
      else await pause(Math.min(500 * 2 ** failures, longestPauseMs), signal)
    }
  }
}

const pause = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

const untilOnline = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    if (navigator.onLine) return resolve()
    addEventListener('online', () => resolve(), { once: true })
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
