import { type DocumentStatus, documentsStateOf } from '#domain/documents/document-status.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Makes the slots of a registration from the list of its track. Called again after the track of a draft changed: empty
 * slots of the former track go, files already sent stay.
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

/** Writes the one word that lists and queues read; gives back the slots it was made from. */
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
