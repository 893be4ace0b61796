import type { DrivingLicence } from '#domain/applicants/endpoints.ts'
import { bareDigits } from '#domain/applicants/profile-problems.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import {
  claimFile,
  discardFile,
  downloadUrl,
  imageUrl,
  type StoredFile,
  type UploadRules,
} from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

type Answer = Pick<DrivingLicence, 'drives'> & {
  version: number
  class?: DrivingLicence['class'] | undefined
  number?: string | null | undefined
  expiresOn?: string | null | undefined
}

const findLicence = (db: Db, accountId: string) =>
  db
    .selectFrom('drivingLicences as l')
    .leftJoin('files as f', 'f.id', 'l.fileId')
    .selectAll('l')
    .select(['f.name as fileName', 'f.mime as fileMime'])
    .where('l.accountId', '=', accountId)
    .executeTakeFirst()

/** The actor's licence with a signed URL of its scan; null before the first answer. */
export async function licenceOf(services: Services, actor: Actor) {
  const found = await findLicence(services.db, actor.accountId)
  if (!found) return null
  const { fileId, fileMime, ...licence } = found
  const isImage = fileMime?.startsWith('image/')
  return {
    ...licence,
    class: licence.class as DrivingLicence['class'],
    fileId,
    fileUrl: fileId
      ? isImage
        ? imageUrl(services, actor, 'drivingLicence', fileId)
        : downloadUrl(services, actor, fileId)
      : null,
  }
}

async function getLicence(services: Services, actor: Actor) {
  const licence = await licenceOf(services, actor)
  if (!licence) throw notFound('driving-licence')
  return licence
}

/**
 * Saves whether the actor drives. Every save resets the review, so that staff check the answer again. 409 if `version`
 * is stale.
 */
export async function saveLicence(services: Services, actor: Actor, answer: Answer) {
  const { db, clock } = services
  const now = clock.now()
  const number = bareDigits(answer.number ?? '') || null
  const values = {
    drives: answer.drives,
    class: answer.drives ? (answer.class ?? null) : null,
    number: answer.drives ? number : null,
    expiresOn: answer.drives ? (answer.expiresOn ?? null) : null,
    status: 'uploaded' as const,
    rejectReason: null,
    reviewedBy: null,
    reviewedAt: null,
    updatedAt: now,
  }
  await db.transaction().execute(async (tx) => {
    const before = await findLicence(tx, actor.accountId)
    const saved = await tx
      .insertInto('drivingLicences')
      .values({ accountId: actor.accountId, ...values })
      .onConflict((conflicting) =>
        conflicting
          .column('accountId')
          .doUpdateSet({ ...values, ...(!answer.drives && { fileId: null }), version: answer.version + 1 })
          .where('drivingLicences.version', '=', answer.version),
      )
      .returning('version')
      .executeTakeFirst()
    if (!saved || saved.version !== answer.version + 1) throw conflict('stale_version')
    if (!answer.drives && before?.fileId) await discardFile(tx, before.fileId, now)
    await recordAudit(tx, actor, { action: 'driving-licence.save', on: { account: actor.accountId }, after: values })
  })
  return getLicence(services, actor)
}

export const scanRules: UploadRules = {
  kind: 'document',
  maxBytes: 5_000_000,
  acceptedTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  purpose: 'driving-licence',
}

/** Throws 409 unless the actor answered that they drive. */
export async function refuseScanWithoutAnswer({ db }: Pick<Services, 'db'>, actor: Actor) {
  const licence = await findLicence(db, actor.accountId)
  if (!licence?.drives) throw conflict('profile_first')
  return licence
}

/** Stores a picture or PDF of the licence and resets the review. 409 if the answer was saved meanwhile. */
export async function saveLicenceScan(services: Services, actor: Actor, file: StoredFile) {
  const now = services.clock.now()
  await services.db.transaction().execute(async (tx) => {
    const before = await refuseScanWithoutAnswer({ db: tx }, actor)
    await claimFile(tx, file)
    const saved = await tx
      .updateTable('drivingLicences')
      .set({ fileId: file.id, status: 'uploaded', rejectReason: null, version: before.version + 1, updatedAt: now })
      .where('accountId', '=', actor.accountId)
      .where('version', '=', before.version)
      .returning('version')
      .executeTakeFirst()
    if (!saved) throw conflict('stale_version')
    if (before.fileId) await discardFile(tx, before.fileId, now)
    await recordAudit(tx, actor, {
      action: 'driving-licence.scan',
      on: { account: actor.accountId },
      after: { fileId: file.id },
    })
  })
  return getLicence(services, actor)
}
