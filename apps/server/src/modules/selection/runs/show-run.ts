import { sql } from 'kysely'
import type { QuotaResult, SelectionRun } from '#domain/selection/endpoints.ts'
import { type SelectionRules, selectionRules } from '#domain/selection/rules.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  isSelectionPublic,
  joinPublications,
  seesSelections,
  selectionOutcomeIsVisible,
} from '#server/platform/access/decision-scope.ts'
import { programmeVisibleTo, seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'

type Row = Omit<
  SelectionRun,
  'rules' | 'names' | 'holds' | 'quotas' | 'others' | 'refusal' | 'outcomeIsVisible' | `${string}At`
> & {
  rules: unknown
  createdAt: Date
  verifiedAt: Date | null
  adoptedAt: Date | null
}

/** Number of scores in the wave, track and tests of score run `n` that were recorded, changed or removed since. */
const newerScores = sql<number>`(SELECT count(DISTINCT (v.registration_id, v.test_id))::int
  FROM test_score_versions v JOIN registrations r ON r.id = v.registration_id
  WHERE v.recorded_at > n.created_at AND r.wave_id = n.wave_id AND (n.track_id IS NULL OR r.track_id = n.track_id)
    AND v.test_id::text IN (SELECT jsonb_path_query(n.methods, '$[*].testId') #>> '{}'))`

const findRun = async (db: Db, id: string) =>
  (
    await sql<Row>`SELECT s.id, s.version, s.name, s.status, s.failure, s.rules, s.counts, s.checks, s.input_hash, s.output_hash,
        s.created_at, s.verified_at, s.adopted_at, c.name AS created_by, a.name AS adopted_by,
        json_build_object('id', w.id, 'name', w.name || ' ' || w.academic_year) AS wave,
        CASE WHEN n.id IS NOT NULL THEN json_build_object('id', n.id, 'name', n.name) END AS score_run,
        CASE WHEN n.id IS NOT NULL AND s.status NOT IN ('adopting', 'adopted') THEN ${newerScores} ELSE 0 END AS newer_scores,
        CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END AS based_on
      FROM selection_runs s JOIN waves w ON w.id = s.wave_id
      LEFT JOIN accounts c ON c.id = s.created_by LEFT JOIN accounts a ON a.id = s.adopted_by
      LEFT JOIN score_runs n ON n.id = s.score_run_id LEFT JOIN selection_runs b ON b.id = s.based_on_id
      WHERE s.id = ${id}`.execute(db)
  ).rows[0]

const quotasOf = async (db: Db, actor: Actor, id: string) =>
  (
    await sql<QuotaResult>`SELECT q.number, q.parent_number, q.programme_detail_id, p.name AS programme,
        c.name AS class_programme, e.name AS entry_level, q.track_id, t.name AS track, q.places, q.placed, q.waiting,
        q.last_total::float8 AS last_total,
        CASE WHEN q.track_id IS NULL THEN d.capacity END AS capacity,
        CASE WHEN q.track_id IS NULL THEN greatest(q.places - d.capacity, 0) END AS over_offer
      FROM selection_quotas q JOIN study_programmes p ON p.id = q.programme_id
      JOIN programme_details d ON d.id = q.programme_detail_id
      JOIN class_programmes c ON c.id = q.class_programme_id JOIN entry_levels e ON e.id = q.entry_level_id
      LEFT JOIN tracks t ON t.id = q.track_id
      WHERE q.selection_run_id = ${id} AND ${programmeVisibleTo(actor, 'q.programmeId')}
      ORDER BY p.name, c.name, e.name, coalesce(q.parent_number, q.number), q.track_id IS NOT NULL, t.name`.execute(db)
  ).rows

/** Names of the tracks, programmes and tests in the rules, by id. */
async function namesOf(db: Db, { tracks, criteria }: SelectionRules) {
  const ids = [
    ...tracks.map(({ trackId }) => trackId),
    ...criteria.flatMap(({ programmeId, tests }) => [programmeId ?? [], ...tests.map(({ testId }) => testId)].flat()),
  ]
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM tracks WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id, name FROM study_programmes WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id, name FROM tests WHERE id = ANY(${ids}::uuid[])`.execute(db)
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}

const holdsOf = async (db: Db, actor: Actor, id: string, now: Date) =>
  (
    await sql<SelectionRun['holds'][number]>`
      SELECT h."registrationId" AS registration_id, h."programmeId" AS programme_id, h.kind, h.reason, r.code,
        a.full_name AS name, p.name AS programme
      FROM selection_runs s
      CROSS JOIN jsonb_to_recordset(s.rules->'holds') AS h ("registrationId" uuid, "programmeId" uuid, kind text, reason text)
      JOIN registrations r ON r.id = h."registrationId" AND ${visibleTo(actor)}
        AND ${selectionOutcomeIsVisible(actor, now, 's')}
      JOIN applicants a ON a.id = r.applicant_id LEFT JOIN study_programmes p ON p.id = h."programmeId"
      WHERE s.id = ${id} ORDER BY a.full_name, r.code`.execute(db)
  ).rows

/** By track of the rules: when results were or will be published, and whether those of the run are public. */
const publicationsOf = async (db: Db, run: { id: string; waveId: string }, { tracks }: SelectionRules, now: Date) =>
  (
    await sql<{ track: string; publishedAt: Date | null; publishAt: Date | null; isPublic: boolean }>`
      SELECT t.name AS track, pubs.published_at, pubs.publish_at, ${isSelectionPublic(now, 'n', 't')} IS TRUE AS is_public
      FROM (SELECT ${run.waveId}::uuid AS wave_id, id AS track_id, name FROM tracks
        WHERE id = ANY(${tracks.map(({ trackId }) => trackId)}::uuid[])) t
      JOIN selection_runs n ON n.id = ${run.id}
      ${joinPublications(now, 't')} ORDER BY t.name`.execute(db)
  ).rows

/** A run for its page, with the quotas and holds of the reader's programmes. */
export async function showRun({ db, clock }: Services, actor: Actor, language: Language, id: string) {
  const now = clock.now()
  const row = await findRun(db, id)
  if (!row) throw notFound('selection_run')
  const rules = selectionRules.parse(row.rules) as SelectionRules
  const [quotas, names, holds, publications, others] = await Promise.all([
    quotasOf(db, actor, id),
    namesOf(db, rules),
    holdsOf(db, actor, id, now),
    publicationsOf(db, { id, waveId: row.wave.id }, rules, now),
    db
      .selectFrom('selectionRuns')
      .select(['id', 'name', 'status'])
      .where('waveId', '=', row.wave.id)
      .where('id', '<>', id)
      .orderBy('createdAt', 'desc')
      .limit(50)
      .execute(),
  ])
  const outcomeIsVisible = seesSelections(actor) || publications.every(({ isPublic }) => isPublic)
  const t = sentences(language)
  const refusal = !actor.permissions.has('seleksi-update')
    ? 'errors:forbidden'
    : !seesAll(actor)
      ? 'errors:selection_by_whole'
      : row.status === 'adopting'
        ? 'errors:selection_adopting'
        : row.status === 'adopted'
          ? 'errors:selection_adopted'
          : null
  return {
    ...row,
    rules: { ...rules, holds: seesAll(actor) && outcomeIsVisible ? rules.holds : [] },
    names,
    holds,
    quotas,
    publications: publications.map(({ isPublic: _, ...publication }) => publication),
    outcomeIsVisible,
    others: others as SelectionRun['others'],
    refusal: refusal && t(refusal),
    failure: row.failure && t(failureKey(row.failure)),
  }
}

const failureKey = (failure: string) =>
  failure === 'selection_input_changed' ? 'errors:selection_input_changed' : 'selection:failed'
