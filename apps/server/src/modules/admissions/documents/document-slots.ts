import { type DocumentStatus, documentsStateOf } from '#domain/documents/document-status.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Inserts the slots of a registration from the files of its track. After a change of the track of a draft, empty slots
 * of the former track are deleted and uploaded files stay.
 */
export async function createDocumentSlots(tx: Db, registrationId: string, trackId: string) {
  await tx
    .deleteFrom('documents')
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'empty')
    .where('requestedBy', 'is', null)
    .where('trackFileId', 'not in', (eb) => eb.selectFrom('trackFiles').select('id').where('trackId', '=', trackId))
    .execute()
  await tx
    .insertInto('documents')
    .columns(['registrationId', 'trackFileId', 'name', 'required', 'acceptedTypes', 'maxMb', 'mayDefer', 'sortOrder'])
    .expression((eb) =>
      eb
        .selectFrom('trackFiles')
        .select((select) => [
          select.val(registrationId).$castTo<string>().as('registrationId'),
          'id',
          'name',
          'required',
          'acceptedTypes',
          'maxMb',
          'mayDefer',
          'sortOrder',
        ])
        .where('trackId', '=', trackId)
        .where('active', '=', true),
    )
    .onConflict((conflict) => conflict.columns(['registrationId', 'trackFileId']).doNothing())
    .execute()
  await refreshDocumentsState(tx, registrationId)
}

/** Updates `documents_state`, which lists and queues read, and returns the slots behind it. */
export async function refreshDocumentsState(tx: Db, registrationId: string) {
  const slots = (await tx
    .selectFrom('documents')
    .select(['status', 'required'])
    .where('registrationId', '=', registrationId)
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
