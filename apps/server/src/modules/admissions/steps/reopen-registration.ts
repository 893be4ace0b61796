import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { renewPastOffer } from '#server/modules/admissions/offers/offer-due.ts'
import { takePlace } from '#server/modules/admissions/places.ts'
import {
  lockListsOfPlace,
  reopenReservePlace,
  takeBackPlace,
} from '#server/modules/admissions/reserve/reserve-places.ts'
import { announceIfPublished } from '#server/modules/admissions/results/publish-results.ts'
import { lockForIssue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { oweAgain } from '#server/modules/payments/bills/change/owe-again.ts'
import { lockDiscounts } from '#server/modules/payments/bills/prices/discounts.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { issueReRegistration } from './confirm-registration.ts'
import { moveRegistration } from './move-registration.ts'
import { issueRegistrationFee, priceRegistrationFee } from './submit-registration.ts'

type Reopening = { reason: string; offerDueAt?: Date }

/**
 * Reopens an ended registration in its former status: cancelled bills are owed again and waiting payments are booked
 * onto them. 409 if the accepted programme has no place left or reserve candidates come first. Locks the reserve lists
 * before the registration.
 */
export async function reopenRegistration(
  context: Context,
  id: string,
  action: 'revertWithdrawal' | 'reopenOffer',
  { reason, offerDueAt }: Reopening,
) {
  const { tx, services } = context
  const list = await lockListsOfPlace(tx, id)
  const [ended] = registrationTransitions[action].from
  const openRegistration = await tx
    .selectFrom('registrations as r')
    .innerJoin('registrations as o', (join) =>
      join
        .onRef('o.applicantId', '=', 'r.applicantId')
        .onRef('o.waveId', '=', 'r.waveId')
        .onRef('o.trackId', '=', 'r.trackId')
        .on('o.status', 'not in', ['withdrawn', 'cancelled', 'expired']),
    )
    .select('o.code')
    .where('r.id', '=', id)
    .where('r.status', '=', ended)
    .executeTakeFirst()
  if (openRegistration) throw conflict('applicant_has_registration', { code: openRegistration.code })
  const moved = await moveRegistration(context, id, action, {
    reason,
    ...(offerDueAt && { set: { offerDueAt } }),
  })
  if (moved.status === 'decided') {
    await renewPastOffer(tx, id, services.clock.now())
    // The publication happened while the registration was closed.
    await announceIfPublished(context, id)
  }
  if (list && (moved.status === 'decided' || moved.status === 'confirmed')) {
    await takeBackPlace(tx, moved, list)
    await takePlace(tx, moved, list.programmeId)
    await reopenReservePlace(tx, moved)
  }
  const bills = await lockForIssue(tx, id, moved.accountId)
  for (const kind of billKinds) await lockDiscounts(tx, { registrationId: id, kind })
  for (const bill of bills) if (bill.status !== 'cancelled') await oweAgain(context, bill, reason)
  const fee = bills.find(({ kind }) => kind === 'registration_fee')
  // Also in statuses after `submitted`: the bill is cancelled if its money was moved away while the registration was
  // closed.
  if (fee?.status === 'cancelled') {
    const window = await tx
      .selectFrom('trackDetails')
      .select('paymentDueAt')
      .where('trackId', '=', moved.trackId)
      .where('waveId', '=', moved.waveId)
      .where('entryLevelId', '=', moved.entryLevelId)
      .executeTakeFirst()
    const priced = await priceRegistrationFee(context, moved, window?.paymentDueAt ?? null)
    await issueRegistrationFee(context, moved, priced)
  }
  if (moved.status === 'confirmed') await issueReRegistration(context, moved)
  return moved
}
