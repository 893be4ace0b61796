import { sql } from 'kysely'
import { bucketOf, dayHours } from '#domain/campaigns/pace.ts'
import { theOnly } from '#domain/must.ts'
import type { Tx } from '#server/platform/database/database.ts'

const dayMs = dayHours * 3_600_000

/** Sum of a pace's counts over the last 24 hours. Ten-minute buckets keep the rows few, however much is sent. */
export async function usedOfDay(tx: Tx, name: string, now: Date): Promise<number> {
  const { rows } = await sql<{ taken: number }>`SELECT coalesce(sum(taken), 0)::int AS taken FROM sending_counts
    WHERE name = ${name} AND at >= ${bucketOf(new Date(now.getTime() - dayMs))}`.execute(tx)
  return theOnly(rows).taken
}

/** Adds to the current ten-minute bucket. */
export const countInDay = (tx: Tx, name: string, taken: number, now: Date) =>
  taken > 0 &&
  sql`INSERT INTO sending_counts (name, at, taken) VALUES (${name}, ${bucketOf(now)}, ${taken})
    ON CONFLICT (name, at) DO UPDATE SET taken = sending_counts.taken + excluded.taken`.execute(tx)
