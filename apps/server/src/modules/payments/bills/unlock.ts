import { type NumberUnlock, unlockOfNumber } from '#domain/payments/bills/unlock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

type Reached = {
  /** Whole rupiah still to come; nothing once the number may be issued. */
  missing: number
  unlock: NumberUnlock
}

/** How far each re-registration bill is from unlocking a student number, by the settings of enrolment; those without a bill are missing. */
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

/** The same of one registration; nothing without a bill. */
export const numberUnlock = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlocks(db, [registrationId], now)).get(registrationId) ?? null

export const unlockReached = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlock(db, registrationId, now))?.missing === 0
