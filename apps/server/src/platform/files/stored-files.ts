import crypto from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { type AppError, type FieldError, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { isLinkValid, signLink } from './file-links.ts'
import { actionsIn } from './pdf-actions.ts'
import { encryptionOf } from './pdf-encryption.ts'
import { redrawPicture } from './pictures.ts'
import { receiveUpload, tooLarge, type UploadLimits, type UploadPart } from './uploads.ts'

export type StoredFile = Selectable<Database['files']>

export type UploadRules = UploadLimits & {
  kind: 'image' | 'document'
  /** MIME types, compared with the type detected from the bytes, not with the one the sender claims. */
  acceptedTypes: readonly string[]
  /** Purpose of the file, such as 'photo' or 'ijazah'. */
  purpose?: string
  minWidth?: number
  minHeight?: number
  /** Refuses a password-protected PDF. */
  withoutPassword?: true
}

/** Shortest side, in pixels, at which a photographed document is readable. */
const readableSide = 200

const shortName = (mime: string) => (mime.split('/')[1] ?? mime).replace('jpeg', 'JPG').toUpperCase()

/** Receives the form's file and stores it like `storeUpload`; for routes declared with `upload: true`. */
export const receiveFile = (services: Services, request: FastifyRequest, rules: UploadRules): Promise<StoredFile> =>
  receiveUpload(services, request, rules, (part) => storeUpload(services, actorOf(request), part, rules))

/** Checks an upload by its content, re-encodes pictures, and stores the bytes like `storeBytes`. */
export async function storeUpload(
  services: Services,
  actor: Reader,
  part: UploadPart | undefined,
  rules: UploadRules,
): Promise<StoredFile> {
  const refuse = (error: FieldError) => invalid({ [rules.field ?? 'file']: error })
  if (!part) throw refuse('file_missing')
  // Reading happens inside the pool too, so that few uploads are in memory at a time.
  const checked = await services.pictures(async () => checkBytes(await part.toBuffer(), rules, part.filename, refuse))
  return storeBytes(services, actor, safeName(part.filename, checked.extension), rules.purpose ?? rules.kind, checked)
}

async function checkBytes(
  bytes: Buffer,
  rules: UploadRules,
  name: string,
  refuse: (error: FieldError) => AppError,
): Promise<CheckedFile> {
  if (bytes.length === 0) throw refuse('file_empty')
  if (bytes.length > rules.maxBytes) throw refuse(tooLarge(rules))
  const { fileTypeFromBuffer } = await import('file-type')
  // Without parameters: a voice message is `audio/ogg; codecs=opus`.
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0] ?? 'unknown'
  // The start of the PDF was lost in transit, so reporting a wrong file type would mislead.
  if (mime === 'unknown' && /\.pdf$/i.test(name) && rules.acceptedTypes.includes('application/pdf'))
    throw refuse('file_unreadable')
  // The libvips of this platform has no decoder for it, so phones convert before they send.
  if (/^image\/hei[cf]$/.test(mime) && rules.acceptedTypes.includes('image/jpeg')) throw refuse('file_heic')
  if (!rules.acceptedTypes.includes(mime))
    throw refuse({ code: 'file_type', params: { accepted: rules.acceptedTypes.map(shortName).join(', ') } })
  if (mime.startsWith('image/')) {
    const least = rules.kind === 'document' ? readableSide : 1
    const { minWidth = least, minHeight = least } = rules
    return redrawPicture(bytes, { minWidth, minHeight }, refuse)
  }
  if (rules.kind === 'image') throw refuse({ code: 'file_type', params: { accepted: 'JPG, PNG' } })
  if (mime === 'application/pdf') await refuseUnsafe(bytes, rules, refuse)
  return { bytes, mime, extension: mime.split('/')[1] ?? 'bin' }
}

