import { type NumberUnlock, unlockOfNumber } from '#domain/payments/bills/unlock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

type Reached = {
  /** Whole rupiah still missing; 0 once the student number may be issued. */
  missing: number
  unlock: NumberUnlock
}

/**
 * For each re-registration bill the rupiah missing before the student number may be issued, by the settings of
 * enrolment; registrations without a bill are left out.
 */
export async function numberUnlocks(
  db: Db,
  registrationIds: readonly string[],
  now: Date,
): Promise<Map<string, Reached>> {
  if (registrationIds.length === 0) return new Map()
  const [rule, bills] = await Promise.all([
    getSettings(db),
    db
      .selectFrom('bills as b')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('installments as i')
            .select(['i.amount', 'i.paid'])
            .whereRef('i.billId', '=', 'b.id')
            .orderBy('i.position')
            .limit(1)
            .as('first'),
        (join) => join.onTrue(),
      )
      .select(['b.registrationId', 'b.status', 'b.total', 'b.paid', 'b.promisedUntil'])
      .select(['first.amount as firstAmount', 'first.paid as firstPaid'])
      .where('b.registrationId', 'in', [...registrationIds])
      .where('b.kind', '=', 're_registration')
      .where('b.status', '<>', 'cancelled')
      .execute(),
  ])
  return new Map(
    bills.map(({ registrationId, firstAmount, firstPaid, ...bill }) => {
      const first = firstAmount === null ? null : { amount: firstAmount, paid: firstPaid ?? 0 }
      return [registrationId, unlockOfNumber(rule, bill, first, now)]
    }),
  )
}

/** The entry of `numberUnlocks` for one registration; null without a bill. */
export const numberUnlock = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlocks(db, [registrationId], now)).get(registrationId) ?? null

export const unlockReached = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlock(db, registrationId, now))?.missing === 0
