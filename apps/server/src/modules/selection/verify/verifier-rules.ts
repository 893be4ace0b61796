import { type RawBuilder, sql } from 'kysely'
import type { VerifierRule } from '#domain/selection/verifier.ts'
import { isBlocked, isOpen, isStanding } from '#server/modules/selection/runs/candidates.ts'
import type { Settings } from '#server/platform/settings.ts'

/*
 * The rules of a selection in SQL, written independently of the engine that gives the places. Each query finds rows of
 * a run that break its rule, with a readable label. Rules about order and places trust outcomes that earlier rules
 * check.
 */

type Facts = {
  runId: string
  waveId: string
  scoreRunId: string | null
  trackIds: string[]
  settings: Settings
  now: Date
}
export type Fault = { label: string }

/** The run's rules as a row (`method`, `lot_seed`, `reserve_percent`, `width`) and its holds. */
const run = (runId: string) => sql`run AS (
  SELECT s.rules->>'method' AS method, s.rules->>'lotSeed' AS lot_seed, (s.rules->>'reservePercent')::int AS reserve_percent,
    (SELECT coalesce(max(jsonb_array_length(c->'tests')), 0) FROM jsonb_array_elements(s.rules->'criteria') c) AS width
  FROM selection_runs s WHERE s.id = ${runId}),
holds AS (
  SELECT h."registrationId" AS registration_id, h."programmeId" AS programme_id, h.kind
  FROM selection_runs s CROSS JOIN jsonb_to_recordset(s.rules->'holds') AS h ("registrationId" uuid, "programmeId" uuid, kind text)
  WHERE s.id = ${runId})`

/** Entries of the run, with the tests that count for each, in order. */
const entries = (runId: string) => sql`criteria AS (
  SELECT c."trackId" AS track_id, c."programmeId" AS programme_id, c.tests
  FROM selection_runs s CROSS JOIN jsonb_to_recordset(s.rules->'criteria') AS c ("trackId" uuid, "programmeId" uuid, tests jsonb)
  WHERE s.id = ${runId}),
entries AS (
  SELECT e.*, r.code, r.track_id, r.class_programme_id, r.entry_level_id, q.ties, q.passing_grade, q.track_id AS quota_track_id,
    q.programme_id AS quota_programme_id, q.class_programme_id AS quota_class_id, q.entry_level_id AS quota_level_id,
    coalesce(own.tests, common.tests, '[]'::jsonb) AS tests
  FROM selection_entries e
  JOIN selection_quotas q ON q.selection_run_id = e.selection_run_id AND q.number = e.quota_number
  JOIN registrations r ON r.id = e.registration_id
  LEFT JOIN criteria own ON own.track_id = r.track_id AND own.programme_id = e.programme_id
  LEFT JOIN criteria common ON common.track_id = r.track_id AND common.programme_id IS NULL
  WHERE e.selection_run_id = ${runId})`

/** Entries with the result of their scores. All numbers are whole, so that nothing is rounded twice. */
const judged = (runId: string) => sql`${run(runId)}, ${entries(runId)}, judged AS MATERIALIZED (
  SELECT e.*, t.lacks_score, t.below_mark, CASE
      WHEN t.lacks_score THEN NULL
      WHEN t.weights = 0 THEN 0
      ELSE div(t.rounded - mod(mod(t.rounded, 100 * t.weights) + 100 * t.weights, 100 * t.weights), 100 * t.weights) / 100.0
    END AS right_total
  FROM entries e CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(k.score IS NULL) FILTER (WHERE k.counts), false) AS lacks_score,
      coalesce(bool_or(k.score < k.mark), false) AS below_mark,
      coalesce(sum(k.weight) FILTER (WHERE k.counts), 0) AS weights,
      coalesce(sum(k.score * k.weight) FILTER (WHERE k.counts), 0) + 50 * coalesce(sum(k.weight) FILTER (WHERE k.counts), 0) AS rounded
    FROM (SELECT round(e.scores[x.n] * 10000) AS score, round((x.test->>'weight')::numeric * 100) AS weight,
        round((x.test->>'passMark')::numeric * 10000) AS mark,
        (x.test->>'weight')::numeric > 0 OR x.test->>'passMark' IS NOT NULL AS counts
      FROM jsonb_array_elements(e.tests) WITH ORDINALITY AS x (test, n)) k) t)`

const eligible = sql`('placed', 'reserve', 'full', 'earlier_choice')`

/**
 * Quotas that applicants are placed in: their own places, the places they need at least, and who waits. `excess` is the
 * number of places held by hand beyond the quota, after those that earlier acceptances keep.
 */
