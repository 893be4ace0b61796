import { sql } from 'kysely'
import { lastPublication } from '#server/platform/access/decision-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * When a decision of a published wave and track becomes public: at once, with their next publication, or for the offer of a
 * reserve place at once in any case. A decision made `at_once` in place of one that waits for a publication waits too.
 */
export type Appearance = 'at_once' | 'with_next' | 'offered'

/** Columns of the registration `r` that is decided at `now`, whose publications are locked. */
export function appearanceColumns(appearance: Appearance, now: Date) {
  const last = lastPublication(now)
  const after = {
    at_once: sql`CASE WHEN r.published_after = ${last} THEN ${last} END`,
    with_next: last,
    offered: sql`NULL`,
  }[appearance]
  return {
    publishedAfter: sql<number | null>`${after}`,
    // The entry of the audit log has the time of the transaction too.
    hiddenSince: sql<Date | null>`CASE WHEN ${after} IS NULL THEN NULL
      WHEN r.published_after = ${after} THEN r.hidden_since ELSE now() END`,
  }
}

/**
 * Lets decisions of a wave wait for a publication and a publication for the decisions under way, so that a decision is
 * written either before the publication that shows it or after it.
 */
export const lockPublications = (tx: Tx, waveId: string, mode: 'decide' | 'publish') =>
  sql`SELECT ${sql.raw(mode === 'publish' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')}(
    hashtextextended(${`publications ${waveId}`}, 0))`.execute(tx)
