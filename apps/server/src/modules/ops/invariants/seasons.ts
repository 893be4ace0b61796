import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

type Value = RawBuilder<unknown>

/** Selects academic years and stages in which two sums differ. */
const season = (stored: Value, derived: Value, from: Value) => sql<Impossible>`
  SELECT 'season' AS subject_type, academic_year || ' ' || stage AS id, academic_year || ' · ' || stage AS label,
    coalesce(${stored}, 0)::text AS stored, coalesce(${derived}, 0)::text AS derived, '/laporan/total-pendaftaran' AS path
  FROM ${from}
  WHERE coalesce(${stored}, 0) <> coalesce(${derived}, 0)`

const keptSums = sql`(SELECT academic_year::text, stage, sum(count) AS count, sum(rupiah) AS rupiah FROM season_daily GROUP BY 1, 2) k`
const until = sql`(SELECT last_step, ends_at FROM season_days ORDER BY day DESC LIMIT 1) u`

/** Compares the last kept day with the steps and allocations at the same moment. */
export const seasonInvariants: InvariantsOf<'seasons'> = {
  /** The kept days add up to the steps that were valid at the end of the last one. */
  'season-count': () =>
    season(
      sql`k.count`,
      sql`s.count`,
      sql`(SELECT * FROM ${keptSums} WHERE stage <> 'received') k FULL JOIN (
        SELECT w.academic_year::text, s.step AS stage, count(*) AS count
        FROM ${until} JOIN registration_steps s ON s.id <= u.last_step AND s.at < u.ends_at
          AND (s.undone_at IS NULL OR s.undone_at >= u.ends_at) AND s.step <> 'moved'
        JOIN registrations r ON r.id = s.registration_id JOIN waves w ON w.id = r.wave_id GROUP BY 1, 2
      ) s USING (academic_year, stage)`,
    ),

  /** The kept days have the rupiah booked on bills by the end of the last one. */
  'season-money': () =>
    season(
      sql`k.rupiah`,
      sql`s.rupiah`,
      sql`(SELECT * FROM ${keptSums} WHERE stage = 'received') k FULL JOIN (
        SELECT w.academic_year::text, 'received' AS stage, sum(a.amount) AS rupiah
        FROM ${until} JOIN allocations a ON a.created_at < u.ends_at JOIN bills b ON b.id = a.bill_id
        JOIN registrations r ON r.id = b.registration_id JOIN waves w ON w.id = r.wave_id GROUP BY 1
      ) s USING (academic_year, stage)`,
    ),

  /** The short seasons table has the sums of the long one. */
  'season-sums': () =>
    season(
      sql`s.count`,
      sql`k.count`,
      sql`${keptSums} FULL JOIN (SELECT academic_year::text, stage, sum(count) AS count FROM season_sums GROUP BY 1, 2) s
        USING (academic_year, stage)`,
    ),
}
