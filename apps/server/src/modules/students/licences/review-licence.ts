import { universityCalendar } from '#domain/calendar.ts'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import type { Language } from '#entities/define/language.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import type { Context } from '#server/platform/use-case.ts'
import { getLicence } from './student-licence.ts'

type Review = { version: number; verdict: 'approved' | 'rejected'; reason?: string | null | undefined }

/**
 * Verifies or rejects a licence; 409 without a scan, when verifying an expired one, or if `version` is stale. Notifies
 * the applicant about a rejection.
 */
export async function reviewLicence(context: Context, accountId: string, { version, verdict, reason }: Review) {
  const { tx, actor, now } = context
  const before = await getLicence(tx, actor, accountId, now)
  if (before.state === 'no_scan') throw conflict('licence_scan_missing')
  const isExpired = before.expiresOn < universityCalendar().dayOf(now)
  if (verdict === 'approved' && isExpired) throw conflict('licence_expired')
  const rejectReason = verdict === 'rejected' ? (reason ?? null) : null
  const saved = await tx
    .updateTable('drivingLicences')
    .set({
      status: verdict,
      rejectReason,
      reviewedBy: actor.accountId || null,
      reviewedAt: now,
      version: version + 1,
      updatedAt: now,
    })
    .where('accountId', '=', accountId)
    .where('version', '=', version)
    .returning('accountId')
    .executeTakeFirst()
  if (!saved) throw conflict('stale_version')
  await recordAudit(tx, actor, {
    action: verdict === 'approved' ? 'driving-licence.approve' : 'driving-licence.reject',
    on: { account: accountId },
    before: { state: before.state },
    after: { state: verdict },
    reason: rejectReason,
  })
  if (!rejectReason) return
  const { simLabel } = await getSettings(tx)
  await notify(context, {
    accountId,
    event: 'document-rejected',
    params: (language: Language) => ({
      document: simLabel[language],
      reason: reasonSentence(rejectReason, (key) => sentences(language)(`documents:${key}`)),
    }),
    link: '/account/sim',
  })
}
