import { sql } from 'kysely'
import { lastPublication } from '#server/platform/access/decision-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * When a decision in a published wave and track becomes public. `at_once`: immediately, unless it replaces a decision
 * that waits for a publication; then it waits too. `with_next`: with the next publication. `offered`, for a reserve
 * place: always immediately.
 */
export type Appearance = 'at_once' | 'with_next' | 'offered'

/** Columns to set on registration `r` when it is decided at `now`. The caller holds the lock of `lockPublications`. */
export function appearanceColumns(appearance: Appearance, now: Date) {
  const last = lastPublication(now)
  const after = {
    at_once: sql`CASE WHEN r.published_after = ${last} THEN ${last} END`,
    with_next: last,
    offered: sql`NULL`,
  }[appearance]
  return {
    publishedAfter: sql<number | null>`${after}`,
    // `now()` is the transaction's time, like the time of the audit entry.
    hiddenSince: sql<Date | null>`CASE WHEN ${after} IS NULL THEN NULL
      WHEN r.published_after = ${after} THEN r.hidden_since ELSE now() END`,
  }
}

/**
 * Makes decisions in a wave wait for a running publication and a publication for running decisions: a decision is
 * written entirely before or after a publication.
 */
export const lockPublications = (tx: Tx, waveId: string, mode: 'decide' | 'publish') =>
  sql`SELECT ${sql.raw(mode === 'publish' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')}(
    hashtextextended(${`publications ${waveId}`}, 0))`.execute(tx)
