import { canPostpone, documentTransitions } from '#domain/documents/document-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { verifyIfComplete } from './documents-changed.ts'
import {
  answerDocument,
  followUntil,
  getDocument,
  getDocumentsRegistration,
  isOpen,
  readsRefusal,
} from './find-documents.ts'

type Slot = { registrationId: string; documentId: string; version: number }

/**
 * Lets a missing document follow for the number of days in the settings; 409 if the setting, the slot or an earlier
 * postponement does not allow it.
 */
export async function postponeDocument(
  services: Services,
  actor: Actor,
  { registrationId, documentId, version }: Slot,
) {
  if (!isApplicant(actor)) throw forbidden('pendaftaran-edit')
  await inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    const slot = await getDocument(tx, actor, documentId)
    if (slot.registrationId !== registrationId) throw notFound('document')
    if (!isOpen(slot.registrationStatus) || readsRefusal(slot, now)) throw conflict('document_closed')
    const { documentFollowDays } = await getSettings(tx)
    if (!canPostpone(slot, documentFollowDays)) throw conflict('document_not_deferrable')
    const until = followUntil(now, documentFollowDays)
    const { from, to } = documentTransitions.postpone
    const changed = await tx
      .updateTable('documents')
      .set((eb) => ({
        status: to,
        deferredUntil: until,
        postponedAt: now,
        remindedDaysBefore: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', documentId)
      .where('status', 'in', [...from])
      .where('version', '=', version)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw conflict('stale_version')
    await recordAudit(tx, actor, {
      action: 'document.postpone',
      on: { document: documentId },
      before: { status: slot.status },
      after: { status: to, until },
    })
    await verifyIfComplete(context, registrationId)
  })
  return answerDocument(services, actor, documentId)
}
