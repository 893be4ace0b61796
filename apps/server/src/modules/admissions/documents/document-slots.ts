import { type DocumentStage, type DocumentStatus, documentsStateOf } from '#domain/documents/document-status.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Inserts the slots of a registration from the files its track asks for to register. After a change of the track of a
 * draft, empty slots of the former track are deleted and uploaded files stay.
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

/** Opens the slots of the files a track asks for to enrol; slots that exist stay. */
export const openEnrolmentSlots = (tx: Db, registrationId: string, trackId: string) =>
  insertSlots(tx, registrationId, trackId, 'enrolment')

/** Deletes the empty slots of the enrolment when a confirmation is reverted; files, requests and papers stay. */
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
 * Updates `documents_state`, which lists and queues read, and returns the slots behind it. Documents to enrol do not count:
 * they open after the decision.
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
