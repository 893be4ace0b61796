import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { raiseAlarms } from './alarms.ts'
import { lockReferral } from './attribute.ts'
import { missingEntries } from './commission.ts'
import { readEntries, readFacts } from './read-facts.ts'

/**
 * Adds the missing commission entries of a registration and raises alarms. Safe to repeat at any time and from several
 * servers: the row of the referral is locked, and without news nothing is written.
 */
export async function settleRegistration(tx: Tx, registrationId: string, now: Date): Promise<number> {
  const referral = await lockReferral(tx, registrationId, now)
  if (!referral) return 0
  const { affiliateId } = referral
  const entries = await readEntries(tx, registrationId)
  const missing = missingEntries(await readFacts(tx, registrationId, referral, entries), entries)
  if (missing.length > 0)
    await tx
      .insertInto('commissionEntries')
      .values(missing.map((entry) => ({ ...entry, affiliateId, registrationId, createdAt: now })))
      .execute()
  const alarms = entries.length + missing.length > 0 ? await raiseAlarms(tx, registrationId, affiliateId, now) : []
  const on = { affiliate: affiliateId }
  await recordAudits(tx, systemActor, [
    ...missing.map(({ kind, stage, amount }) => ({
      action: `affiliate.${kind}`,
      on,
      after: { registrationId, stage, amount },
    })),
    ...alarms.map((reason) => ({ action: 'affiliate.hold', on, after: { registrationId, reason } })),
  ])
  return missing.length
}
