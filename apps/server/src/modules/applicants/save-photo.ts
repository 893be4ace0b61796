import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import { claimFile, discardFile, type StoredFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { profileOf } from './profile.ts'

/** Pixels needed to print 3 × 4 cm sharply on a card. */
export const smallestPhoto = { minWidth: 300, minHeight: 400 }

export const photoRules: UploadRules = {
  kind: 'image',
  maxBytes: 10_000_000,
  acceptedTypes: ['image/jpeg', 'image/png', 'image/webp'],
  purpose: 'photo',
  ...smallestPhoto,
}

/** Throws 409 if the actor has no profile. Called before the upload begins. */
export async function refusePhotoWithoutProfile({ db }: Services, actor: Actor) {
  const profile = await db
    .selectFrom('applicants')
    .select('id')
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst()
  if (!profile) throw conflict('profile_first')
}

/** Saves a portrait. Keeps the profile's version: a form open at the same time can still be saved. */
export async function savePhoto({ db, clock }: Services, actor: Actor, file: StoredFile) {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    await claimFile(tx, file)
    const before = await tx
      .selectFrom('applicants')
      .select(['id', 'photoFileId'])
      .where('accountId', '=', actor.accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw conflict('profile_first')
    await tx
      .updateTable('applicants')
      .set({ photoFileId: file.id, updatedAt: now })
      .where('id', '=', before.id)
      .execute()
    if (before.photoFileId) await discardFile(tx, before.photoFileId, now)
    await recordAudit(tx, actor, {
      action: 'profile.photo',
      on: { applicant: before.id },
      before: { photoFileId: before.photoFileId },
      after: { photoFileId: file.id },
    })
    return (await profileOf(tx, actor.accountId, now))!
  })
}
