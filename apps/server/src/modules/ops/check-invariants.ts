import { sql } from 'kysely'
import { type InvariantName, invariantNames } from '#domain/ops/invariants.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { checks } from './invariants/index.ts'
import type { Impossible } from './invariants/invariant.ts'

export type Found = Impossible & { check: InvariantName }

/** One broken rule may break it for everybody: so many examples are enough to see that. */
const mostPerCheck = 1_000

/** Runs every check on one connection, as the transaction it is in sees the books. */
export async function findImpossible(tx: Tx, now: Date): Promise<Found[]> {
  const settings = await getSettings(tx)
  // Each check sums up a whole table: in memory while it fits.
  await sql`SET LOCAL work_mem = '64MB'`.execute(tx)
  const found: Found[] = []
  for (const check of invariantNames) {
    const { rows } = await sql<Impossible>`
      SELECT DISTINCT ON (subject_type, id) * FROM (${checks[check]({ settings, now })}) impossible
      ORDER BY subject_type, id LIMIT ${mostPerCheck}`.execute(tx)
    found.push(...rows.map((row) => ({ check, ...row })))
  }
  return found
}

/**
 * Derives everything again that is also written down somewhere and gives what differs; nothing means that the books are
 * right. All checks see the same moment, so that work going on meanwhile is no difference.
 */
export const checkInvariants = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Found[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => findImpossible(tx, clock.now()))
