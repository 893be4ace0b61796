import crypto from 'node:crypto'
import type { Selectable } from 'kysely'
import { mostUploadBytes, mostUploads, pieceBytes, pieceLength, uploadLifetimeMs } from '#domain/uploads/pieces.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Database } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

export type UnfinishedUpload = Selectable<Database['unfinishedUploads']>
type Owner = Pick<Actor, 'accountId'>

/** An upload without a new piece for this long makes room for another one once the account has too many. */
const idleAfterMs = 10 * 60_000
/** A request that uses an upload and has not ended after this long counts as dead. Longer than `requestTimeout`. */
const deadAfterMs = 2 * 60_000

const keyOf = (id: string, from: number) => `pieces/${id}-${from / pieceBytes}`
const livingSince = (now: Date) => new Date(now.getTime() - uploadLifetimeMs)

const wrongPlace = ({ received }: Pick<UnfinishedUpload, 'received'>) =>
  new AppError(409, 'upload_place', {}, undefined, { received })

/** An own upload; 404 for another account's and for one older than a day. */
export async function findUpload(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  owner: Owner,
  id: string,
): Promise<UnfinishedUpload> {
  const found = await db
    .selectFrom('unfinishedUploads')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', owner.accountId)
    .where('createdAt', '>', livingSince(clock.now()))
    .executeTakeFirst()
  if (!found) throw notFound('upload')
  return found
}

type NewUpload = { name: string; bytes: number; sha256?: string | undefined }

/**
 * Begins an upload. The account's oldest abandoned ones make room for it; 429 if those that go on are too many or too
 * large.
 */
