import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Slot } from '#seeds/demo/fill/registrations.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** The first wave's share of a past season, and of the current one, whose second wave has just opened. */
const firstWaveShare = { earlier: 0.75, present: 0.94 }

type Plan = {
  /** Number of the first applicant. */
  from: number
  /** Applicants per season, earliest first; the last is the current season. */
  counts: readonly number[]
}

/** Waves of this season and the earlier ones, with their applicants' numbers. */
export async function planSeasons(tx: Tx, { from, counts }: Plan): Promise<Slot[]> {
  const { rows } = await sql<{ year: number }>`
    SELECT left(academic_year, 4)::int AS year FROM waves WHERE code = 'G1'`.execute(tx)
  const slots: Slot[] = []
  let next = from
  for (const [index, count] of counts.entries()) {
    const yearsBack = counts.length - 1 - index
    const suffix = yearsBack > 0 ? `-${String((theOnly(rows).year - yearsBack) % 100).padStart(2, '0')}` : ''
    const first = Math.round(count * (yearsBack > 0 ? firstWaveShare.earlier : firstWaveShare.present))
    // The three sessions of the current first wave are nearly full; six more were added for the season.
    slots.push({ code: `G1${suffix}`, from: next, count: first, ...(yearsBack === 0 && { skippedSessions: 3 }) })
    slots.push({ code: `G2${suffix}`, from: next + first, count: count - first })
    next += count
  }
  return slots.filter(({ count }) => count > 0)
}

/** Divides a count by weights; the last part gets the remainder. */
export function divide(count: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  const parts = weights.map((weight) => Math.floor((count * weight) / sum))
  parts[parts.length - 1]! += count - parts.reduce((a, b) => a + b, 0)
  return parts
}
