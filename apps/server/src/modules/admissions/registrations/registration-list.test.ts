import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listRegistrations as call } from '#domain/admissions/lists.ts'
import { pageOf, pageQuery } from '#server/list/page.ts'
import { selectionFor } from '#server/list/serve-list.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { connect } from '#server/platform/database/database.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, applicantActor } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { registrationSource } from './list-registrations.ts'

const now = new Date('2026-11-20T03:00:00Z')
const registrationCount = 50_000

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
  await fill()
}, 120_000)
afterAll(() => t?.close())

/** Inserts applicants with one registration each, spread over statuses, waves and programmes. */
async function fill() {
  const role = await t.db.selectFrom('roles').select('id').where('name', '=', 'Mahasiswa').executeTakeFirstOrThrow()
  await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
    SELECT 'L' || n, '2025/2026', 'Gelombang ' || n, '20251', ${now}::timestamptz - interval '2 years',
      ${now}::timestamptz - interval '1 year' FROM generate_series(1, 4) n`.execute(t.db)
  await sql`INSERT INTO accounts (name, email, role_id) SELECT 'Orang ' || n, 'orang' || n || '@example.com', ${role.id}
    FROM generate_series(1, ${registrationCount}::int) n`.execute(t.db)
  await sql`INSERT INTO applicants (account_id, full_name, phone)
    SELECT id, 'Orang ' || md5(id::text), '+62812' || lpad((row_number() OVER ())::text, 8, '0') FROM accounts
    WHERE email LIKE 'orang%'`.execute(t.db)
  await sql`
    WITH numbered AS (SELECT id, account_id, row_number() OVER (ORDER BY id) AS n FROM applicants),
      wave AS (SELECT array_agg(id ORDER BY code) AS ids FROM waves)
    INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, documents_state, created_at, decision, accepted_programme_id, verified_at)
    SELECT 'M' || n, id, account_id, wave.ids[1 + n % 5],
      CASE WHEN n % 7 = 0 THEN ${academic.tracks.achievement}::uuid ELSE ${academic.tracks.regular}::uuid END,
      ${academic.entryLevel}, ${academic.classProgramme},
      CASE WHEN n % 3 = 0 THEN ${academic.programmes[1]}::uuid ELSE ${academic.programmes[0]}::uuid END,
      (ARRAY['draft', 'submitted', 'paid', 'verified', 'verified', 'decided', 'withdrawn'])[1 + n % 7],
      (ARRAY['missing', 'to_review', 'complete'])[1 + n % 3], ${now}::timestamptz - n * interval '7 minutes',
      CASE WHEN n % 140 = 12 THEN 'accepted' WHEN n % 7 = 5 THEN 'not_accepted' END,
      CASE WHEN n % 140 = 12 THEN CASE WHEN n % 3 = 0 THEN ${academic.programmes[1]}::uuid ELSE ${academic.programmes[0]}::uuid END END,
      CASE WHEN n % 7 IN (3, 4, 5) THEN ${now}::timestamptz - n * interval '7 minutes' END
    FROM numbered, wave`.execute(t.db)
  // Every acceptance is for a programme other than the first choice, and none is published.
  await sql`INSERT INTO registration_choices (registration_id, position, programme_id)
    SELECT id, 1, CASE WHEN (programme_id = ${academic.programmes[1]}) = (decision IS DISTINCT FROM 'accepted')
      THEN ${academic.programmes[1]}::uuid ELSE ${academic.programmes[0]}::uuid END FROM registrations`.execute(t.db)
  await sql`ANALYZE`.execute(t.db)
}

const office: Actor = { ...systemActor, accountId: '00000000-0000-0000-0000-000000000001' }
const limited = (): Actor => ({ ...office, scope: { kind: 'programmes', programmeIds: [academic.programmes[1]] } })

async function parseQuery(actor: Actor, query: object) {
  const { page, per_page, after, sort, ...filters } = call.query.parse(query)
  const reader = { services: t.services, actor, now, language: 'id' as const, params: {} }
  return {
    asked: await selectionFor(call, registrationSource(t), reader, filters, sort),
    page: { page, per_page, after, sort },
  }
}

async function listed(actor: Actor, query: object) {
  const { asked: parsedQuery, page } = await parseQuery(actor, query)
  return pageOf(t.db, page, parsedQuery)
}

async function planOf(actor: Actor, query: object) {
  const { asked: parsedQuery, page } = await parseQuery(actor, query)
  const compiled = pageQuery(page, parsedQuery).compile()
  const { rows } = await t.db.executeQuery<Record<string, string>>({
    ...compiled,
    sql: `EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF) ${compiled.sql}`,
  })
  return rows.map((row) => Object.values(row)[0]).join('\n')
}

async function repeat<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let run = 0; run < times; run++) results.push(await work())
  return results
}

describe('the list of fifty thousand registrations', () => {
  it('uses an index for every filter, never a sequential scan', async () => {
    const { wave, tracks, programmes } = academic
    const cases: [Actor, object][] = [
      [office, {}],
      [office, { sort: 'oldest' }],
      [office, { sort: 'name' }],
      [office, { sort: 'code' }],
      [office, { waveId: wave, programmeId: programmes[0], status: 'verified' }],
      [office, { waveId: wave, trackId: tracks.regular }],
      [office, { trackId: tracks.achievement, status: 'paid' }],
      [office, { status: 'submitted' }],
      [office, { programmeId: programmes[1] }],
      [office, { documents: 'to_review', status: 'paid' }],
      [office, { result: 'not_accepted' }],
      [office, { result: 'waiting', waveId: wave }],
      [office, { q: 'M49999' }],
      [office, { q: '081200012345' }],
      [limited(), {}],
      [limited(), { waveId: wave, status: 'verified' }],
      [limited(), { waveId: wave, programmeId: programmes[1] }],
      [limited(), { q: 'M49999' }],
      [applicantActor(staff.accountId), { status: 'verified' }],
    ]
    for (const [actor, query] of cases) {
      // Fastest of five runs: other work on the machine only makes a query slower.
      const plans = await repeat(5, () => planOf(actor, query))
      for (const plan of plans) expect(plan, JSON.stringify(query)).not.toMatch(/Seq Scan on registrations/)
      const took = plans.map((plan) => Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]))
      expect(Math.min(...took), `${JSON.stringify(query)}\n${plans[0]}`).toBeLessThan(60)
    }
  })

  it('keeps the plan of a filter, also for values with fewer rows than a page, since planning takes longer than reading', async () => {
    const { id: emptyWave } = await t.db
      .insertInto('waves')
      .values({
        code: 'L9',
        academicYear: '2025/2026',
        name: 'Gelombang 9',
        semesterCode: '20251',
        opensAt: now,
        closesAt: new Date(now.getTime() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pooled = connect(t.connectionString, { max: 1, preparedStatements: true })
    const decider: Actor = { ...office, permissions: new Set(['pendaftaran-decide']) }
    const { asked, page } = await parseQuery(decider, {
      waveId: emptyWave,
      programmeId: academic.programmes[0],
      status: 'verified',
    })
    const compiled = pageQuery(page, asked).compile()
    await repeat(25, () => pooled.db.executeQuery(compiled))
    const { rows } = await pooled.pool.query('SELECT generic_plans FROM pg_prepared_statements WHERE statement = $1', [
      compiled.sql,
    ])
    await pooled.db.destroy()
    expect(Number(rows[0].generic_plans)).toBeGreaterThan(5)
  })

  it('counts every row exactly', async () => {
    const all = await listed(office, {})
    expect(all.meta).toMatchObject({ total: registrationCount, total_is_estimate: false })
    const few = await listed(office, { waveId: academic.wave })
    expect(few.meta).toMatchObject({ total: registrationCount / 5, total_is_estimate: false })
  })

  it('counts a search once, and its page does not wait for a slow count', async () => {
    const { asked } = await parseQuery(office, { q: 'M4999' })
    expect(await asked.pendingCount).toMatchObject({ total: 11 })
    await t.owner.transaction().execute(async (tx) => {
      await sql`LOCK TABLE registrations`.execute(tx)
      // Waiting for the count would wait for the end of this transaction.
      await parseQuery(office, { q: 'M499' })
    })
  })

  it('shows applicants their own registrations only', async () => {
    const newcomer = await asApplicant(t)
    expect((await newcomer.get('/pendaftaran')).json()).toEqual({
      data: [],
      meta: { total: 0, total_is_estimate: false, next: null },
    })
  })
})
