import { type NumberUnlock, unlockOfNumber } from '#domain/payments/unlock.ts'
import type { Db } from '#server/platform/database.ts'
import { getSettings } from '#server/platform/settings.ts'

type Reached = {
  /** Whole rupiah still to come; nothing once the number may be issued. */ missing: number
  unlock: NumberUnlock
}

/** How far the re-registration bill is from unlocking a student number, by the settings of enrolment; null without a bill. */
export async function numberUnlock(db: Db, registrationId: string, now: Date): Promise<Reached | null> {
  const bill = await db
    .selectFrom('bills')
    .select(['id', 'status', 'total', 'paid', 'promisedUntil'])
    .where('registrationId', '=', registrationId)
    .where('kind', '=', 're_registration')
    .where('status', '<>', 'cancelled')
    .executeTakeFirst()
  if (!bill) return null
  const [rule, first] = await Promise.all([
    getSettings(db),
    db
      .selectFrom('installments')
      .select(['amount', 'paid'])
      .where('billId', '=', bill.id)
      .orderBy('position')
      .executeTakeFirst(),
  ])
  return unlockOfNumber(rule, bill, first ?? null, now)
}

export const unlockReached = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlock(db, registrationId, now))?.missing === 0
