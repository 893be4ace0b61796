import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'
import { sessionEndsAt, sessionGroup } from './seat-facts.ts'

/**
 * Tests of every seat, and every score with or without a seat. The rank is among all applicants of the wave; PostgreSQL
 * computes it only for queries that read it.
 */
const takenTests = sql`(
  SELECT coalesce(e.registration_id, s.registration_id) AS registration_id, coalesce(e.test_id, s.test_id) AS test_id,
    e.test_session_id, e.status, s.score, s.recorded_at, s.rank
  FROM (SELECT q.registration_id, k.test_id, q.test_session_id, q.status FROM test_seats q
      JOIN test_session_tests k ON k.test_session_id = q.test_session_id WHERE q.status IN ('attended', 'absent')) e
  FULL JOIN (SELECT o.registration_id, o.test_id, o.score, o.recorded_at,
        rank() OVER (PARTITION BY k.wave_id, o.test_id ORDER BY o.score DESC) AS rank
      FROM test_scores o LEFT JOIN registrations k ON k.id = o.registration_id WHERE o.score IS NOT NULL) s
    ON s.registration_id = e.registration_id AND s.test_id = e.test_id)`

/** Scores at the moment that were recorded again since. */
const earlier = sql`(
  SELECT DISTINCT ON (v.registration_id, v.test_id) v.registration_id, v.test_id, v.score
  FROM test_scores n JOIN test_score_versions v ON v.registration_id = n.registration_id AND v.test_id = n.test_id
  WHERE n.recorded_at > moment.at AND v.recorded_at <= moment.at
  ORDER BY v.registration_id, v.test_id, v.version DESC)`

const score = sql`(CASE WHEN x.recorded_at <= moment.at THEN x.score ELSE earlier.score END)::float8`
const passed = sql<boolean>`(${score} >= te.passing_grade) IS TRUE`
const outcome = sql`CASE WHEN ${score} IS NULL THEN CASE WHEN x.status = 'absent' THEN 'absent' END
  WHEN te.passing_grade IS NULL THEN 'no_mark' WHEN ${passed} THEN 'passed' ELSE 'failed' END`
/** Tenth of the highest possible score, from 0 to 9. */
const tenth = sql`least(floor(${score} * 10 / nullif(te.max_score, 0)), 9)::int`

/** One row per applicant and test: a score, or a seat in a session with the test. */
const scoreFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (
      registrations,
    ) => sql`${takenTests} x JOIN ${registrations} r ON r.id = x.registration_id JOIN tests te ON te.id = x.test_id
    LEFT JOIN test_sessions ts ON ts.id = x.test_session_id
    LEFT JOIN LATERAL ${earlier} earlier ON earlier.registration_id = x.registration_id AND earlier.test_id = x.test_id
    ${joinsOfRegistration}`,
  ),
  groups: {
    ...ofRegistration.groups,
    session: sessionGroup,
    test: { key: sql`te.id`, label: sql`te.name` },
    scoreClass: {
      key: tenth,
      label: sql`(${tenth} * 10) || '–' || (CASE WHEN ${tenth} = 9 THEN 100 ELSE ${tenth} * 10 + 9 END) || ' %'`,
      isOrdered: true,
    },
    outcome: { key: outcome, label: sql`NULL::text`, words: 'outcome' },
  },
  id: sql`x.registration_id, x.test_id`,
  columns: {
    ...ofRegistration.columns,
    test: { value: sql`te.name`, kind: 'text' },
    session: { value: sql`ts.name`, kind: 'text' },
    sessionDate: { value: sql`ts.date::text`, kind: 'date' },
    rawScore: { value: score, kind: 'decimal' },
    weightedScore: {
      value: sql`${score} * 100 / nullif(te.max_score, 0)::float8 * te.weight::float8`,
      kind: 'decimal',
    },
    // Final score of a pinned run (adopted or published), else of the newest run.
    standardScore: {
      value: sql`(SELECT fs.score::float8 FROM final_scores fs JOIN score_runs n ON n.id = fs.score_run_id
        WHERE fs.registration_id = x.registration_id AND fs.test_id = x.test_id
        ORDER BY n.pinned_at IS NULL, n.created_at DESC LIMIT 1)`,
      kind: 'decimal',
    },
    rank: { value: sql`x.rank`, kind: 'number' },
    outcome: { value: outcome, kind: 'text', words: 'outcome' },
  },
}

/** Applicants with a score in a test. */
export const scored: Measure = { facts: scoreFacts, where: sql<boolean>`${score} IS NOT NULL` }
export const passedTests: Measure = { facts: scoreFacts, where: passed }

/** Applicants who missed a session with the test; known from the end of the session. */
export const missedTests: Measure = {
  facts: scoreFacts,
  at: sessionEndsAt,
  where: sql<boolean>`x.status = 'absent' AND ${score} IS NULL`,
}

/** Mean, median or standard deviation of the raw scores. */
export const scoresBy = (as: 'average' | 'median' | 'deviation'): Measure => ({
  facts: scoreFacts,
  ...(as === 'median' ? { percentile: { of: score, share: 0.5 } } : { aggregate: { of: score, by: as } }),
  kind: 'decimal',
})
