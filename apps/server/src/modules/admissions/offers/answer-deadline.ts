import { sql } from 'kysely'
import { dateTime } from '#locales/format.ts'
import { requireOffer } from '#server/modules/admissions/steps/confirm-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { offerDueAtOf } from './offer-due.ts'

/** Sets the deadline of one offer and tells the applicant; 409 if the offer was answered or has expired. */
export const extendOffer = (services: Services, actor: Actor, id: string, dueAt: Date, reason: string) =>
  services.db.transaction().execute(async (tx) => {
    // The job that expires offers waits for this lock.
    await sql`SELECT FROM registrations WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx)
    await requireOffer(tx, services, actor, id, 'extend')
    const before = await offerDueAtOf(tx, id)
    const offer = await tx
      .updateTable('registrations as r')
      .from('studyProgrammes as p')
      .whereRef('p.id', '=', 'r.acceptedProgrammeId')
      .where('r.id', '=', id)
      .set({ offerDueAt: dueAt, updatedAt: services.clock.now() })
      .returning(['r.accountId', 'r.code', 'p.name', 'p.nameEn'])
      .executeTakeFirst()
    if (!offer) throw conflict('not_accepted')
    await sql`UPDATE reserve_places SET due_at = ${dueAt}, version = version + 1
      WHERE registration_id = ${id} AND status = 'offered'`.execute(tx)
    const subject = { type: 'registration', id }
    await recordAudit(tx, actor, 'registration.extendOffer', subject, {
      before: { dueAt: before },
      after: { dueAt },
      reason,
    })
    await notify(tx, services, {
      accountId: offer.accountId,
      event: 'offer-extended',
      params: (language) => ({
        code: offer.code,
        programme: (language === 'en' && offer.nameEn) || offer.name,
        due: dateTime(dueAt, language),
      }),
      link: '/konfirmasi-kelulusan',
    })
    return { id, dueAt }
  })

/** Notes when the applicant first saw the present result; nothing for staff, also in a borrowed session. */
export async function markResultSeen({ db, clock }: Services, actor: Actor, id: string) {
  if (!isApplicant(actor) || actor.seenBy) return { seen: false }
  const now = clock.now()
  const { numAffectedRows } = await sql`UPDATE registrations r SET result_seen_at = ${now}
    WHERE r.id = ${id} AND ${visibleTo(actor)} AND r.decision IS NOT NULL AND ${isPublished(now)}
      AND (r.result_seen_at IS NULL OR r.result_seen_at < r.decided_at)`.execute(db)
  return { seen: Number(numAffectedRows ?? 0) > 0 }
}
