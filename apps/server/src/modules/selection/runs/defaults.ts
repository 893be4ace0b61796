import { sql } from 'kysely'
import type { Answer } from '#domain/endpoint.ts'
import type { readSelectionDefaults } from '#domain/selection/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

type Track = Answer<typeof readSelectionDefaults>['data']['tracks'][number]

/**
 * Initial values of the form for a new run: tests of the wave's sessions with their weights, and pass marks out of 100.
 */
export async function readDefaults(db: Db, waveId: string) {
  const wave = await db.selectFrom('waves').select('id').where('id', '=', waveId).executeTakeFirst()
  if (!wave) throw notFound('wave')
  const { rows: tracks } = await sql<Track>`
    SELECT t.id AS track_id, t.name,
      (SELECT count(*)::int FROM registrations r WHERE r.wave_id = ${waveId} AND r.track_id = t.id AND r.status = 'verified') AS verified,
      coalesce((SELECT json_agg(json_build_object('testId', x.id, 'name', x.name, 'weight', x.weight,
          'passMark', round(x.passing_grade * 100 / nullif(x.max_score, 0), 2)) ORDER BY x.weight DESC, x.code)
        FROM tests x WHERE t.has_test AND x.id IN (SELECT k.test_id FROM test_session_tests k
          JOIN test_sessions s ON s.id = k.test_session_id
          WHERE s.wave_id = ${waveId} AND (s.track_id IS NULL OR s.track_id = t.id))), '[]') AS tests
    FROM tracks t WHERE t.id IN (SELECT d.track_id FROM track_details d WHERE d.wave_id = ${waveId})
    ORDER BY t.name, t.id`.execute(db)
  const scoreRuns = await db
    .selectFrom('scoreRuns')
    .select(['id', 'name', 'createdAt'])
    .where('waveId', '=', waveId)
    .orderBy('createdAt', 'desc')
    .limit(50)
    .execute()
  return { tracks, scoreRuns, verified: tracks.reduce((sum, { verified }) => sum + verified, 0) }
}