export async function beginUpload(
  services: Services,
  { accountId }: Owner,
  { name, bytes, sha256 }: NewUpload,
): Promise<UnfinishedUpload> {
  const { db, clock } = services
  const now = clock.now()
  await makeRoom(services, accountId, bytes)
  return db.transaction().execute(async (tx) => {
    // Two tabs that begin at once must not pass the quota together.
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow()
    const { count, sum } = await tx
      .selectFrom('unfinishedUploads')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('bytes').as('sum')])
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
    if (isFull(Number(count), Number(sum ?? 0) + bytes))
      throw new AppError(429, 'too_many_uploads', { count: Number(count), retryAfter: 60 })
    return tx
      .insertInto('unfinishedUploads')
      .values({
        accountId,
        name,
        bytes,
        sha256: sha256 ? Buffer.from(sha256, 'hex') : null,
        createdAt: now,
        movedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

const isFull = (count: number, bytes: number) => count >= mostUploads || bytes > mostUploadBytes

async function makeRoom(services: Services, accountId: string, bytes: number) {
  const { db, clock } = services
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  const uploads = await db
    .selectFrom('unfinishedUploads')
    .select(['id', 'bytes', 'usedSince', 'movedAt'])
    .where('accountId', '=', accountId)
    .orderBy('movedAt')
    .execute()
  let count = uploads.length
  let sum = uploads.reduce((total, upload) => total + upload.bytes, bytes)
  for (const upload of uploads) {
    if (!isFull(count, sum)) return
    const isUsed = upload.usedSince && upload.usedSince > before(deadAfterMs)
    if (isUsed || upload.movedAt > before(idleAfterMs) || !(await tryToForget(services, upload))) continue
    count--
    sum -= upload.bytes
  }
}

/**
 * Stores the piece that begins at byte `from`. 409 with the bytes that have arrived if it is not the next one, 422 if
 * its length is wrong. Of two tabs that send the same piece at once, one gets 409 and goes on from there.
 */
export async function addPiece(
  services: Services,
  owner: Owner,
  { id, from, piece }: { id: string; from: number; piece: Buffer },
): Promise<UnfinishedUpload> {
  const { db, files, clock } = services
  const upload = await findUpload(services, owner, id)
  if (upload.received !== from || from === upload.bytes) throw wrongPlace(upload)
  if (upload.usedSince) throw notFound('upload')
  if (piece.length !== pieceLength(from, upload.bytes)) throw invalid({ file: 'file_unreadable' })
  await files.put(keyOf(id, from), piece, 'application/octet-stream')
  const stored = await db
    .updateTable('unfinishedUploads')
    .set({ received: from + piece.length, movedAt: clock.now() })
    .where('id', '=', id)
    .where('received', '=', from)
    .where('usedSince', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (stored) return stored
  const now = await db.selectFrom('unfinishedUploads').select('received').where('id', '=', id).executeTakeFirst()
  if (now && now.received > from) throw wrongPlace(now)
  // The upload was deleted meanwhile, so nothing else would delete this piece.
  await files.remove(keyOf(id, from))
  throw notFound('upload')
}

/** Reserves a complete upload for this request. */
export async function takeUpload(services: Services, owner: Owner, id: string): Promise<UnfinishedUpload> {
  const { db, clock } = services
  const now = clock.now()
  const upload = await findUpload(services, owner, id)
  if (upload.received < upload.bytes) throw wrongPlace(upload)
  const reservation = await db
    .updateTable('unfinishedUploads')
    .set({ usedSince: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('usedSince', 'is', null), eb('usedSince', '<', new Date(now.getTime() - deadAfterMs))]))
    .returning('id')
    .executeTakeFirst()
  if (!reservation) throw conflict('still_working')
  return upload
}

/** Lets the upload be used again after a failure that may pass. */
export const giveUploadBack = ({ db }: Pick<Services, 'db'>, { id }: Pick<UnfinishedUpload, 'id'>) =>
  db.updateTable('unfinishedUploads').set({ usedSince: null }).where('id', '=', id).execute()

/** The whole file; undefined if it is not the file that the sender announced, or a piece is gone, as after a restore. */
export async function readPieces(
  { files }: Pick<Services, 'files'>,
  { id, bytes, sha256 }: UnfinishedUpload,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  for (let from = 0; from < bytes; from += pieceBytes) {
    const piece = await files.bytes(keyOf(id, from)).catch(() => undefined)
    if (piece?.length !== pieceLength(from, bytes)) return undefined
    pieces.push(piece)
  }
  const whole = Buffer.concat(pieces, bytes)
  const isAnnounced = !sha256 || crypto.createHash('sha256').update(whole).digest().equals(sha256)
  return isAnnounced ? whole : undefined
}

type Forgetting = Pick<Services, 'db' | 'files' | 'clock' | 'log'>

/**
 * Deletes the pieces, then the row, so that an interruption leaves no piece without a row. Marked as used before, because
 * a piece that arrives meanwhile would stay.
 */
export async function forgetUpload(
  { db, files, clock }: Forgetting,
  { id, bytes }: Pick<UnfinishedUpload, 'id' | 'bytes'>,
) {
  await db.updateTable('unfinishedUploads').set({ usedSince: clock.now() }).where('id', '=', id).execute()
  for (let from = 0; from < bytes; from += pieceBytes) await files.remove(keyOf(id, from))
  await db.deleteFrom('unfinishedUploads').where('id', '=', id).execute()
}

/** Deletes an upload; false if that failed. Its row stays then, for the next run of the job. */
async function tryToForget(services: Forgetting, upload: Pick<UnfinishedUpload, 'id' | 'bytes'>) {
  try {
    await forgetUpload(services, upload)
    return true
  } catch (error) {
    services.log.warn({ err: error, upload: upload.id }, 'upload in pieces could not be deleted')
    return false
  }
}

/** Deletes uploads that were not finished within a day. */
export async function forgetOldUploads(services: Forgetting) {
  const old = await services.db
    .selectFrom('unfinishedUploads')
    .select(['id', 'bytes'])
    .where('createdAt', '<=', livingSince(services.clock.now()))
    .execute()
  for (const upload of old) await tryToForget(services, upload)
}