const parts = (runId: string) => sql`held AS (
  SELECT quota_number, count(*)::int AS many, count(*) FILTER (WHERE outcome = 'held')::int AS by_hand
  FROM selection_entries
  WHERE selection_run_id = ${runId} AND outcome IN ('held', 'kept') GROUP BY 1),
open AS (
  SELECT quota_number, count(*) FILTER (WHERE outcome = 'placed')::int AS placed,
    max(rank) FILTER (WHERE outcome = 'placed') AS worst_placed,
    count(*) FILTER (WHERE outcome IN ('full', 'reserve'))::int AS waiting,
    min(rank) FILTER (WHERE outcome IN ('full', 'reserve')) AS best_waiting
  FROM selection_entries WHERE selection_run_id = ${runId} GROUP BY 1),
parts AS (
  SELECT q.*, coalesce(h.many, 0) AS held, coalesce(h.by_hand, 0) AS by_hand,
    greatest(least(h.by_hand, h.many - q.places), 0) AS excess, greatest(q.places - coalesce(h.many, 0), 0) AS own,
    coalesce(o.placed, 0) AS given, coalesce(o.waiting, 0) AS asking, o.worst_placed, o.best_waiting,
    CASE WHEN q.ties = 'all' AND o.placed > 0 THEN o.placed + 1 - (SELECT count(*) FROM selection_entries e
        WHERE e.selection_run_id = ${runId} AND e.quota_number = q.number AND e.outcome = 'placed' AND e.rank = o.worst_placed)
      ELSE coalesce(o.placed, 0) END AS needed,
    CASE WHEN q.ties = 'none' AND o.waiting > 0 THEN (SELECT count(*) FROM selection_entries e
        WHERE e.selection_run_id = ${runId} AND e.quota_number = q.number AND e.outcome IN ('full', 'reserve')
          AND e.rank = o.best_waiting)
      ELSE 1 END AS asking_together
  FROM selection_quotas q
  LEFT JOIN held h ON h.quota_number = q.number
  LEFT JOIN open o ON o.quota_number = q.number
  WHERE q.selection_run_id = ${runId}
    AND NOT EXISTS (SELECT FROM selection_quotas p WHERE p.selection_run_id = ${runId} AND p.parent_number = q.number)),
wholes AS (
  SELECT w.number, w.places, greatest(w.places - sum(p.held), sum(p.own)) AS own, sum(p.needed) AS needed,
    sum(p.held) AS held, sum(p.by_hand) AS by_hand, sum(p.excess) AS excess
  FROM selection_quotas w JOIN parts p ON p.parent_number = w.number
  WHERE w.selection_run_id = ${runId} GROUP BY w.number, w.places)`

/** Name of the quota whose number is in the column `number`. */
const quotaLabel = (runId: string, number: string) => sql`(
  SELECT concat_ws(' · ', m.name, c.name, t.name) FROM selection_quotas n
  JOIN study_programmes m ON m.id = n.programme_id JOIN class_programmes c ON c.id = n.class_programme_id
  LEFT JOIN tracks t ON t.id = n.track_id
  WHERE n.selection_run_id = ${runId} AND n.number = ${sql.ref(number)})`

/** Everyone who should take part does, with every choice in its own quota, and nobody else does. */
const everybody = ({ runId, waveId, trackIds, now }: Facts) => sql<Fault>`WITH ${run(runId)}, due AS (
    SELECT r.id, r.code, c.position, c.programme_id, 'open' AS kind FROM registrations r
    JOIN registration_choices c ON c.registration_id = r.id
    WHERE r.wave_id = ${waveId} AND ${isOpen(trackIds, now)}
      AND NOT EXISTS (SELECT FROM holds h WHERE h.registration_id = r.id AND h.kind = 'place')
    UNION ALL
    SELECT r.id, r.code, coalesce(c.position, 6), h.programme_id, 'held' FROM holds h
    JOIN registrations r ON r.id = h.registration_id
    LEFT JOIN registration_choices c ON c.registration_id = r.id AND c.programme_id = h.programme_id
    WHERE h.kind = 'place' AND r.wave_id = ${waveId} AND ${isOpen(trackIds, now)}
    UNION ALL
    SELECT r.id, r.code, coalesce(c.position, 6), r.accepted_programme_id, 'kept' FROM registrations r
    LEFT JOIN registration_choices c ON c.registration_id = r.id AND c.programme_id = r.accepted_programme_id
    WHERE r.wave_id = ${waveId} AND ${isStanding(trackIds, now)}),
  there AS (
    SELECT e.registration_id, r.code, e.position, e.programme_id,
      CASE WHEN e.outcome IN ('held', 'kept') THEN e.outcome ELSE 'open' END AS kind,
      q.programme_id = e.programme_id AND q.class_programme_id = r.class_programme_id
        AND q.entry_level_id = r.entry_level_id AND coalesce(q.track_id, r.track_id) = r.track_id
        AND NOT EXISTS (SELECT FROM selection_quotas p WHERE p.selection_run_id = ${runId} AND p.parent_number = q.number)
        AS in_own_quota
    FROM selection_entries e JOIN registrations r ON r.id = e.registration_id
    JOIN selection_quotas q ON q.selection_run_id = e.selection_run_id AND q.number = e.quota_number
    WHERE e.selection_run_id = ${runId})
  SELECT coalesce(d.code, t.code) AS label
  FROM (SELECT d.* FROM due d JOIN registrations r ON r.id = d.id WHERE EXISTS (SELECT FROM programme_details o
      WHERE o.wave_id = ${waveId} AND o.programme_id = d.programme_id AND o.class_programme_id = r.class_programme_id
        AND o.entry_level_id = r.entry_level_id)) d
  FULL JOIN there t ON t.registration_id = d.id AND t.position = d.position AND t.programme_id = d.programme_id AND t.kind = d.kind
  WHERE d.id IS NULL OR t.registration_id IS NULL OR NOT t.in_own_quota`

