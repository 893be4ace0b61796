import crypto from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import type { Selectable } from 'kysely'
import sharp from 'sharp'
import type { Actor } from './authorization.ts'
import type { Database, Db } from './database.ts'
import { AppError, type FieldError, invalid, notFound } from './errors.ts'
import { signLink } from './file-links.ts'
import type { Services } from './services.ts'

export type StoredFile = Selectable<Database['files']>

/** What arrives: a multipart part, or bytes somebody already has. */
export type UploadPart = { filename: string; toBuffer(): Promise<Buffer> }

export type UploadRules = {
  kind: 'image' | 'document'
  maxBytes: number
  /** MIME types, compared with what the bytes are, not with what the sender claims. */
  acceptedTypes: readonly string[]
  /** What the file is for, such as 'photo' or 'ijazah'. */
  purpose?: string
  /** Field the refusal is shown beside. */
  field?: string
  minWidth?: number
  minHeight?: number
}

const maxPixels = 60_000_000
const longestSide = 2400
const thumbnailSide = 480

const megabytes = (bytes: number) => `${Math.round((bytes / 1_000_000) * 10) / 10} MB`.replace('.', ',')
const shortName = (mime: string) => (mime.split('/')[1] ?? mime).replace('jpeg', 'JPG').toUpperCase()

/** Checks an upload by its content, re-encodes pictures, and keeps it. Call it in the transaction that refers to it. */
export async function storeUpload(
  services: Services,
  tx: Db,
  actor: Actor,
  part: UploadPart | undefined,
  rules: UploadRules,
) {
  const refuse = (error: FieldError) => invalid({ [rules.field ?? 'file']: error })
  if (!part) throw refuse('file_missing')
  const bytes = await readPart(part, rules, refuse)
  if (bytes.length === 0) throw refuse('file_empty')
  if (bytes.length > rules.maxBytes)
    throw refuse({ code: 'file_too_large', params: { maximum: megabytes(rules.maxBytes) } })
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? 'unknown'
  if (!rules.acceptedTypes.includes(mime))
    throw refuse({ code: 'file_type', params: { accepted: rules.acceptedTypes.map(shortName).join(', ') } })
  const made = mime.startsWith('image/') ? await reencode(bytes, rules, refuse) : asItIs(bytes, mime, refuse)
  if (rules.kind === 'image' && !made.thumbnail) throw refuse({ code: 'file_type', params: { accepted: 'JPG, PNG' } })
  return keepFile(services, tx, actor, safeName(part.filename, made.extension), rules.purpose ?? rules.kind, made)
}

async function readPart(part: UploadPart, rules: UploadRules, refuse: (error: FieldError) => AppError) {
  try {
    return await part.toBuffer()
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw refuse({ code: 'file_too_large', params: { maximum: megabytes(rules.maxBytes) } })
    throw error
  }
}

type Made = {
  bytes: Buffer
  mime: string
  extension: string
  width?: number
  height?: number
  thumbnail?: Buffer
}

/** Draws the picture anew: turns it upright and leaves behind everything that is not pixels (place, device, scripts). */
async function reencode(bytes: Buffer, rules: UploadRules, refuse: (error: FieldError) => AppError): Promise<Made> {
  try {
    const { width = 0, height = 0, orientation = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > maxPixels) throw refuse('image_too_big')
    const [shownWidth, shownHeight] = orientation > 4 ? [height, width] : [width, height]
    if (shownWidth < (rules.minWidth ?? 1) || shownHeight < (rules.minHeight ?? 1))
      throw refuse({ code: 'image_too_small', params: { width: rules.minWidth ?? 1, height: rules.minHeight ?? 1 } })
    const upright = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).rotate()
    const picture = await upright
      .clone()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 86 })
      .toBuffer({ resolveWithObject: true })
    const thumbnail = await upright
      .clone()
      .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .webp({ quality: 78 })
      .toBuffer()
    const { width: newWidth, height: newHeight } = picture.info
    return { bytes: picture.data, mime: 'image/jpeg', extension: 'jpg', width: newWidth, height: newHeight, thumbnail }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse('file_unreadable')
  }
}

/** A PDF cut off on the way has a beginning but no end. */
function asItIs(bytes: Buffer, mime: string, refuse: (error: FieldError) => AppError): Made {
  if (mime === 'application/pdf' && !bytes.subarray(-2048).includes('%%EOF')) throw refuse('file_unreadable')
  return { bytes, mime, extension: mime.split('/')[1] ?? 'bin' }
}

export function safeName(name: string, extension: string) {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .slice(0, 100)
    .trim()
  return `${stem || 'file'}.${extension}`
}

/** Keeps bytes that were checked already. */
export async function keepFile(
  { files, clock }: Services,
  tx: Db,
  actor: Actor,
  name: string,
  purpose: string,
  made: Made,
) {
  const now = clock.now()
  const id = crypto.randomUUID()
  const stem = `${now.toISOString().slice(0, 7).replace('-', '/')}/${id}`
  const storageKey = `${stem}.${made.extension}`
  const thumbnailKey = made.thumbnail ? `${stem}.thumbnail.webp` : null
  await files.put(storageKey, made.bytes, made.mime)
  if (made.thumbnail) await files.put(thumbnailKey!, made.thumbnail, 'image/webp')
  return tx
    .insertInto('files')
    .values({
      id,
      ownerAccountId: actor.accountId || null,
      purpose,
      name,
      mime: made.mime,
      bytes: made.bytes.length,
      width: made.width ?? null,
      height: made.height ?? null,
      sha256: crypto.createHash('sha256').update(made.bytes).digest(),
      storageKey,
      thumbnailKey,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A file nobody refers to any more; its bytes go with the next nightly clean-up. */
export const discardFile = (tx: Db, fileId: string, now: Date) =>
  tx.updateTable('files').set({ deletedAt: now }).where('id', '=', fileId).where('deletedAt', 'is', null).execute()

export async function getFile(db: Db, id: string): Promise<StoredFile> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!file) throw notFound('file')
  return file
}

type Reader = Pick<Actor, 'accountId'>

/** Address of a picture for this reader, good for a quarter of an hour. Ask only after checking that the reader may see it. */
export function imageUrl(services: Services, reader: Reader, fileId: string, { thumbnail = false } = {}) {
  const key = signLink(services, ['image', fileId, reader.accountId, String(thumbnail)])
  return `/getImage?image=${fileId}&fieldid=${reader.accountId}&thumbnail=${thumbnail}&key=${key}`
}

/** Address a file can be downloaded from by this reader, good for a quarter of an hour. */
export function downloadUrl(services: Services, reader: Reader, fileId: string) {
  const key = signLink(services, ['download', fileId, reader.accountId])
  return `/api/files/${fileId}/download?reader=${reader.accountId}&key=${key}`
}
