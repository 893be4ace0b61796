import { sql } from 'kysely'
import { dateTime } from '#locales/format.ts'
import { getRegistration, requireVisible } from '#server/modules/admissions/registrations/load-registrations.ts'
import { requireOffer } from '#server/modules/admissions/steps/confirm-registration.ts'
import { reopenRegistration } from '#server/modules/admissions/steps/reopen-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicDecision, resultPublicSince } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { offerDueAtOf } from './offer-due.ts'

/** Sets the deadline of an offer and notifies the applicant; 409 if the offer was answered or has expired. */
export const extendOffer = (services: Services, actor: Actor, id: string, dueAt: Date, reason: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    // The job that expires offers takes the same lock.
    await sql`SELECT FROM registrations WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx)
    await requireOffer(context, id, 'extend')
    const before = await offerDueAtOf(tx, id)
    const offer = await tx
      .updateTable('registrations as r')
      .from('studyProgrammes as p')
      .whereRef('p.id', '=', 'r.acceptedProgrammeId')
      .where('r.id', '=', id)
      .set({ offerDueAt: dueAt, updatedAt: services.clock.now() })
      .returning('r.id')
      .executeTakeFirst()
    if (!offer) throw conflict('not_accepted')
    await sql`UPDATE reserve_places SET due_at = ${dueAt}, version = version + 1
      WHERE registration_id = ${id} AND status = 'offered'`.execute(tx)
    await recordAudit(tx, actor, {
      action: 'registration.extendOffer',
      on: { registration: id },
      before: { dueAt: before },
      after: { dueAt },
      reason,
    })
    await tellDeadline(context, id, 'offer-extended', dueAt)
    return { id, dueAt }
  })

/**
 * Reopens an expired offer with a new deadline and notifies the applicant; 409 if its place went to the reserve list or
 * is taken.
 */
export const reopenOffer = (services: Services, actor: Actor, id: string, dueAt: Date, reason: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { status, facts } = await getRegistration(tx, actor, id, services.clock.now())
    // Drafts expire too; without a published acceptance there is no offer.
    if (status === 'expired' && facts.result !== 'accepted')
      throw conflict('wrong_status', { action: 'reopenOffer', status })
    await reopenRegistration(context, id, 'reopenOffer', { reason, offerDueAt: dueAt })
    await tellDeadline(context, id, 'offer-reopened', dueAt)
    return { id, dueAt }
  })

async function tellDeadline(
  context: Omit<Context, 'actor'>,
  id: string,
  event: 'offer-extended' | 'offer-reopened',
  dueAt: Date,
) {
  const { tx } = context
  const offer = await tx
    .selectFrom('registrations as r')
    .innerJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .select(['r.accountId', 'r.code', 'p.name', 'p.nameEn'])
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow()
  await notify(context, {
    accountId: offer.accountId,
    event,
    params: (language) => ({
      code: offer.code,
      programme: (language === 'en' && offer.nameEn) || offer.name,
      due: dateTime(dueAt, language),
    }),
    link: '/konfirmasi-kelulusan',
  })
}

/**
 * Stores when the applicant first saw the public result. Does nothing for staff, even when viewing as the applicant.
 */
export async function markResultSeen({ db, clock }: Services, actor: Actor, id: string) {
  await requireVisible(db, actor, id)
  if (!isApplicant(actor) || actor.seenBy) return { seen: false }
  const now = clock.now()
  const { numAffectedRows } = await sql`UPDATE registrations r SET result_seen_at = ${now}
    WHERE r.id = ${id} AND ${visibleTo(actor)} AND ${publicDecision(now)} IS NOT NULL
      AND (r.result_seen_at IS NULL OR r.result_seen_at < ${resultPublicSince(now)})`.execute(db)
  return { seen: Number(numAffectedRows ?? 0) > 0 }
}
