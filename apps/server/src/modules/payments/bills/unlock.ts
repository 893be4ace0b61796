import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import { billSummary, type RegistrationBills } from './bill-summary.ts'
import { type NumberRule, type NumberUnlock, unlockOfNumber } from './unlock-rule.ts'

type Reached = {
  /** Whole rupiah still missing; 0 once the student number may be issued. */
  missing: number
  unlock: NumberUnlock
}

/** Rupiah missing on the re-registration bill before the student number may be issued; null without such a bill. */
export const unlockOf = ({ reRegistration }: RegistrationBills, rule: NumberRule, now: Date): Reached | null =>
  reRegistration && unlockOfNumber(rule, reRegistration, reRegistration.firstInstallment, now)

/** `unlockOf` under the enrolment settings, for several registrations at once. */
export async function numberUnlocks(
  db: Db,
  registrationIds: readonly string[],
  now: Date,
): Promise<Map<string, Reached | null>> {
  if (registrationIds.length === 0) return new Map()
  const [rule, bills] = await Promise.all([getSettings(db), billSummary(db, registrationIds)])
  return new Map([...bills].map(([id, ownBills]) => [id, unlockOf(ownBills, rule, now)]))
}

/** The entry of `numberUnlocks` for one registration; null without a bill. */
export const numberUnlock = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlocks(db, [registrationId], now)).get(registrationId) ?? null

export const unlockReached = async (db: Db, registrationId: string, now: Date) =>
  (await numberUnlock(db, registrationId, now))?.missing === 0
