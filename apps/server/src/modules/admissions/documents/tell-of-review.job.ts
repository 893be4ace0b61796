import { z } from 'zod'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'

/** Tells the applicant of a review once it can no longer be undone; a review that was overtaken is not told. */
export const tellOfReview = defineJob({
  name: 'tell-of-review',
  data: z.object({ reviewId: z.uuid() }),
  run: (services, { reviewId }) =>
    services.db.transaction().execute(async (tx) => {
      const found = await reviewWithDocument(tx, reviewId)
      if (!found) return
      // The lock of everybody who reviews: an undo at the same moment comes before or after, not between.
      await tx
        .selectFrom('registrations')
        .select('id')
        .where('id', '=', found.registrationId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      const review = await reviewWithDocument(tx, reviewId)
      if (!review || review.undoneAt || review.toldAt || review.version !== review.documentVersion) return
      await tx.updateTable('documentReviews').set({ toldAt: services.clock.now() }).where('id', '=', reviewId).execute()
      const link = `/pendaftaran/${review.registrationId}`
      for (const notice of noticesOf(review))
        await notify(tx, services, { accountId: review.accountId, link, ...notice })
    }),
})

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

type Found = NonNullable<Awaited<ReturnType<typeof reviewWithDocument>>>

function noticesOf({ action, moved, name, code, rejectReason, status, verifiedAt, verifiedByReviewAt, before }: Found) {
  if (action === 'reject')
    return [{ event: 'document-rejected', params: { document: name, reason: rejectReason ?? '' } }]
  if (action === 'reopen')
    return moved === 'unverify' || (before as { status: string }).status === 'rejected'
      ? [{ event: 'document-reopened', params: { document: name, code } }]
      : []
  // Another document may have taken this verification back meanwhile.
  const stands = moved === 'verify' && status !== 'paid' && verifiedAt?.getTime() === verifiedByReviewAt?.getTime()
  return stands ? [{ event: 'registration-verified', params: { code } }] : []
}
