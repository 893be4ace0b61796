import { sql } from 'kysely'
import { bucketOf, dayHours } from '#domain/campaigns/pace.ts'
import type { Tx } from '#server/platform/database/database.ts'

const dayMs = dayHours * 3_600_000

/** What a rolling day has used under a name. The buckets of ten minutes are few, however much was sent. */
export async function usedOfDay(tx: Tx, name: string, now: Date): Promise<number> {
  const { rows } = await sql<{ taken: number }>`SELECT coalesce(sum(taken), 0)::int AS taken FROM sending_counts
    WHERE name = ${name} AND at >= ${bucketOf(new Date(now.getTime() - dayMs))}`.execute(tx)
  return rows[0]!.taken
}

/** Adds to what a rolling day has used. */
export const countInDay = (tx: Tx, name: string, taken: number, now: Date) =>
  taken > 0 &&
  sql`INSERT INTO sending_counts (name, at, taken) VALUES (${name}, ${bucketOf(now)}, ${taken})
    ON CONFLICT (name, at) DO UPDATE SET taken = sending_counts.taken + excluded.taken`.execute(tx)
