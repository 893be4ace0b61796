import { mustGet } from '#domain/must.ts'
import '@fastify/multipart'
import crypto from 'node:crypto'
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Actor } from '#server/platform/access/authorization.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { AppError, type FieldError, invalid } from '#server/platform/errors.ts'
import { addressOf, networkOf } from '#server/platform/http/address.ts'
import type { Services } from '#server/platform/services.ts'
import { forgetUpload, giveUploadBack, readPieces, takeUpload, type UnfinishedUpload } from './upload-pieces.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a file; `receiveUpload` reads it. */
    upload?: boolean
  }
  interface FastifyRequest {
    /** The upload in pieces whose file this request reads. */
    usedPieces: UnfinishedUpload | null
  }
}

/** A file: the upload of a form, or bytes already in memory. */
export type UploadPart = { filename: string; toBuffer(): Promise<Buffer> }

/** A completely received upload. Its bytes stay on disk until the request's handler is done. */
export type ReceivedUpload = UploadPart & {
  bytes: number
  /** Value of a text field that came before the file in the form. */
  field(name: string): string | undefined
}

export type UploadLimits = {
  maxBytes: number
  /** `maxBytes` in words, such as '5 MB'; derived from the number by default. */
  maximum?: string
  /** Field named in the refusal; `file` by default. */
  field?: string
}

export const tooLarge = ({ maxBytes, maximum }: UploadLimits): FieldError => ({
  code: 'file_too_large',
  params: { maximum: maximum ?? `${Math.round((maxBytes / 1_000_000) * 10) / 10} MB`.replace('.', ',') },
})

/** Refuses multipart forms with 415 on every route not declared with `upload: true`. */
export function refuseStrayUploads(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, upload } = request.routeOptions.config
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (isForm && access !== undefined && !upload) return done(new AppError(415, 'unsupported_media_type'))
    done()
  })
}

/**
 * Deletes an upload in pieces once its file was stored or refused: only then is the transaction of the request over. After
 * any other failure it stays, so that sending the form again does not send the file again.
 */
export function settlePieces(app: FastifyInstance, services: Services) {
  app.decorateRequest('usedPieces', null)
  app.addHook('onSend', async (request, reply) => {
    const upload = request.usedPieces
    if (!upload) return
    request.usedPieces = null
    const isDone = reply.statusCode < 400 || reply.statusCode === 422
    // What the request did stands. The hourly job deletes what is left here.
    await (isDone ? forgetUpload(services, upload) : giveUploadBack(services, upload)).catch((error) =>
      services.log.warn({ err: error, upload: upload.id }, 'upload in pieces could not be settled'),
    )
  })
}

/** Names an upload that arrived in pieces, with the text fields of the form. */
const piecedForm = z.object({ upload: z.uuid(), fields: z.record(z.string(), z.string()).default({}) })

/**
 * Receives a form's file completely, then passes it to `use`. Holds no database connection meanwhile. A JSON body
 * `{"upload": id}` names an upload that arrived in pieces. An account may
 * send `perAccount` files at a time, a network without an account ten times as many (429 beyond). A stalled upload is
 * cut off (408). The copy on disk is deleted when `use` is done.
 */
export async function receiveUpload<T>(
  services: Services,
  request: FastifyRequest,
  limits: UploadLimits,
  use: (upload: ReceivedUpload | undefined) => Promise<T>,
): Promise<T> {
  refuseInTransaction('receiving an upload')
  if (!request.routeOptions.config.upload) throw new Error(`${request.routeOptions.url} is not declared as an upload`)
  const { actor } = request
  const form = request.isMultipart() ? undefined : piecedForm.safeParse(request.body)
  if (form && !(actor && form.success)) return use(undefined)
  const release = takePlace(services, request)
  try {
    if (actor && form?.success) return await usePieces(services, { request, actor, limits, ...form.data }, use)
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

type UseOfPieces = { request: FastifyRequest; actor: Actor; limits: UploadLimits } & z.output<typeof piecedForm>

/** Passes a complete upload of the sender to `use`; `settlePieces` does the rest. */
async function usePieces<T>(
  services: Services,
  { request, actor, limits, upload: id, fields }: UseOfPieces,
  use: (upload: ReceivedUpload | undefined) => Promise<T>,
): Promise<T> {
  const field = limits.field ?? 'file'
  const upload = await takeUpload(services, actor, id)
  request.usedPieces = upload
  if (upload.bytes > limits.maxBytes) throw invalid({ [field]: tooLarge(limits) })
  return use({
    filename: upload.name,
    bytes: upload.bytes,
    async toBuffer() {
      const whole = await readPieces(services, upload)
      if (!whole) throw invalid({ [field]: 'file_unreadable' })
      return whole
    },
    field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
  })
}

/** Opens an unlinked file, which disappears with this process, however the process ends. */
async function openCopy(): Promise<FileHandle> {
  const temporaryPath = path.join(os.tmpdir(), `pmb-upload-${crypto.randomUUID()}`)
  const copy = await fs.promises.open(temporaryPath, 'wx+', 0o600)
  await fs.promises.rm(temporaryPath)
  return copy
}

function takePlace({ uploads, config: { uploads: limits } }: Services, request: FastifyRequest) {
  const [sender, count] = request.actor
    ? [request.actor.accountId, limits.perAccount]
    : [networkOf(addressOf(request)), limits.perAccount * 10]
  const openCount = uploads.get(sender) ?? 0
  if (openCount >= count) throw new AppError(429, 'too_many_uploads', { count, retryAfter: 10 })
  uploads.set(sender, openCount + 1)
  return () => {
    const remaining = mustGet(uploads, sender) - 1
    if (remaining > 0) uploads.set(sender, remaining)
    else uploads.delete(sender)
  }
}

async function receive(services: Services, request: FastifyRequest, limits: UploadLimits, copy: FileHandle) {
  const abort = new AbortController()
  const progress = watchProgress(request, services.config.uploads)
  const pendingUpload = writeCopy(request, limits, copy, abort.signal)
  pendingUpload.catch(() => {})
  try {
    return await Promise.race([pendingUpload, progress.tooSlow])
  } catch (error) {
    throw asRefusal(error, limits)
  } finally {
    progress.stop()
    abort.abort()
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
      const entry = Object.hasOwn(part.fields, name) ? part.fields[name] : undefined
      return entry && !Array.isArray(entry) && entry.type === 'field' ? String(entry.value) : undefined
    },
  }
}

async function readFrom(copy: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await copy.read(bytes, offset, size - offset, offset)
    if (bytesRead === 0) throw new Error('the copy of an upload is shorter than it was')
    offset += bytesRead
  }
  return bytes
}

/** Rejects if the socket receives fewer than `leastBytes` within `patienceMs`. */
function watchProgress(request: FastifyRequest, { patienceMs, leastBytes }: Services['config']['uploads']) {
  const { socket } = request.raw
  let bytesBefore = socket.bytesRead
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    const look = () => {
      // A request from `app.inject` has no bytes to count and is never slow.
      if (socket.bytesRead - bytesBefore < leastBytes) reject(new AppError(408, 'upload_too_slow'))
      bytesBefore = socket.bytesRead
    }
    // After the server itself was blocked, sockets are read before `look` runs.
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
  // The form parser reports a malformed form as a plain Error.
  return invalid({ [field]: 'file_unreadable' })
}
