import { universityCalendar } from '#domain/calendar.ts'
import { dateTime } from '#locales/format.ts'
import { closeEnrolmentSlots, openEnrolmentSlots } from '#server/modules/admissions/documents/document-slots.ts'
import { offerDueAtOf, renewPastOffer } from '#server/modules/admissions/offers/offer-due.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { endReservePlace, reopenReservePlace } from '#server/modules/admissions/reserve/reserve-places.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockForIssue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { collectWaiting } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { lockBillOfKind } from '#server/modules/payments/bills/change/standing-bill.ts'
import { takeDiscounts } from '#server/modules/payments/bills/prices/discounts.ts'
import { isPlanOffered, tuitionFor } from '#server/modules/payments/bills/prices/prices.ts'
import { requirePermission } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type MovedRegistration, moveRegistration } from './move-registration.ts'

/**
 * Confirms a published acceptance before its deadline, opens the enrolment documents and issues the re-registration
 * bill.
 */
export async function confirmRegistration(
  context: Context,
  id: string,
  installmentPlanId: string | null,
  reason?: string,
) {
  const { tx, services } = context
  await requireOffer(context, id, 'confirm')
  const moved = await moveRegistration(context, id, 'confirm', { reason, set: { installmentPlanId } })
  if (moved.decision !== 'accepted') throw conflict('not_accepted')
  // Read under the registration's lock: staff may have extended the deadline, or the job may be expiring the offer.
  const dueAt = await offerDueAtOf(tx, id)
  if (dueAt && services.clock.now() >= dueAt) throw conflict('confirmation_closed')
  await endReservePlace(context, id, 'taken')
  await openEnrolmentSlots(tx, id, moved.trackId)
  await issueReRegistration(context, moved)
}

/**
 * Throws 403 or 409 unless the actor may answer the offer. If the decision is hidden from the actor, the error is the
 * same as for an undecided registration.
 */
export async function requireOffer(
  { tx, services, actor }: Context,
  id: string,
  action: 'confirm' | 'decline' | 'extend',
) {
  if (!isApplicant(actor)) requirePermission(actor, 'pendaftaran-confirm')
  const { status, facts } = await getRegistration(tx, actor, id, services.clock.now())
  if (status !== 'decided') throw conflict('wrong_status', { action, status })
  if (facts.result === 'waiting') throw conflict('result_not_published')
  // The public refusal still counts, even if an unpublished acceptance replaces it.
  if (facts.result === 'not_accepted') throw conflict('not_accepted')
}

/**
 * Issues the tuition bill with the chosen plan, unless a bill that is not cancelled exists. Waiting money from a
 * cancelled bill is booked onto the new bill.
 */
export async function issueReRegistration(context: Context, registration: MovedRegistration) {
  const { tx, services } = context
  const { id, accountId, waveId, trackId, classProgrammeId, installmentPlanId } = registration
  const programmeId = registration.acceptedProgrammeId!
  if (installmentPlanId) await requirePlan(tx, installmentPlanId, waveId)
  const existing = await tx
    .selectFrom('bills')
    .select('id')
    .where('registrationId', '=', id)
    .where('kind', '=', 're_registration')
    .where('status', '<>', 'cancelled')
    .executeTakeFirst()
  if (existing) return
  const { lines: priced } = await tuitionFor(tx, { programmeId, waveId, classProgrammeId, trackId })
  if (priced.length === 0 && !(await hasTuition(tx, { programmeId, waveId, classProgrammeId })))
    throw conflict('tuition_missing')
  const now = services.clock.now()
  const kind = 're_registration'
  await lockForIssue(tx, id, accountId)
  const lines = await takeDiscounts(tx, now, { registrationId: id, kind, lines: priced })
  const bill = await issueBill(context, {
    registrationId: id,
    accountId,
    kind,
    lines,
    dueAt: universityCalendar().endOfDayAfter(now, 7),
    installmentPlanId,
  })
  await collectWaiting(context, bill)
  const recipient = await tx
    .selectFrom('accounts as u')
    .innerJoin('studyProgrammes as p', (join) => join.on('p.id', '=', programmeId))
    .select(['u.language', 'p.name', 'p.nameEn'])
    .where('u.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const firstInstallment = await tx
    .selectFrom('installments')
    .select('dueAt')
    .where('billId', '=', bill.id)
    .orderBy('position')
    .executeTakeFirst()
  const due = firstInstallment?.dueAt ?? bill.dueAt
  await notify(context, {
    accountId,
    event: 'registration-confirmed',
    params: {
      programme: (recipient.language === 'en' && recipient.nameEn) || recipient.name,
      due: due ? dateTime(due, recipient.language) : '',
    },
    link: `/pendaftaran/${id}`,
  })
}

/** A row with amount 0 counts: it means that the programme is free. */
const hasTuition = async (tx: Tx, place: { programmeId: string; waveId: string; classProgrammeId: string }) =>
  (await tx
    .selectFrom('tuitionFees')
    .select('id')
    .where('programmeId', '=', place.programmeId)
    .where('waveId', '=', place.waveId)
    .where('classProgrammeId', '=', place.classProgrammeId)
    .where('active', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined

async function requirePlan(tx: Tx, planId: string, waveId: string) {
  if (!(await isPlanOffered(tx, planId, waveId))) throw invalid({ installmentPlanId: 'plan_not_offered' })
}

/**
 * Reverts a confirmation; 409 if something is already paid. Locks the bill, so a payment at the same time is not
 * missed.
 */
export async function revertConfirmation(context: Context, id: string, reason: string) {
  const { tx, services } = context
  const moved = await moveRegistration(context, id, 'revertConfirmation', {
    reason,
    set: { confirmedAt: null, installmentPlanId: null },
  })
  await renewPastOffer(tx, id, services.clock.now())
  await reopenReservePlace(tx, moved)
  await closeEnrolmentSlots(tx, id)
  const bill = await lockBillOfKind(tx, id, 're_registration')
  if (bill && bill.paid > 0) throw conflict('money_paid')
  await cancelBills(context, id, reason, 're_registration')
}
