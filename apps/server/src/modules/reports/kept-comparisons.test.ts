import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportQuestion } from '#domain/reports/endpoints.ts'
import { revertDecision } from '#server/modules/admissions/results/decide-registration.ts'
import { moveStep, recordSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { keepSeasons } from '#server/modules/seasons/keep-seasons.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { asStaff } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { readQuestion } from './engine/read-question.ts'
import { runReport } from './engine/run-report.ts'
import { canReadKept } from './facts/kept-facts.ts'
import { registrationsByProgramme } from './pendaftaran-prodi.report.ts'
import type { Report } from './report.ts'
import { registrationsOverTime } from './total-pendaftaran.report.ts'

let t: TestApp
const readers: Record<string, Actor> = {}
const dayMs = 86_400_000

beforeAll(async () => {
  t = await demoApp()
  // Copies the demo's registrations and steps to a year earlier; the waves of that year closed twelve days earlier.
  await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
    SELECT 'L' || code, (left(academic_year, 4)::int - 1) || '/' || left(academic_year, 4), name, semester_code,
      opens_at - interval '377 days', closes_at - interval '377 days' FROM waves`.execute(t.owner)
  await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, accepted_programme_id, status, decision, submitted_at, paid_at, verified_at, decided_at, created_at)
    SELECT 'L' || r.code, r.applicant_id, r.account_id, l.id, r.track_id, r.entry_level_id, r.class_programme_id, r.programme_id,
      r.accepted_programme_id, 'decided', 'accepted', r.submitted_at - interval '365 days', r.paid_at - interval '365 days',
      r.verified_at - interval '365 days', r.decided_at - interval '365 days', r.created_at - interval '365 days'
    FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN waves l ON l.code = 'L' || w.code
    WHERE r.decision = 'accepted'`.execute(t.owner)
  await sql`SELECT fill_registration_steps()`.execute(t.owner)
  const { rows } = await sql<{ id: string; programmeId: string; classProgrammeId: string; at: Date; other: string }>`
    SELECT r.id, r.programme_id, r.class_programme_id, r.decided_at AS at,
      (SELECT p.id FROM study_programmes p WHERE p.id <> r.programme_id ORDER BY p.name LIMIT 1) AS other
    FROM registrations r WHERE r.code LIKE 'L%' ORDER BY r.code LIMIT 4`.execute(t.db)
  const staff = { ...systemActor, accountId: (await asStaff(t)).accountId }
  // Days later, two of them moved to another programme and two lost their acceptance.
  for (const [index, { id, programmeId, classProgrammeId, at, other }] of rows.entries()) {
    const later = new Date(at.getTime() + (3 + index) * dayMs)
    await t.owner.transaction().execute(async (tx) => {
      if (index >= 2) {
        t.clock.set(later)
        await revertDecision(
          { tx, services: t.services, actor: staff, now: t.services.clock.now() },
          id,
          'Salah baca nilai',
        )
        t.clock.reset()
        return
      }
      await tx.updateTable('registrations').set({ programmeId: other }).where('id', '=', id).execute()
      await recordSteps(tx, systemActor, id, [moveStep(programmeId, classProgrammeId, later)])
    })
  }
  const one = await t.db.selectFrom('studyProgrammes').select('id').orderBy('name').executeTakeFirstOrThrow()
  readers.whole = systemActor
  readers['reader of published decisions'] = { ...systemActor, accountId: crypto.randomUUID() }
  readers.dean = {
    ...systemActor,
    accountId: crypto.randomUUID(),
    scope: { kind: 'programmes', programmeIds: [one.id] },
  }
}, 240_000)
afterAll(() => t?.close())

const questions: [Report, Partial<ReportQuestion>][] = [
  [registrationsOverTime, { by: 'day' }],
  [registrationsOverTime, {}],
  [registrationsOverTime, { by: 'month', compare: 'calendar' }],
  [registrationsOverTime, { by: 'programme,track' }],
  [registrationsOverTime, { by: 'wave,classProgramme' }],
  [registrationsOverTime, { by: 'faculty', from: '2026-09-01' }],
  [registrationsByProgramme, {}],
  [registrationsByProgramme, { by: 'wave' }],
]

/** Lines of the year before, once read from the history and once counted. */
async function bothWays(actor: Actor, report: Report, request: Partial<ReportQuestion>, now: Date) {
  const question = await readQuestion(t.db, report, { compare: 'season', ...request } as ReportQuestion, now)
  const linesOf = async (isKept: boolean) => {
    const { kept: position, ...before } = question.before!
    const lines = await runReport(
      t.db,
      report,
      { ...actor, at: now },
      { ...question, before: { ...before, ...(isKept && { kept: position! }) } },
    )
    return lines
      .map(({ keys, before: values }) => ({ keys, values }))
      .filter(({ values }) => Object.values(values ?? {}).some(Boolean))
      .sort((a, b) => JSON.stringify(a.keys).localeCompare(JSON.stringify(b.keys)))
  }
  return { question, fromHistory: await linesOf(true), counted: await linesOf(false) }
}

describe.each([
  ['nothing is kept yet', async () => {}],
  ['every day is kept', () => keepSeasons(t.db, { now: t.clock.now() })],
])('the year before, when %s', (_when, prepare) => {
  beforeAll(prepare as () => Promise<void>)

  it.each(['whole', 'reader of published decisions', 'dean'])(
    'is the same from the history as counted, for %s',
    async (name) => {
      let compared = 0
      const { rows } = await sql<{ first: Date; last: Date }>`SELECT min(created_at) AS first, max(decided_at) AS last
      FROM registrations WHERE code LIKE 'L%'`.execute(t.db)
      const span = rows[0]!.last.getTime() - rows[0]!.first.getTime() + 8 * dayMs
      for (const part of [0.3, 0.8, 1])
        for (const [report, request] of questions) {
          const now = new Date(rows[0]!.first.getTime() + 365 * dayMs + part * span)
          const { fromHistory, counted } = await bothWays(readers[name]!, report, request, now)
          expect(fromHistory, `${report.slug} ${JSON.stringify(request)} ${part}`).toEqual(counted)
          compared += counted.length
        }
      expect(compared).toBeGreaterThan(name === 'dean' ? 5 : 50)
    },
  )
})

describe('the history', () => {
  it('is read only for the whole university, and by programme only for readers of unpublished decisions', () => {
    const whole = { ...systemActor, accountId: crypto.randomUUID() }
    expect(canReadKept(whole, { by: ['week'], filters: {} })).toBe(true)
    expect(canReadKept(whole, { by: ['programme'], filters: {} })).toBe(false)
    expect(canReadKept(whole, { by: ['week'], filters: { facultyId: 'x' } })).toBe(false)
    expect(
      canReadKept({ ...whole, permissions: new Set(['pendaftaran-decide']) }, { by: ['programme'], filters: {} }),
    ).toBe(true)
    expect(canReadKept(readers.dean!, { by: ['week'], filters: {} })).toBe(false)
  })
})