const scores = ({ runId, scoreRunId }: Facts) => {
  const present = scoreRunId
    ? sql`(SELECT f.score FROM final_scores f WHERE f.score_run_id = ${scoreRunId}
        AND f.registration_id = e.registration_id AND f.test_id = (x.test->>'testId')::uuid)`
    : sql`(SELECT round(s.score * 100 / t.max_score, 4) FROM test_scores s JOIN tests t ON t.id = s.test_id
        WHERE s.registration_id = e.registration_id AND s.test_id = (x.test->>'testId')::uuid AND t.max_score > 0)`
  return sql<Fault>`WITH ${entries(runId)}
    SELECT DISTINCT e.code AS label FROM entries e
    CROSS JOIN jsonb_array_elements(e.tests) WITH ORDINALITY AS x (test, n)
    WHERE e.scores[x.n] IS DISTINCT FROM ${present}`
}

const total = ({ runId }: Facts) =>
  sql<Fault>`WITH ${judged(runId)} SELECT code AS label FROM judged WHERE total IS DISTINCT FROM right_total`

const lot = ({ runId }: Facts) => sql<Fault>`WITH ${run(runId)}
  SELECT r.code AS label FROM run CROSS JOIN selection_entries e JOIN registrations r ON r.id = e.registration_id
  WHERE e.selection_run_id = ${runId} AND e.lot <>
    ('x' || left(encode(sha256(convert_to(run.lot_seed || ' ' || r.code, 'UTF8')), 'hex'), 12))::bit(48)::bigint`

const rank = ({ runId }: Facts) => sql<Fault>`WITH ${run(runId)}, ${entries(runId)}, ordered AS (
    SELECT e.code, e.rank, rank() OVER (PARTITION BY e.quota_number ORDER BY
      ARRAY[CASE WHEN run.method = 'first_choices_first' THEN -e.position ELSE 0 END, e.total]
      || CASE WHEN e.ties = 'next' THEN (SELECT coalesce(array_agg(coalesce(e.scores[n], '-Infinity'::numeric) ORDER BY n), '{}')
          FROM generate_series(1, run.width) n) ELSE '{}'::numeric[] END
      || CASE WHEN e.ties IN ('next', 'lot') THEN ARRAY[-e.lot::numeric] ELSE '{}'::numeric[] END DESC) AS right_rank
    FROM entries e CROSS JOIN run WHERE e.outcome IN ${eligible})
  SELECT code AS label FROM ordered WHERE rank IS DISTINCT FROM right_rank
  UNION ALL
  SELECT code FROM entries WHERE outcome NOT IN ${eligible} AND rank IS NOT NULL`

/**
 * Every competing entry meets all minimums. Every other entry fails one, or is excluded by hand or blocked by the
 * settings.
 */
const minimum = ({ runId, settings }: Facts) => sql<Fault>`WITH ${judged(runId)},
  found AS (
    SELECT j.*, coalesce(j.right_total < j.passing_grade AND j.tests <> '[]', false) OR j.below_mark AS is_below,
      EXISTS (SELECT FROM holds h WHERE h.registration_id = j.registration_id AND h.kind = 'exclude'
        AND coalesce(h.programme_id, j.programme_id) = j.programme_id) AS is_excluded
    FROM judged j WHERE j.outcome NOT IN ('held', 'kept'))
  SELECT f.code AS label FROM found f JOIN registrations r ON r.id = f.registration_id
  WHERE CASE WHEN f.outcome = 'excluded' THEN NOT f.is_excluded
    WHEN f.is_excluded THEN true
    WHEN f.outcome = 'blocked' THEN NOT ${isBlocked(settings)}
    WHEN ${isBlocked(settings)} THEN true
    WHEN f.outcome = 'no_score' THEN NOT f.lacks_score
    WHEN f.outcome = 'below_minimum' THEN f.lacks_score OR NOT f.is_below
    ELSE f.lacks_score OR f.is_below END`