async function refuseUnsafe(pdf: Buffer, { withoutPassword }: UploadRules, refuse: (error: FieldError) => AppError) {
  if (withoutPassword && encryptionOf(pdf) === 'locked') throw refuse('pdf_protected')
  // A truncated PDF lacks the end marker.
  if (!pdf.subarray(-2048).includes('%%EOF')) throw refuse('file_unreadable')
  const actions = await actionsIn(pdf)
  if (actions !== 'none') throw refuse(actions === 'hidden' ? 'pdf_protected' : 'pdf_active')
}

type CheckedFile = {
  bytes: Buffer
  mime: string
  extension: string
  width?: number
  height?: number
  thumbnail?: Buffer
}

export function safeName(name: string, extension: string) {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .slice(0, 100)
    .trim()
  return `${stem || 'file'}.${extension}`
}

/**
 * Stores checked bytes, outside any transaction. The row counts as deleted until `claimFile`, so the nightly clean-up
 * removes the bytes if the transaction fails or never starts.
 */
export async function storeBytes(
  { db, files, clock }: Services,
  actor: Reader,
  name: string,
  purpose: string,
  checked: CheckedFile,
): Promise<StoredFile> {
  const now = clock.now()
  const id = crypto.randomUUID()
  const stem = `${now.toISOString().slice(0, 7).replace('-', '/')}/${id}`
  const storageKey = `${stem}.${checked.extension}`
  const { thumbnail } = checked
  const thumbnailKey = `${stem}.thumbnail.webp`
  const row = await db
    .insertInto('files')
    .values({
      id,
      ownerAccountId: actor.accountId || null,
      purpose,
      name,
      mime: checked.mime,
      bytes: checked.bytes.length,
      width: checked.width ?? null,
      height: checked.height ?? null,
      sha256: crypto.createHash('sha256').update(checked.bytes).digest(),
      storageKey,
      thumbnailKey: thumbnail ? thumbnailKey : null,
      createdAt: now,
      deletedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await files.put(storageKey, checked.bytes, checked.mime)
  if (thumbnail) await files.put(thumbnailKey, thumbnail, 'image/webp')
  return row
}

/** Undeletes a stored file; call it in the transaction that writes the row referring to the file. */
export const claimFile = (tx: Db, { id }: StoredFile) =>
  tx
    .updateTable('files')
    .set({ deletedAt: null })
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .returning('id')
    .executeTakeFirstOrThrow()

/** Marks an unreferenced file as deleted; the nightly clean-up removes its bytes. */
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

/** Fields whose value is a picture, as `fieldid` names them. */
export const imageFields = ['photo', 'document', 'drivingLicence', 'signature'] as const
export type ImageField = (typeof imageFields)[number]

type Image = { fileId: string; field: ImageField; thumbnail: boolean }
const partsOf = ({ fileId, field, thumbnail }: Image, reader: string) => [
  'image',
  fileId,
  field,
  reader,
  String(thumbnail),
]

/**
 * Picture URL for this reader, valid for at most 15 minutes. Call only after checking that the reader may see the
 * picture.
 */
export function imageUrl(
  services: Services,
  reader: Reader,
  field: ImageField,
  fileId: string,
  { thumbnail = false } = {},
) {
  const signature = signLink(services, partsOf({ fileId, field, thumbnail }, reader.accountId))
  return `/getImage?image=${fileId}&fieldid=${field}&thumbnail=${thumbnail}&key=${reader.accountId}.${signature}`
}

/**
 * Account id of the reader an image key was made for; undefined if the key is for another picture or older than 15
 * minutes.
 */
export function readerOfImage(services: Services, image: Image, key: string): string | undefined {
  const [reader = '', ...signature] = key.split('.')
  return isLinkValid(services, partsOf(image, reader), signature.join('.')) ? reader : undefined
}

/** Download URL of a file for this reader, valid for at most 15 minutes. */
export function downloadUrl(services: Services, reader: Reader, fileId: string) {
  const key = signLink(services, ['download', fileId, reader.accountId])
  return `/api/files/${fileId}/download?reader=${reader.accountId}&key=${key}`
}
