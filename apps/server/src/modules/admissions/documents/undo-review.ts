import { decisionFollows, type ReviewAction, undoSeconds } from '#domain/documents/document-status.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { followDocuments } from './documents-changed.ts'
import {
  answerDocument,
  type DocumentRow,
  getDocument,
  getDocumentsRegistration,
  isOpen,
  requireReviewer,
} from './find-documents.ts'
import { type BeforeReview, lostRaceError, reopeningOf } from './review-document.ts'
import { tellOfReviewJob } from './tell-of-review.job.ts'

/** The review that produced this version of the document; throws 409 if the actor may not undo it, or no longer. */
async function getUndoable({ tx, actor, now }: Context, slot: DocumentRow, version: number) {
  const review = await tx
    .selectFrom('documentReviews')
    .selectAll()
    .where('documentId', '=', slot.id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!review) throw conflict('document_replaced')
  if (review.undoneAt) throw conflict('undo_done')
  if (review.reviewerId !== actor.accountId) throw conflict('undo_of_another')
  if (slot.version !== version) throw lostRaceError(actor, slot, review.action as ReviewAction)
  if (!isOpen(slot.registrationStatus)) throw conflict('document_closed')
  if (decisionFollows(slot)) throw conflict('document_under_decision')
  const undoUntilMs = review.reviewedAt.getTime() + undoSeconds * 1000
  if (review.toldAt || now.getTime() > undoUntilMs) throw conflict('undo_over')
  return review
}

/**
 * Undoes the actor's last review of a document: restores the document and reverts a verification that followed.
 * `tell-of-review` finds the review undone and sends no message.
 */
export async function undoReview(services: Services, actor: Actor, documentId: string, version: number) {
  await inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    const { registrationId } = await getDocument(tx, actor, documentId)
    const { accountId, code } = await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    const slot = await getDocument(tx, actor, documentId)
    requireReviewer(actor, slot.registrationStatus)
    const review = await getUndoable(context, slot, version)
    const { verifiedAt, ...before } = review.before as unknown as BeforeReview
    await tx.updateTable('documentReviews').set({ undoneAt: now }).where('id', '=', review.id).execute()
    await tx
      .updateTable('documents')
      .set({ ...before, version: version + 1 })
      .where('id', '=', documentId)
      .execute()
    await recordAudit(tx, actor, {
      action: 'document.undo',
      on: { document: documentId },
      before: { status: slot.status },
      after: { status: before.status },
    })
    const reopening = reopeningOf(slot, before.status)
    const moved = await followDocuments(context, registrationId, reopening, verifiedAt)
    await reviveReview(context, documentId, review.version)
    // The verification came from a payment or was made by hand, so the applicant was already notified.
    if (moved === 'unverify' && review.moved !== 'verify')
      await notify(context, {
        accountId,
        event: 'document-reopened',
        params: { document: slot.name, code },
        link: `/pendaftaran/${registrationId}/file`,
      })
  })
  return answerDocument(services, actor, documentId)
}

/**
 * Makes the review before the undone one valid again. If the applicant was not notified yet, its message is sent after
 * its own minute.
 */
async function reviveReview({ tx, services }: Omit<Context, 'actor'>, documentId: string, undoneVersion: number) {
  const revived = await tx
    .updateTable('documentReviews')
    .set({ version: undoneVersion + 1 })
    .where('documentId', '=', documentId)
    .where('version', '=', undoneVersion - 1)
    .where('undoneAt', 'is', null)
    .where('toldAt', 'is', null)
    .returning(['id', 'reviewedAt'])
    .executeTakeFirst()
  if (!revived) return
  const startAfter = new Date(revived.reviewedAt.getTime() + undoSeconds * 1000)
  await services.jobs.enqueue(tx, tellOfReviewJob, { reviewId: revived.id }, { startAfter })
}