/**
 * No quota is exceeded, not even by held places; only the last tied group may exceed it where the rule `all` admits
 * ties. Places spill in the order of their turns.
 */
const quota = ({ runId }: Facts) => sql<Fault>`WITH ${parts(runId)}
  SELECT ${quotaLabel(runId, 'p.number')} AS label FROM parts p
  WHERE (p.parent_number IS NULL OR p.spill_turn IS NULL) AND (p.needed > p.own OR p.excess > 0)
  UNION ALL
  SELECT ${quotaLabel(runId, 'w.number')} FROM wholes w
  WHERE w.needed > w.own OR (w.by_hand > 0 AND w.held > w.places) OR (w.excess > 0 AND w.needed + w.held > w.places)
  UNION ALL
  SELECT ${quotaLabel(runId, 'p.number')} FROM parts p
  WHERE p.parent_number IS NOT NULL AND p.needed > p.own AND EXISTS (SELECT FROM parts o
    WHERE o.parent_number = p.parent_number AND o.spill_turn < p.spill_turn AND o.asking > 0)`

/** Nobody waits for an empty place. Where the rule `none` refuses ties, the tied group must fit as a whole. */
const noEmptyPlace = ({ runId }: Facts) => sql<Fault>`WITH ${parts(runId)}
  SELECT ${quotaLabel(runId, 'p.number')} AS label FROM parts p
  WHERE p.asking > 0 AND p.given + p.asking_together <= greatest(p.own, CASE WHEN p.spill_turn IS NULL THEN 0
    ELSE (SELECT w.own FROM wholes w WHERE w.number = p.parent_number) - (SELECT coalesce(sum(o.given
        + CASE WHEN o.asking > 0 THEN o.asking_together - 1 ELSE 0 END), 0)
      FROM parts o WHERE o.parent_number = p.parent_number AND o.number <> p.number) END)`

/**
 * Every applicant waiting for a quota ranks below all applicants placed in it. A later choice never precedes an earlier
 * one.
 */
const noEnvy = ({ runId }: Facts) => sql<Fault>`WITH ${parts(runId)}
  SELECT ${quotaLabel(runId, 'p.number')} AS label FROM parts p WHERE p.best_waiting <= p.worst_placed
  UNION ALL
  SELECT r.code FROM selection_entries e JOIN registrations r ON r.id = e.registration_id
  WHERE e.selection_run_id = ${runId} AND e.outcome IN ('full', 'reserve', 'earlier_choice')
    AND (e.outcome = 'earlier_choice') <> EXISTS (SELECT FROM selection_entries o
      WHERE o.selection_run_id = ${runId} AND o.registration_id = e.registration_id AND o.outcome = 'placed'
        AND o.position < e.position)`

/** Reserve candidates have no place. They are numbered by rank and lot without gaps, up to the number in the rules. */
const reserve = ({ runId }: Facts) => sql<Fault>`WITH ${run(runId)}, waiting AS (
    SELECT e.registration_id, e.quota_number, e.reserve_rank,
      row_number() OVER (PARTITION BY e.quota_number ORDER BY e.rank, e.lot) AS turn
    FROM selection_entries e
    WHERE e.selection_run_id = ${runId} AND e.outcome IN ('full', 'reserve') AND NOT EXISTS (SELECT FROM selection_entries o
      WHERE o.selection_run_id = ${runId} AND o.registration_id = e.registration_id AND o.outcome IN ('placed', 'held', 'kept'))),
  due AS (
    SELECT w.*, CASE WHEN w.turn <= ceil(greatest(q.places, q.placed) * run.reserve_percent / 100.0) THEN w.turn END AS right_rank
    FROM waiting w CROSS JOIN run
    JOIN selection_quotas q ON q.selection_run_id = ${runId} AND q.number = w.quota_number)
  SELECT r.code AS label FROM due d JOIN registrations r ON r.id = d.registration_id
  WHERE d.reserve_rank IS DISTINCT FROM d.right_rank
  UNION ALL
  SELECT r.code FROM selection_entries e JOIN registrations r ON r.id = e.registration_id
  WHERE e.selection_run_id = ${runId} AND e.reserve_rank IS NOT NULL
    AND NOT EXISTS (SELECT FROM due d WHERE d.registration_id = e.registration_id AND d.quota_number = e.quota_number)`

export const verifierQueries: Record<VerifierRule, (facts: Facts) => RawBuilder<Fault>> = {
  everybody,
  scores,
  total,
  lot,
  rank,
  minimum,
  quota,
  no_empty_place: noEmptyPlace,
  no_envy: noEnvy,
  reserve,
}
