import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportQuestion } from '#domain/reports/endpoints.ts'
import { moveStep, recordSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { runReport } from '#server/modules/reports/engine/run-report.ts'
import { registrationsByProgramme } from '#server/modules/reports/pendaftaran-prodi.report.ts'
import { keepSeasons } from '#server/modules/seasons/keep-seasons.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { asStaff } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { readSeasons, seasonSteps } from './season-figures.ts'

let t: TestApp
const readers: Record<string, Actor> = {}
const dayMs = 86_400_000

beforeAll(async () => {
  t = await demoApp()
  await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
    SELECT 'L' || code, (left(academic_year, 4)::int - 1) || '/' || left(academic_year, 4), name, semester_code,
      opens_at - interval '353 days', closes_at - interval '353 days' FROM waves`.execute(t.owner)
  await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, submitted_at, paid_at, created_at)
    SELECT 'L' || r.code, r.applicant_id, r.account_id, l.id, r.track_id, r.entry_level_id, r.class_programme_id, r.programme_id, 'paid',
      r.submitted_at - interval '365 days', r.paid_at - interval '365 days', r.created_at - interval '365 days'
    FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN waves l ON l.code = 'L' || w.code WHERE r.paid_at IS NOT NULL`.execute(
    t.owner,
  )
  await sql`SELECT fill_registration_steps()`.execute(t.owner)
  const { rows } = await sql<{
    id: string
  }>`SELECT programme_id AS id FROM registrations GROUP BY 1 ORDER BY count(*) DESC LIMIT 3`.execute(t.db)
  const programmeIds = rows.map(({ id }) => id)
  const accountId = (await asStaff(t)).accountId
  const decides = new Set(['pendaftaran-decide'])
  const scope = { kind: 'programmes' as const, programmeIds }
  readers.whole = { ...systemActor, accountId, permissions: decides }
  readers['whole, published decisions only'] = { ...systemActor, accountId }
  readers.dean = { ...systemActor, accountId, permissions: decides, scope }
  readers['dean, published decisions only'] = { ...systemActor, accountId, scope }
  // After the compared day of last year, two registrations moved between the dean's programmes and others.
  const { rows: moved } = await sql<{ id: string; programmeId: string; classProgrammeId: string; other: string }>`
    SELECT r.id, r.programme_id, r.class_programme_id, (SELECT p.id FROM study_programmes p WHERE p.id <> ALL(${programmeIds}::uuid[])
      ORDER BY p.name LIMIT 1) AS other FROM registrations r WHERE r.code LIKE 'L%' AND r.programme_id = ${programmeIds[0]}
    ORDER BY r.code LIMIT 2`.execute(t.db)
  for (const { id, programmeId, classProgrammeId, other } of moved)
    await t.owner.transaction().execute(async (tx) => {
      await tx.updateTable('registrations').set({ programmeId: other }).where('id', '=', id).execute()
      await recordSteps(tx, systemActor, id, [
        moveStep(programmeId, classProgrammeId, new Date(t.clock.now().getTime() - 100 * dayMs)),
      ])
    })
  // Decisions in the wave and track with most unanswered acceptances are not public yet.
  await sql`UPDATE result_publications SET publish_at = now() + interval '1 hour' WHERE (wave_id, track_id) =
    (SELECT wave_id, track_id FROM registrations WHERE decision = 'accepted' AND status = 'decided' GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1)`.execute(
    t.owner,
  )
}, 240_000)
afterAll(() => t?.close())

/** What the report counts for the same reader at the same moment. */
async function counted(reader: Actor, at: Date) {
  const request = { by: 'programme,wave', compare: 'season' } as ReportQuestion
  const { before, ...question } = await readQuestion(t.db, registrationsByProgramme, request, at)
  const { kept: _kept, ...counting } = before!
  const lines = await runReport(t.db, registrationsByProgramme, reader, { ...question, before: counting })
  return { lines: lines.filter(({ keys }) => 'wave' in keys), total: lines.find(({ keys }) => !('wave' in keys))! }
}

describe.each([
  ['nothing is kept', async () => {}],
  ['days are kept', () => keepSeasons(t.db, { now: t.clock.now() })],
  [
    'steps were taken since',
    async () => {
      const { rows } = await sql<{
        id: string
      }>`SELECT id FROM registrations WHERE status = 'submitted' AND code NOT LIKE 'L%' LIMIT 5`.execute(t.db)
      for (const { id } of rows) {
        await sql`UPDATE registrations SET status = 'paid', paid_at = now() - interval '3 days' WHERE id = ${id}`.execute(
          t.owner,
        )
        await sql`SELECT fill_registration_steps()`.execute(t.owner)
      }
      // A draft changes its study programme without a step.
      await sql`UPDATE registrations SET programme_id = (SELECT id FROM study_programmes ORDER BY name LIMIT 1)
        WHERE status = 'draft'`.execute(t.owner)
    },
  ],
])('the season cards, when %s', (_when, prepare) => {
  beforeAll(prepare as () => Promise<void>)

  it.each(['whole', 'whole, published decisions only', 'dean', 'dean, published decisions only'])(
    'agree with the report, for %s',
    async (name) => {
      const at = new Date()
      const reader = { ...readers[name]!, at }
      const { season, before } = await readSeasons({ services: t.services, actor: reader, at })
      const { lines, total } = await counted(reader, at)
      expect(season.totals).toEqual(Object.fromEntries(seasonSteps.map((step) => [step, total.values[step]])))
      expect(before!.totals).toEqual({
        submitted: total.before!.submitted,
        paid: total.before!.paid,
        enrolled: total.before!.enrolled,
      })
      expect([...season.days.values()].reduce((sum, many) => sum + many, 0)).toBe(total.values.submitted)
      expect([...before!.days.values()].reduce((sum, many) => sum + many, 0)).toBe(total.before!.submitted)
      for (const { keys, values } of lines) {
        const line = season.lines.find(
          ({ programmeId, waveId }) => programmeId === keys.programme && waveId === keys.wave,
        )
        for (const step of seasonSteps.slice(1))
          expect(line?.counts[step] ?? 0, `${JSON.stringify(keys)} ${step}`).toBe(values[step])
      }
      expect(total.values.accepted).toBeGreaterThan(0)
      expect(total.before!.submitted).toBeGreaterThan(0)
    },
  )
})
