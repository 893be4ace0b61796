import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { uniqueNames } from '#domain/file-names.ts'
import { type NameToken, photoName } from '#domain/students/photos/photo-format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import { resizePicture } from '#server/platform/files/pictures.ts'
import type { Services } from '#server/platform/services.ts'
import { matchingPhotos } from './list-photos.ts'
import { type PhotoFilter, sizeOf } from './photo-rows.ts'

type Asked = PhotoFilter & { kind: 'zip' | 'sheet'; template: string }

/**
 * Registers a download of the usable photos among the rows found, and records it in the audit log; 409 if there are
 * none.
 */
export async function registerDownload(services: Services, actor: Actor, asked: Asked) {
  const { db, clock } = services
  const { kind, template, ...filter } = asked
  const matching = await matchingPhotos(services, actor, filter)
  const rows = await matching
    .where('v.state', '=', 'usable')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select('r.id')
    .orderBy(sql`s.npm NULLS LAST`)
    .orderBy('r.code')
    .execute()
  if (rows.length === 0) throw conflict('no_usable_photos')
  const now = clock.now()
  const extension = kind === 'zip' ? 'zip' : 'pdf'
  const { id } = await db.transaction().execute(async (tx) => {
    const registered = await tx
      .insertInto('photoDownloads')
      .values({
        accountId: actor.accountId,
        kind,
        template,
        fileName: `foto-mahasiswa-${universityCalendar().dayOf(now)}.${extension}`,
        ...sizeOf(filter),
        registrationIds: rows.map((row) => row.id),
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'photo.download',
      on: { photo: registered.id },
      after: { kind, photos: rows.length, ...filter },
    })
    return registered
  })
  return { id, total: rows.length }
}

/** The account's own download with its progress; 404 for a download of another account. */
export async function getDownload(db: Db, actor: Pick<Actor, 'accountId'>, id: string) {
  const download = await db
    .selectFrom('photoDownloads')
    .select(['status', 'done', 'failed', sql<number>`cardinality(registration_ids)`.as('total')])
    .where('id', '=', id)
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst()
  if (!download) throw notFound('download')
  return download
}

/** Begins a registered download; 409 if it was begun before. */
export async function beginDownload(db: Db, id: string) {
  const download = await db
    .updateTable('photoDownloads')
    .set({ status: 'running' })
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .returning(['id', 'kind', 'fileName', 'width', 'height', 'template', 'registrationIds'])
    .executeTakeFirst()
  if (!download) throw conflict('download_used')
  return download
}
export type Download = Awaited<ReturnType<typeof beginDownload>>

/** Photos per database read; the progress is saved after each. */
const chunkSize = 50
/** Photos drawn at a time; the picture pool may allow fewer. */
const drawnAtOnce = 2

export type Photo = { name: string; label: string; npm: string; bytes: Buffer }

/**
 * Photos of a download, one after the other, in `size` pixels. Draws two at a time, the next two only after the reader
 * took both. Saves the progress; leaves out and counts unreadable photos.
 */
export async function* photosOf(
  services: Services,
  { id, template, registrationIds }: Download,
  size: { width: number; height: number },
): AsyncGenerator<Photo> {
  const { db } = services
  const nameOf = uniqueNames((count) => `_(${count})`)
  let failed = 0
  for (let start = 0; start < registrationIds.length; start += chunkSize) {
    const ids = registrationIds.slice(start, start + chunkSize)
    const found = new Map((await readChunk(db, ids)).map((row) => [row.id, row]))
    for (let next = 0; next < ids.length; next += drawnAtOnce) {
      const rows = ids.slice(next, next + drawnAtOnce).map((one) => found.get(one))
      const drawn = await Promise.all(rows.map((row) => (row ? draw(services, row.storageKey, size) : null)))
      for (const [index, bytes] of drawn.entries()) {
        const row = rows[index]
        if (!row || !bytes) failed++
        else
          yield {
            name: nameOf(photoName(template, namesOf(row)), 'jpg'),
            label: row.name,
            npm: row.npm ?? row.code,
            bytes,
          }
      }
    }
    await db
      .updateTable('photoDownloads')
      .set({ done: Math.min(start + chunkSize, registrationIds.length), failed })
      .where('id', '=', id)
      .execute()
  }
}

const namesOf = (row: Row): Record<NameToken, string | null> => ({
  npm: row.npm,
  nama: row.name,
  kode: row.code,
  prodi: row.programme,
  gelombang: row.wave,
})

const readChunk = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('files as f', 'f.id', 'a.photoFileId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select(['r.id', 'r.code', 'a.fullName as name', 's.npm', 'p.name as programme', 'w.name as wave', 'f.storageKey'])
    .where('r.id', 'in', [...ids])
    .where('f.deletedAt', 'is', null)
    .execute()
type Row = Awaited<ReturnType<typeof readChunk>>[number]

const busyWaitMs = 500

/** A photo, cropped to the middle and scaled; null if it cannot be read. Waits while the picture pool is full. */
async function draw(services: Services, storageKey: string, size: { width: number; height: number }) {
  for (;;) {
    try {
      const picture = await services.files.bytes(storageKey)
      return (await resizePicture(services, picture, { ...size, fit: 'cover', position: 'centre' })).bytes
    } catch (error) {
      if (!(error instanceof AppError && error.status === 503)) return null
      await new Promise((resolve) => setTimeout(resolve, busyWaitMs))
    }
  }
}

/**
 * At server start: marks running downloads as stopped, as their server may have been killed. A download that another
 * server is still sending overwrites this at its end.
 */
export async function stopAbandoned({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  await db
    .updateTable('photoDownloads')
    .set({ status: 'stopped', finishedAt: clock.now() })
    .where('status', '=', 'running')
    .execute()
}

/** Stores how a download ended. */
export const endDownload = ({ db, clock }: Services, id: string, status: 'done' | 'stopped') =>
  db
    .updateTable('photoDownloads')
    .set({ status, finishedAt: clock.now() })
    .where('id', '=', id)
    .where('status', 'in', ['running', 'stopped'])
    .execute()
