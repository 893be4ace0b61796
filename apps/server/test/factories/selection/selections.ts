import { sql } from 'kysely'
import type { ChosenRules } from '#domain/selection/rules.ts'
import { computeRun } from '#server/modules/selection/runs/compute-run.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Ends every registration, and removes selections, publications and messages. */
export async function emptyWave(t: TestApp) {
  await sql`ALTER TABLE selection_runs DISABLE TRIGGER USER`.execute(t.owner)
  await sql`ALTER TABLE selection_entries DISABLE TRIGGER USER`.execute(t.owner)
  await sql`ALTER TABLE selection_quotas DISABLE TRIGGER USER`.execute(t.owner)
  await sql`UPDATE registrations SET status = 'cancelled', closed_from = 'verified', closed_at = now(), decision = NULL,
    decided_at = NULL, accepted_programme_id = NULL, selection_run_id = NULL, published_after = NULL, hidden_since = NULL
    WHERE status <> 'cancelled' OR published_after IS NOT NULL`.execute(t.owner)
  await sql`ALTER TABLE registration_steps DISABLE TRIGGER USER`.execute(t.owner)
  await sql`DELETE FROM registration_steps WHERE step IN ('accepted', 'not_accepted')`.execute(t.owner)
  await sql`ALTER TABLE registration_steps ENABLE TRIGGER USER`.execute(t.owner)
  await sql`DELETE FROM reserve_places`.execute(t.owner)
  await sql`DELETE FROM selection_runs`.execute(t.owner)
  await sql`ALTER TABLE selection_runs ENABLE TRIGGER USER`.execute(t.owner)
  await sql`ALTER TABLE selection_entries ENABLE TRIGGER USER`.execute(t.owner)
  await sql`ALTER TABLE selection_quotas ENABLE TRIGGER USER`.execute(t.owner)
  await sql`DELETE FROM shown_refusals`.execute(t.owner)
  await sql`DELETE FROM result_publications`.execute(t.owner)
  await t.db.deleteFrom('messages').execute()
}

export type Candidate = {
  /** Study programmes in the order of the choices. */
  choices: string[]
  /** Score of the only test; null for none. */
  score: number | null
  trackId?: string
}

let candidateCount = 0

/** Inserts verified registrations with scores; returns their ids in the same order. */
export async function candidatesOf(t: TestApp, academic: AcademicFixture, candidates: readonly Candidate[]) {
  const start = candidateCount
  candidateCount += candidates.length
  const trackIds = candidates.map(({ trackId }) => trackId ?? academic.tracks.regular)
  const { rows } = await sql<{ id: string }>`
    WITH people AS (SELECT n, gen_random_uuid() AS account_id, gen_random_uuid() AS applicant_id, gen_random_uuid() AS id,
        track_id, 'SEL-' || lpad((${start}::int + n)::text, 6, '0') AS code
      FROM unnest(${trackIds}::uuid[]) WITH ORDINALITY AS p (track_id, n)),
    accounts AS (INSERT INTO accounts (id, name, email, email_verified_at, role_id, language)
      SELECT account_id, 'Peserta ' || code, lower(code) || '@seleksi.test', now(), r.id, 'id'
      FROM people, roles r WHERE r.name = 'Mahasiswa' RETURNING id),
    applicants AS (INSERT INTO applicants (id, account_id, full_name)
      SELECT p.applicant_id, p.account_id, 'Peserta ' || p.code FROM people p JOIN accounts a ON a.id = p.account_id RETURNING id)
    INSERT INTO registrations (id, code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      status, submitted_at, paid_at, verified_at)
    SELECT p.id, p.code, p.applicant_id, p.account_id, ${academic.wave}, p.track_id, ${academic.entryLevel},
      ${academic.classProgramme}, 'verified', now(), now(), now()
    FROM people p JOIN applicants a ON a.id = p.applicant_id ORDER BY p.n
    RETURNING id`.execute(t.owner)
  const ids = rows.map(({ id }) => id)
  const choices = candidates.flatMap((candidate, index) =>
    candidate.choices.map((programmeId, position) => ({
      registrationId: ids[index]!,
      position: position + 1,
      programmeId,
    })),
  )
  if (choices.length > 0) await t.db.insertInto('registrationChoices').values(choices).execute()
  await sql`UPDATE registrations r SET programme_id = c.programme_id FROM registration_choices c
    WHERE c.registration_id = r.id AND c.position = 1 AND r.id = ANY(${ids}::uuid[])`.execute(t.db)
  await sql`SELECT fill_registration_steps()`.execute(t.owner)
  const scores = candidates.flatMap(({ score }, index) =>
    score === null ? [] : [{ registrationId: ids[index]!, testId: academic.test, score }],
  )
  if (scores.length > 0) await t.db.insertInto('testScores').values(scores).execute()
  return ids
}

/** Rules for the regular track, by score of the only test. */
export const rulesOf = (academic: AcademicFixture, more: Partial<ChosenRules> = {}): ChosenRules => ({
  method: 'deferred_acceptance',
  tracks: [{ trackId: academic.tracks.regular, ties: 'lot' }],
  ties: 'lot',
  criteria: [
    {
      trackId: academic.tracks.regular,
      programmeId: null,
      tests: [{ testId: academic.test, weight: 1, passMark: null }],
    },
  ],
  reservePercent: 100,
  ...more,
})

export type ShownRun = {
  id: string
  version: number
  status: string
  failure: string | null
  verifiedAt: string | null
  checks: { rule: string; faults: number; examples: string[] }[] | null
  counts: { applicants: number; placed: number; reserve: number; kept: number; held: number } | null
  quotas: { number: number; programmeDetailId: string; trackId: string | null; places: number; placed: number }[]
}

/** Starts a selection, computes it without the queue, and reads it. */
export async function aRun(t: TestApp, staff: TestActor, academic: AcademicFixture, rules: Partial<ChosenRules> = {}) {
  const body = { name: 'Simulasi', waveId: academic.wave, scoreRunId: null, rules: rulesOf(academic, rules) }
  const created = await staff.post('/seleksi', body)
  if (created.statusCode !== 201) throw new Error(created.body)
  const { id } = created.json().data
  await computeRun(t.services, id)
  return readRun(staff, id)
}

export const readRun = async (staff: TestActor, id: string): Promise<ShownRun> =>
  (await staff.get(`/seleksi/${id}`)).json().data

/** Verifies a run and reads it. */
export async function verified(staff: TestActor, id: string): Promise<ShownRun> {
  const answer = await staff.post(`/seleksi/${id}/verify`, {})
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

/** Verifies and adopts a run, runs its job, and reads it. */
export async function adopted(t: TestApp, staff: TestActor, id: string): Promise<ShownRun> {
  const { version } = await verified(staff, id)
  const answer = await staff.post(`/seleksi/${id}/adopt`, { version })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await t.runJobs()
  return readRun(staff, id)
}

/** Outcome of each choice of the registrations, in order. */
export async function outcomesOf(t: TestApp, runId: string, ids: readonly string[]) {
  const rows = await t.db
    .selectFrom('selectionEntries')
    .select(['registrationId', 'outcome'])
    .where('selectionRunId', '=', runId)
    .orderBy('position')
    .execute()
  return ids.map((id) => rows.filter((row) => row.registrationId === id).map(({ outcome }) => outcome))
}
