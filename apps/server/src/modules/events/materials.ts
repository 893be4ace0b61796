import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import {
  claimFile,
  discardFile,
  getFile,
  type StoredFile,
  type UploadRules,
} from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { eventReaderOf, getVisibleEvent } from './event-scope.ts'

export const materialRules: UploadRules = {
  kind: 'document',
  acceptedTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  maxBytes: 10_000_000,
  purpose: 'event-material',
}

type NewMaterial = { title: string; audience: 'visitors' | 'staff' }

/** Adds an uploaded file to an event, unpublished. */
export const addMaterial = (
  services: Services,
  actor: Actor,
  eventId: string,
  file: StoredFile,
  { title, audience }: NewMaterial,
) =>
  services.db.transaction().execute(async (tx) => {
    const event = await tx.selectFrom('events').select('id').where('id', '=', eventId).forShare().executeTakeFirst()
    if (!event) throw notFound('event')
    await claimFile(tx, file)
    const { id } = await tx
      .insertInto('eventMaterials')
      .values({
        eventId,
        fileId: file.id,
        title,
        audience,
        createdAt: services.clock.now(),
        createdBy: actor.accountId || null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'event.material', on: { event: eventId }, after: { title, audience } })
    return { id }
  })

async function getMaterial(db: Db, eventId: string, id: string) {
  const material = await db
    .selectFrom('eventMaterials')
    .selectAll()
    .where('id', '=', id)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  if (!material) throw notFound('material')
  return material
}

export const publishMaterial = (services: Services, actor: Actor, eventId: string, id: string, published: boolean) =>
  services.db.transaction().execute(async (tx) => {
    const { audience, publishedAt, title } = await getMaterial(tx, eventId, id)
    if (audience !== 'visitors') throw conflict('wrong_status')
    if ((publishedAt !== null) === published) return { id }
    await tx
      .updateTable('eventMaterials')
      .set({ publishedAt: published ? services.clock.now() : null })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'event.material-publish',
      on: { event: eventId },
      before: { published: !published },
      after: { published, title },
    })
    return { id }
  })

export const removeMaterial = (services: Services, actor: Actor, eventId: string, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const { fileId, title } = await getMaterial(tx, eventId, id)
    await tx.deleteFrom('eventMaterials').where('id', '=', id).execute()
    await discardFile(tx, fileId, services.clock.now())
    await recordAudit(tx, actor, { action: 'event.material-remove', on: { event: eventId }, before: { title } })
    return { id }
  })

/** Any material for staff; only published ones for affiliates of the event. */
export async function materialFile(services: Services, actor: Actor, eventId: string, id: string) {
  const reader = await eventReaderOf(services.db, actor)
  await getVisibleEvent(services.db, reader, eventId)
  const { fileId, publishedAt } = await getMaterial(services.db, eventId, id)
  if (!reader.seesAll && !publishedAt) throw notFound('material')
  return getFile(services.db, fileId)
}
