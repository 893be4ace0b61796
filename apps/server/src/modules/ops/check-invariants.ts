import { sql } from 'kysely'
import { type InvariantName, invariantNames } from '#domain/ops/invariants.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { giveMoreMemory } from '#server/platform/database/more-memory.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { checks } from './invariants/index.ts'
import type { Impossible } from './invariants/invariant.ts'

export type Found = Impossible & { check: InvariantName }

/** A broken rule may affect every row; a thousand examples are enough to show it. */
const maxPerCheck = 1_000

/** Runs every check, or the named ones, within the transaction and its snapshot. */
export async function findImpossible(
  tx: Tx,
  now: Date,
  names: readonly InvariantName[] = invariantNames,
): Promise<Found[]> {
  const settings = await getSettings(tx)
  // Each check aggregates a whole table; more memory avoids temporary files on disk.
  await giveMoreMemory(tx)
  const found: Found[] = []
  for (const check of names) {
    const { rows } = await sql<Impossible>`
      SELECT DISTINCT ON (subject_type, id) * FROM (${checks[check]({ settings, now })}) impossible
      ORDER BY subject_type, id LIMIT ${maxPerCheck}`.execute(tx)
    found.push(...rows.map((row) => ({ check, ...row })))
  }
  return found
}

/**
 * Derives every stored value again and returns the differences. All checks share one snapshot, so that concurrent work
 * does not count as a difference.
 */
export const checkInvariants = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  names?: readonly InvariantName[],
): Promise<Found[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => findImpossible(tx, clock.now(), names))
