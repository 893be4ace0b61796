import { sql } from 'kysely'
import { mustGet, theOnly } from '#domain/must.ts'
import { canRepair } from '#server/platform/access/administrators.ts'
import type { Db } from '#server/platform/database/database.ts'

type Named = { id: string; name: string }

type Counts = {
  faculties: number
  programmes: number
  classProgrammes: number
  entryLevels: number
  tracks: number
  administrators: number
  admissionsStaff: number
  financeStaff: number
  whatsappConnections: number
}

/** A track's window in a wave that has not ended. */
export type Window = {
  waveId: string
  waveName: string
  trackId: string
  trackName: string
  entryLevelId: string
  entryLevelName: string
  hasTest: boolean
  freeOfFee: boolean
  hasSession: boolean
}

/** A class of a programme offered by a wave that has not ended. */
export type Offer = {
  waveId: string
  waveName: string
  programmeId: string
  programmeName: string
  classProgrammeId: string
  className: string
  entryLevelId: string
  entryLevelName: string
}

/** Master data that counts, read in a few small statements; none reads registrations. */
export async function readFacts(db: Db, now: Date, today: string) {
  const counts = await readCounts(db)
  const waves = (
    await sql<Named>`SELECT id, concat_ws(' ', name, academic_year) AS name FROM waves
      WHERE active AND closes_at > ${now} ORDER BY opens_at, code`.execute(db)
  ).rows
  const waveIds = waves.map(({ id }) => id)
  const nameOfWave = new Map(waves.map(({ id, name }) => [id, name]))
  const tracksWithoutFiles = (
    await sql<Named>`SELECT t.id, t.name FROM tracks t
      WHERE t.active AND NOT EXISTS (SELECT FROM track_files f WHERE f.track_id = t.id AND f.active AND f.required)
      ORDER BY t.code`.execute(db)
  ).rows
  const windows = (
    await sql<Omit<Window, 'waveName'>>`
      SELECT d.wave_id, t.id AS track_id, t.name AS track_name, e.id AS entry_level_id, e.name AS entry_level_name,
        t.has_test, t.free_of_fee,
        EXISTS (SELECT FROM test_sessions s JOIN test_session_tests st ON st.test_session_id = s.id
          JOIN tests x ON x.id = st.test_id AND x.active
          WHERE s.active AND s.wave_id = d.wave_id AND (s.track_id IS NULL OR s.track_id = t.id)
            AND s.date >= ${today}::date AND s.capacity > 0) AS has_session
      FROM track_details d
      JOIN tracks t ON t.id = d.track_id AND t.active
      JOIN entry_levels e ON e.id = d.entry_level_id AND e.active
      WHERE d.active AND d.closes_at > ${now} AND d.wave_id = ANY(${waveIds}::uuid[])
      ORDER BY t.code, e.code`.execute(db)
  ).rows
  const offers = (
    await sql<Omit<Offer, 'waveName'>>`
      SELECT d.wave_id, p.id AS programme_id, p.name AS programme_name, c.id AS class_programme_id, c.name AS class_name,
        e.id AS entry_level_id, e.name AS entry_level_name
      FROM programme_details d
      JOIN study_programmes p ON p.id = d.programme_id AND p.active
      JOIN class_programmes c ON c.id = d.class_programme_id AND c.active
      JOIN entry_levels e ON e.id = d.entry_level_id AND e.active
      WHERE d.active AND d.open AND d.capacity > 0 AND d.wave_id = ANY(${waveIds}::uuid[])
      ORDER BY p.code, c.code, e.code`.execute(db)
  ).rows
  const fees = await db
    .selectFrom('registrationFees')
    .select(['waveId', 'trackId', 'entryLevelId', 'classProgrammeId'])
    .where('active', '=', true)
    .execute()
  const tuition = (
    await sql<{ waveId: string; programmeId: string; classProgrammeId: string; trackId: string | null }>`
      SELECT DISTINCT wave_id, programme_id, class_programme_id, track_id FROM tuition_fees
      WHERE active AND wave_id = ANY(${waveIds}::uuid[])`.execute(db)
  ).rows
  const plans = (
    await sql<Named & { terms: { shareBps: number | null; amount: number | null }[] }>`
      SELECT p.id, p.name, coalesce(jsonb_agg(jsonb_build_object('shareBps', t.share_bps, 'amount', t.amount)
        ORDER BY t.sort_order) FILTER (WHERE t.id IS NOT NULL), '[]') AS terms
      FROM installment_plans p LEFT JOIN installment_terms t ON t.plan_id = p.id AND t.active
      WHERE p.active AND (p.wave_id IS NULL OR p.wave_id = ANY(${waveIds}::uuid[]))
      GROUP BY p.id ORDER BY p.code`.execute(db)
  ).rows
  const inWave = <R extends { waveId: string }>(row: R) => ({ ...row, waveName: mustGet(nameOfWave, row.waveId) })
  return {
    ...counts,
    waves,
    tracksWithoutFiles,
    windows: windows.map(inWave) as Window[],
    offers: offers.map(inWave) as Offer[],
    fees,
    tuition,
    plans,
  }
}

export type Facts = Awaited<ReturnType<typeof readFacts>>

/** Accounts count once they have a password; an unaccepted invitation does no work. */
async function readCounts(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    WITH able AS (
      SELECT r.id,
        ${canRepair} AS administers,
        bool_or(p.permission = 'pendaftaran-verify') AS verifies,
        bool_or(p.permission = 'persetujuan-update') AS approves
      FROM roles r JOIN role_permissions p ON p.role_id = r.id
      WHERE r.active GROUP BY r.id),
    -- Reads role by role through the index: a join would read the accounts of all applicants.
    staff AS MATERIALIZED (
      SELECT able.*, (SELECT count(*) FROM accounts a
        WHERE a.role_id = able.id AND a.active AND a.password_hash IS NOT NULL) AS people
      FROM able WHERE able.administers OR able.verifies OR able.approves)
    SELECT
      (SELECT count(*) FROM faculties WHERE active)::int AS faculties,
      (SELECT count(*) FROM study_programmes WHERE active)::int AS programmes,
      (SELECT count(*) FROM class_programmes WHERE active)::int AS class_programmes,
      (SELECT count(*) FROM entry_levels WHERE active)::int AS entry_levels,
      (SELECT count(*) FROM tracks WHERE active)::int AS tracks,
      (SELECT coalesce(sum(people), 0) FROM staff WHERE administers)::int AS administrators,
      (SELECT coalesce(sum(people), 0) FROM staff WHERE verifies AND NOT administers)::int AS admissions_staff,
      (SELECT coalesce(sum(people), 0) FROM staff WHERE approves AND NOT administers)::int AS finance_staff,
      (SELECT count(*) FROM whatsapp_connections
        WHERE active AND is_default AND kind <> 'log' AND problem IS NULL)::int AS whatsapp_connections`.execute(db)
  return theOnly(rows)
}
