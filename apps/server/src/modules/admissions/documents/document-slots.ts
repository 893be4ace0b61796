import { type DocumentStage, type DocumentStatus, documentsStateOf } from '#domain/documents/document-status.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Inserts a registration's slots for the documents its track requires to register. After a draft changes its track,
 * deletes the former track's empty slots and keeps uploaded files.
 */
export async function createDocumentSlots(tx: Db, registrationId: string, trackId: string) {
  await tx
    .deleteFrom('documents')
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'empty')
    .where('requestedBy', 'is', null)
    .where('trackFileId', 'not in', (eb) => eb.selectFrom('trackFiles').select('id').where('trackId', '=', trackId))
    .execute()
  await insertSlots(tx, registrationId, trackId, 'registration')
  await refreshDocumentsState(tx, registrationId)
}

/** Opens slots for the documents a track requires to enrol; existing slots stay. */
export const openEnrolmentSlots = (tx: Db, registrationId: string, trackId: string) =>
  insertSlots(tx, registrationId, trackId, 'enrolment')

/**
 * Deletes empty enrolment slots when a confirmation is reverted. Keeps slots with files, paper copies or a request by
 * staff.
 */
export const closeEnrolmentSlots = (tx: Db, registrationId: string) =>
  tx
    .deleteFrom('documents')
    .where('registrationId', '=', registrationId)
    .where('stage', '=', 'enrolment')
    .where('status', '=', 'empty')
    .where('requestedBy', 'is', null)
    .where('id', 'not in', (eb) => eb.selectFrom('paperReceiptLines').select('documentId'))
    .execute()

const insertSlots = (tx: Db, registrationId: string, trackId: string, stage: DocumentStage) =>
  tx
    .insertInto('documents')
    .columns([
      'registrationId',
      'trackFileId',
      'name',
      'stage',
      'required',
      'acceptedTypes',
      'maxMb',
      'mayDefer',
      'sortOrder',
    ])
    .expression((eb) =>
      eb
        .selectFrom('trackFiles')
        .select((select) => [
          select.val(registrationId).$castTo<string>().as('registrationId'),
          'id',
          'name',
          'stage',
          'required',
          'acceptedTypes',
          'maxMb',
          'mayDefer',
          'sortOrder',
        ])
        .where('trackId', '=', trackId)
        .where('stage', '=', stage)
        .where('active', '=', true),
    )
    .onConflict((conflict) => conflict.columns(['registrationId', 'trackFileId']).doNothing())
    .execute()

/**
 * Updates `documents_state`, which lists and queues read, and returns the slots it counts. Enrolment documents do not
 * count: they open after the decision.
 */
export async function refreshDocumentsState(tx: Db, registrationId: string) {
  const slots = (await tx
    .selectFrom('documents')
    .select(['status', 'required'])
    .where('registrationId', '=', registrationId)
    .where('stage', '=', 'registration')
    .execute()) as { status: DocumentStatus; required: boolean }[]
  const documentsState = documentsStateOf(slots)
  await tx
    .updateTable('registrations')
    .set({ documentsState })
    .where('id', '=', registrationId)
    .where('documentsState', '<>', documentsState)
    .execute()
  return { slots, documentsState }
}
