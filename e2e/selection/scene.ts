import pg from 'pg'
import { as } from '../support/demo-people.ts'
import type { World } from '../support/world.ts'

export type Candidate = { account: string; registration: string; name: string; code: string }
export type Scene = {
  wave: string
  waveId: string
  programme: string
  classProgramme: string
  programmeDetail: string
  candidates: Candidate[]
}

/** Places of the programme before the journey divides them. */
export const capacity = 3

/**
 * Lets five verified applicants of the open wave choose one programme with three places, the first with the best
 * scores, and lets applicants request another programme.
 */
export async function arrangeScene(world: World): Promise<Scene> {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows: candidates } = await db.query<
      Candidate & Omit<Scene, 'candidates'> & { id: string; programmeId: string }
    >(
      `SELECT r.id, r.code, p.full_name AS name, split_part(a.email, '@', 1) AS account, '/pendaftaran/' || r.id AS registration,
         w.name || ' ' || w.academic_year AS wave, w.id AS "waveId", s.name AS programme, s.id AS "programmeId",
         d.id AS "programmeDetail", c.name AS "classProgramme"
       FROM registrations r JOIN waves w ON w.id = r.wave_id AND w.code = 'G2' JOIN tracks t ON t.id = r.track_id AND t.code = 'REG'
       JOIN accounts a ON a.id = r.account_id JOIN applicants p ON p.id = r.applicant_id
       JOIN study_programmes s ON s.id = r.programme_id JOIN class_programmes c ON c.id = r.class_programme_id
       JOIN programme_details d ON d.wave_id = r.wave_id AND d.programme_id = r.programme_id
         AND d.class_programme_id = r.class_programme_id AND d.entry_level_id = r.entry_level_id
       WHERE r.status = 'verified' ORDER BY r.code LIMIT 5`,
    )
    const [first] = candidates
    if (!first || candidates.length < 5) throw new Error('The demo has no five verified applicants of the open wave')
    const ids = candidates.map(({ id }) => id)
    await db.query('UPDATE programme_details SET capacity = $1 WHERE id = $2', [capacity, first.programmeDetail])
    await db.query('DELETE FROM registration_choices WHERE registration_id = ANY($1)', [ids])
    await db.query('INSERT INTO registration_choices SELECT unnest($1::uuid[]), 1, $2', [ids, first.programmeId])
    await db.query('UPDATE registrations SET programme_id = $2 WHERE id = ANY($1)', [ids, first.programmeId])
    await db.query(
      `INSERT INTO test_scores (registration_id, test_id, score, recorded_at)
       SELECT r.id, t.id, 96 - 4 * r.place, now() FROM unnest($1::uuid[]) WITH ORDINALITY r (id, place)
       CROSS JOIN tests t WHERE t.id IN (SELECT k.test_id FROM test_session_tests k
         JOIN test_sessions s ON s.id = k.test_session_id WHERE s.wave_id = $2)`,
      [ids, first.waveId],
    )
    const send = await as(world, 'administrator')
    const { values, versions } = (await send('GET', '/settings/general')).data
    const { offerDays, placesOnPublicPage } = values
    const version = versions.offers ?? 0
    const offers = { offerDays, placesOnPublicPage, programmeChangeRequests: true, version }
    await send('PUT', '/settings/general/offers', offers)
    const { wave, waveId, programme, classProgramme, programmeDetail } = first
    return { wave, waveId, programme, classProgramme, programmeDetail, candidates }
  } finally {
    await db.end()
  }
}
