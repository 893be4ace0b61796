import { z } from 'zod'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import type { Language } from '#entities/define/language.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/** Notifies the applicant about a review once it can no longer be undone; skips a review that a newer one replaced. */
export const tellOfReviewJob = defineJob({
  name: 'tell-of-review',
  data: z.object({ reviewId: z.uuid() }),
  run: (services, { reviewId }) =>
    inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const reviewed = await reviewWithDocument(tx, reviewId)
      if (!reviewed) return
      // Reviews and undos lock the registration too, so an undo runs entirely before or after this job.
      await tx
        .selectFrom('registrations')
        .select('id')
        .where('id', '=', reviewed.registrationId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      const review = await reviewWithDocument(tx, reviewId)
      if (!review || review.undoneAt || review.toldAt || review.version !== review.documentVersion) return
      await tx.updateTable('documentReviews').set({ toldAt: services.clock.now() }).where('id', '=', reviewId).execute()
      const { accountId, registrationId } = review
      for (const notice of noticesOf(review))
        await notify(context, { accountId, link: linkOf(notice.event, registrationId), ...notice })
    }),
})

/** Page that a notice opens: the documents, or the overview of a verified registration. */
const linkOf = (event: string, registrationId: string) =>
  `/pendaftaran/${registrationId}${event === 'registration-verified' ? '' : '/file'}`

const reviewWithDocument = (tx: Db, reviewId: string) =>
  tx
    .selectFrom('documentReviews as v')
    .innerJoin('documents as d', 'd.id', 'v.documentId')
    .innerJoin('registrations as r', 'r.id', 'd.registrationId')
    .select([
      'v.action',
      'v.version',
      'v.before',
      'v.moved',
      'v.undoneAt',
      'v.toldAt',
      'v.verifiedAt as verifiedByReviewAt',
      'd.version as documentVersion',
      'd.name',
      'd.rejectReason',
      'd.registrationId',
      'r.accountId',
      'r.code',
      'r.status',
      'r.verifiedAt',
    ])
    .where('v.id', '=', reviewId)
    .executeTakeFirst()

type ReviewWithDocument = NonNullable<Awaited<ReturnType<typeof reviewWithDocument>>>

function noticesOf({
  action,
  moved,
  name,
  code,
  rejectReason,
  status,
  verifiedAt,
  verifiedByReviewAt,
  before,
}: ReviewWithDocument) {
  if (action === 'reject')
    return [
      {
        event: 'document-rejected',
        params: (language: Language) => ({
          document: name,
          reason: reasonSentence(rejectReason ?? '', (key) => sentences(language)(`documents:${key}`)),
        }),
      },
    ]
  if (action === 'reopen')
    return moved === 'unverify' || (before as { status: string }).status === 'rejected'
      ? [{ event: 'document-reopened', params: { document: name, code } }]
      : []
  // A review of another document may have reverted this verification meanwhile.
  const verificationCounts =
    moved === 'verify' && status !== 'paid' && verifiedAt?.getTime() === verifiedByReviewAt?.getTime()
  return verificationCounts ? [{ event: 'registration-verified', params: { code } }] : []
}
