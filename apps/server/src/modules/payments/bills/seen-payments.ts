import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getBilledRegistration } from './visible-bills.ts'

/**
 * Ids of the payments the applicant has seen; null for every other account, because only payers are shown payments as
 * new.
 */
export async function findSeenPayments(db: Db, actor: Actor, paymentIds: readonly string[]) {
  if (!isApplicant(actor)) return null
  if (paymentIds.length === 0) return new Set<string>()
  const seen = await db
    .selectFrom('paymentSightings')
    .select('paymentId')
    .where('paymentId', 'in', [...paymentIds])
    .execute()
  return new Set(seen.map(({ paymentId }) => paymentId))
}

/** Records that the payer has seen these payments of a registration; ids of other registrations are ignored. */
export async function seePayments({ db, clock }: Services, actor: Actor, registrationId: string, ids: string[]) {
  const registration = await getBilledRegistration(db, actor, registrationId)
  if (!isApplicant(actor) || ids.length === 0) return
  const seenAt = clock.now()
  await db
    .insertInto('paymentSightings')
    .columns(['paymentId', 'seenAt'])
    .expression((eb) =>
      eb
        .selectFrom('payments as p')
        .innerJoin('bills as b', 'b.id', 'p.billId')
        .select(['p.id', eb.val(seenAt).as('seenAt')])
        .where('b.registrationId', '=', registration.id)
        .where('p.id', 'in', ids),
    )
    .onConflict((conflict) => conflict.column('paymentId').doNothing())
    .execute()
}
