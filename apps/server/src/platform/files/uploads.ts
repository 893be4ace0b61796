import '@fastify/multipart'
import crypto from 'node:crypto'
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf } from '#server/platform/access/authorization.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { AppError, type FieldError, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a file; `receiveUpload` reads it. */
    upload?: boolean
  }
}

/** A file somebody sent: the upload of a form, or bytes that are there already. */
export type UploadPart = { filename: string; toBuffer(): Promise<Buffer> }

/** An upload that has arrived whole. Its bytes lie on the disk until the handler of the request is done. */
export type ReceivedUpload = UploadPart & {
  bytes: number
  /** Text field of the form that stood before the file. */
  field(name: string): string | undefined
}

export type UploadLimits = {
  maxBytes: number
  /** `maxBytes` in words, such as '5 MB'; made from the number unless given. */
  maximum?: string
  /** Field the refusal is shown beside. */
  field?: string
}

export const tooLarge = ({ maxBytes, maximum }: UploadLimits): FieldError => ({
  code: 'file_too_large',
  params: { maximum: maximum ?? `${Math.round((maxBytes / 1_000_000) * 10) / 10} MB`.replace('.', ',') },
})

/** Refuses a form on every route that is not declared with `upload: true`, so that no other route can read one. */
export function refuseStrayUploads(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, upload } = request.routeOptions.config
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (isForm && access !== undefined && !upload) return done(new AppError(415, 'unsupported_media_type'))
    done()
  })
}

/**
 * Receives the file of a form whole, then hands it to `use`. No connection to the database is held meanwhile. An account
 * may send a few files at once (429), one that makes no progress is cut (408), and the copy on the disk goes when `use`
 * is done.
 */
export async function receiveUpload<T>(
  services: Services,
  request: FastifyRequest,
  limits: UploadLimits,
  use: (upload: ReceivedUpload | undefined) => Promise<T>,
): Promise<T> {
  refuseInTransaction('receiving an upload')
  if (!request.routeOptions.config.upload) throw new Error(`${request.routeOptions.url} is not declared as an upload`)
  if (!request.isMultipart()) return use(undefined)
  const release = takePlace(services, actorOf(request).accountId)
  try {
    const copy = await openCopy()
    try {
      return await use(await receive(services, request, limits, copy))
    } finally {
      await copy.close().catch(() => {})
    }
  } finally {
    release()
  }
}

/** A file without a name: it goes with this process, however that ends. */
async function openCopy(): Promise<FileHandle> {
  const place = path.join(os.tmpdir(), `pmb-upload-${crypto.randomUUID()}`)
  const copy = await fs.promises.open(place, 'wx+', 0o600)
  await fs.promises.rm(place)
  return copy
}

function takePlace({ uploads, config }: Services, accountId: string) {
  const open = uploads.get(accountId) ?? 0
  if (open >= config.uploads.perAccount)
    throw new AppError(429, 'too_many_uploads', { count: config.uploads.perAccount, retryAfter: 10 })
  uploads.set(accountId, open + 1)
  return () => {
    const left = uploads.get(accountId)! - 1
    if (left > 0) uploads.set(accountId, left)
    else uploads.delete(accountId)
  }
}

async function receive(services: Services, request: FastifyRequest, limits: UploadLimits, copy: FileHandle) {
  const cut = new AbortController()
  const slow = watchProgress(request, services.config.uploads)
  const arriving = writeCopy(request, limits, copy, cut.signal)
  arriving.catch(() => {})
  try {
    return await Promise.race([arriving, slow.tooSlow])
  } catch (error) {
    throw asRefusal(error, limits)
  } finally {
    slow.stop()
    cut.abort()
  }
}

async function writeCopy(
  request: FastifyRequest,
  { maxBytes }: UploadLimits,
  copy: FileHandle,
  signal: AbortSignal,
): Promise<ReceivedUpload | undefined> {
  const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
  if (!part) return undefined
  signal.throwIfAborted()
  signal.addEventListener('abort', () => part.file.destroy())
  let size = 0
  for await (const chunk of part.file) {
    await copy.write(chunk as Buffer, 0, chunk.length, size)
    size += chunk.length
  }
  if (part.file.truncated) throw new AppError(413, 'payload_too_large')
  return {
    filename: part.filename,
    bytes: size,
    toBuffer: () => readFrom(copy, size),
    field(name) {
      const given = Object.hasOwn(part.fields, name) ? part.fields[name] : undefined
      return given && !Array.isArray(given) && given.type === 'field' ? String(given.value) : undefined
    },
  }
}

async function readFrom(copy: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await copy.read(bytes, at, size - at, at)
    if (bytesRead === 0) throw new Error('the copy of an upload is shorter than it was')
    at += bytesRead
  }
  return bytes
}

/** Rejects when the socket brings fewer than `leastBytes` in one stretch of `patienceMs`. */
function watchProgress(request: FastifyRequest, { patienceMs, leastBytes }: Services['config']['uploads']) {
  const { socket } = request.raw
  let seen = socket.bytesRead
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    const look = () => {
      // A request of `app.inject` has no bytes to count and is never slow.
      if (socket.bytesRead - seen < leastBytes) reject(new AppError(408, 'upload_too_slow'))
      seen = socket.bytesRead
    }
    // A server that is late itself reads what waits at its sockets first.
    timer = setInterval(() => setImmediate(look), patienceMs)
  })
  tooSlow.catch(() => {})
  return { tooSlow, stop: () => clearInterval(timer) }
}

function asRefusal(error: unknown, limits: UploadLimits): unknown {
  const field = limits.field ?? 'file'
  const { code, statusCode, errno } = error as { code?: string; statusCode?: number; errno?: number }
  if (code === 'FST_REQ_FILE_TOO_LARGE' || code === 'payload_too_large') return invalid({ [field]: tooLarge(limits) })
  if (error instanceof AppError || statusCode !== undefined || errno !== undefined) return error
  // The parser of forms tells of a broken one by a plain error.
  return invalid({ [field]: 'file_unreadable' })
}
