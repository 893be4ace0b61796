import { universityCalendar } from '#domain/calendar.ts'
import {
  canTake,
  type DocumentStatus,
  decisionFollows,
  documentTransitions,
  isSettled,
  type ReviewAction,
  undoSeconds,
} from '#domain/documents/document-status.ts'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
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
import { tellOfReviewJob } from './tell-of-review.job.ts'

export type Review = { version: number; reason?: string | undefined; until?: string | undefined }

/** Checks beyond the transitions: status of the registration, decision and dates. */
function refuseUnlessAllowed(action: ReviewAction, slot: DocumentRow, { until }: Review, today: string) {
  if (!isOpen(slot.registrationStatus)) throw conflict('document_closed')
  if (action === 'defer') {
    if (!slot.mayDefer) throw conflict('document_not_deferrable')
    if (!until || until <= today) throw invalid({ until: 'document_date_past' })
  }
  if (action === 'reopen' && decisionFollows(slot)) throw conflict('document_under_decision')
}

/** The 409 for a reviewer who came second, with the status set by the first. */
export function lostRaceError(actor: Actor, slot: DocumentRow, action: ReviewAction) {
  if (canTake(action, slot.status as DocumentStatus)) return conflict('document_replaced')
  const t = sentences(actor.language)
  const status = t(`documents:staffStatus.${slot.status}`, { date: slot.deferredUntil ?? '' })
  return conflict('document_decided', { status })
}

const takeStep = (
  { tx, actor, now }: Context,
  slot: DocumentRow,
  action: ReviewAction,
  { version, reason, until }: Review,
) => {
  const { from, to } = documentTransitions[action]
  return tx
    .updateTable('documents')
    .set({
      status: to === 'before' ? (slot.fileId ? 'uploaded' : 'empty') : to,
      rejectReason: action === 'reject' ? (reason ?? null) : null,
      deferredUntil: action === 'defer' ? (until ?? null) : null,
      // A new day has reminders of its own.
      ...(action === 'defer' && { remindedDaysBefore: null, neverLapses: false }),
      reviewedBy: actor.accountId,
      reviewedAt: now,
      version: version + 1,
    })
    .where('id', '=', slot.id)
    .where('status', 'in', [...from])
    .where('version', '=', version)
    .returning('status')
    .executeTakeFirst()
}

/** State that undoing a review restores; `verifiedAt` belongs to the registration. */
export type BeforeReview = Pick<
  DocumentRow,
  'status' | 'rejectReason' | 'deferredUntil' | 'reviewedBy' | 'reviewedAt' | 'verifiedAt'
>

const beforeReview = ({ status, rejectReason, deferredUntil, reviewedBy, reviewedAt, verifiedAt }: DocumentRow) =>
  ({ status, rejectReason, deferredUntil, reviewedBy, reviewedAt, verifiedAt }) satisfies BeforeReview

/**
 * When the required slot that a review reopens was settled; undefined if the review reopens no settled required slot.
 */
export function reopeningOf(slot: DocumentRow, after: string) {
  const settled = (status: string) => isSettled({ status: status as DocumentStatus, required: slot.required })
  return slot.required && settled(slot.status) && !settled(after) ? { settledAt: slot.reviewedAt } : undefined
}

/** Reviews a document. The applicant is notified a minute later, unless the review is undone. */
export async function reviewDocument(
  services: Services,
  actor: Actor,
  documentId: string,
  action: ReviewAction,
  review: Review,
) {
  await inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    const { registrationId } = await getDocument(tx, actor, documentId)
    await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    const slot = await getDocument(tx, actor, documentId)
    requireReviewer(actor, slot.registrationStatus)
    refuseUnlessAllowed(action, slot, review, universityCalendar().dayOf(now))
    const after = await takeStep(context, slot, action, review)
    if (!after) throw lostRaceError(actor, await getDocument(tx, actor, documentId), action)
    await recordAudit(tx, actor, {
      action: `document.${action}`,
      on: { document: documentId },
      before: { status: slot.status },
      after: { status: after.status, ...(review.until && { until: review.until }) },
      ...(review.reason && {
        reason: reasonSentence(review.reason, (key) => sentences(actor.language)(`documents:${key}`)),
      }),
    })
    const moved = await followDocuments(context, registrationId, reopeningOf(slot, after.status))
    const { id: reviewId } = await tx
      .insertInto('documentReviews')
      .values((eb) => ({
        documentId,
        action,
        reviewerId: actor.accountId,
        reviewedAt: now,
        version: review.version + 1,
        before: JSON.stringify(beforeReview(slot)),
        moved,
        verifiedAt:
          moved === 'verify'
            ? eb.selectFrom('registrations').select('verifiedAt').where('id', '=', registrationId)
            : null,
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const startAfter = new Date(now.getTime() + undoSeconds * 1000)
    if (action === 'reject' || action === 'reopen' || moved)
      await services.jobs.enqueue(tx, tellOfReviewJob, { reviewId }, { startAfter })
  })
  return answerDocument(services, actor, documentId)
}
