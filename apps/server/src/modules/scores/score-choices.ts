import { sql } from 'kysely'
import type { ScoreMapping } from '#domain/scores/mapping.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Choices for the pages of scores; waves and sessions newest first. */
export async function readScoreChoices(db: Db) {
  const [waves, tracks, sessions, tests, profiles] = await Promise.all([
    db
      .selectFrom('waves')
      .select(['id', sql<string>`name || ' ' || academic_year`.as('name')])
      .where('active', '=', true)
      .orderBy('opensAt', 'desc')
      .execute(),
    db.selectFrom('tracks').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),
    db
      .selectFrom('testSessions')
      .select(['id', 'name', 'waveId', 'date', 'startTime'])
      .select(
        sql<
          string[]
        >`ARRAY(SELECT st.test_id::text FROM test_session_tests st WHERE st.test_session_id = test_sessions.id)`.as(
          'testIds',
        ),
      )
      .where('active', '=', true)
      .orderBy('date', 'desc')
      .orderBy('startTime')
      .limit(1000)
      .execute(),
    db
      .selectFrom('tests')
      .select(['id', 'code', 'name', 'kind', 'maxScore'])
      .where('active', '=', true)
      .orderBy('code')
      .execute(),
    db.selectFrom('scoreProfiles').select(['id', 'name', 'mapping']).orderBy('name').execute(),
  ])
  return {
    waves,
    tracks,
    sessions,
    tests,
    profiles: profiles.map((one) => ({ ...one, mapping: one.mapping as ScoreMapping })),
  }
}
