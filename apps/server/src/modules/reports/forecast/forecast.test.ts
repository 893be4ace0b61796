import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ForecastAnswer } from '#domain/seasons/endpoints.ts'
import { keepSeasons } from '#server/modules/seasons/keep-seasons.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import type { TestApp } from '#server-test/test-app.ts'

let t: TestApp
let chief: TestActor

beforeAll(async () => {
  t = await demoApp()
  chief = await asStaff(t)
}, 240_000)
afterAll(() => t?.close())

type Answer = { data: ForecastAnswer; meta: { keptUntil: string | null } }
/** Deletes stored answers first: an answer that took long would be reused. */
const read = async (actor = chief, query = '', slug = 'pendaftaran-prodi'): Promise<Answer> => {
  await sql`DELETE FROM kept_cards`.execute(t.db)
  const answer = await actor.get(`/reports/${slug}/forecast${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Copies the demo's registrations to `back` years earlier; `enrolling` per cent of the paid ones enrolled later. */
async function addSeason(back: number, enrolling: number) {
  const years = sql`make_interval(days => ${365 * back})`
  const code = sql.raw(`'${'L'.repeat(back)}'`)
  await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
    SELECT ${code} || code, (left(academic_year, 4)::int - ${back}) || '/' || (right(academic_year, 4)::int - ${back}), name, semester_code,
      opens_at - ${years}, closes_at - ${years} FROM waves WHERE code NOT LIKE 'L%'`.execute(t.owner)
  await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, submitted_at, paid_at, created_at)
    SELECT ${code} || r.code, r.applicant_id, r.account_id, l.id, r.track_id, r.entry_level_id, r.class_programme_id, r.programme_id,
      'paid', r.submitted_at - ${years}, r.paid_at - ${years}, r.created_at - ${years}
    FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN waves l ON l.code = ${code} || w.code
    WHERE r.code NOT LIKE 'L%' AND r.paid_at IS NOT NULL`.execute(t.owner)
  await sql`INSERT INTO registration_steps (registration_id, step, at)
    SELECT id, s.step, s.at FROM (SELECT *, row_number() OVER (ORDER BY code) AS n FROM registrations WHERE code LIKE ${'L'.repeat(back)} || '%'
        AND code NOT LIKE ${'L'.repeat(back + 1)} || '%') r
    CROSS JOIN LATERAL (VALUES ('started', r.created_at), ('submitted', r.submitted_at), ('paid', r.paid_at),
      ('enrolled', CASE WHEN r.n % 100 < ${enrolling} THEN now() - ${years} + interval '40 days' END)) s (step, at)
    WHERE s.at IS NOT NULL`.execute(t.owner)
}

describe('a forecast', () => {
  it('is missing without an earlier season', async () => {
    const { data } = await read()
    expect(data).toMatchObject({ earlier: [], lines: [], total: null, tested: null })
    expect(data.year).toMatch(/^\d{4}\/\d{4}$/)
  })

  it('with one earlier season gives a forecast but no test of the method', async () => {
    await addSeason(1, 30)
    const { data } = await read()
    expect(data.earlier).toHaveLength(1)
    expect(data.tested).toBeNull()
    expect(data.lines.length).toBeGreaterThan(5)
    for (const { low, expected, high, enrolled } of data.lines) {
      expect(low).toBeLessThanOrEqual(expected)
      expect(high).toBeGreaterThanOrEqual(expected)
      expect(expected).toBeGreaterThanOrEqual(enrolled)
    }
    expect(data.total!.low).toBeLessThan(data.total!.high)
  })

  it('with two earlier seasons tests the method on last year', async () => {
    await addSeason(2, 60)
    const { data } = await read()
    expect(data.earlier).toHaveLength(2)
    const { rows } = await sql<{
      came: number
    }>`SELECT count(*)::int AS came FROM registration_steps s JOIN registrations r
      ON r.id = s.registration_id WHERE s.step = 'enrolled' AND r.code LIKE 'L%' AND r.code NOT LIKE 'LL%'`.execute(
      t.db,
    )
    expect(data.total!.lastYear!.came).toBe(rows[0]!.came)
    // In the season before last, twice as many enrolled.
    expect(data.total!.lastYear!.expected).toBeGreaterThan(1.5 * data.total!.lastYear!.came)
    expect(data.tested!.of).toBeGreaterThan(5)
  })

  it("agrees with the report's figures and stays the same once days are kept", async () => {
    const counted = await read()
    await keepSeasons(t.db, { now: t.clock.now() })
    const afterwards = await read()
    expect(afterwards.meta.keptUntil).not.toBeNull()
    expect(afterwards.data).toEqual({
      ...counted.data,
      tested: { ...counted.data.tested, at: afterwards.data.tested!.at },
    })
    const figures = (await chief.get('/reports/pendaftaran-prodi/figures?compare=no')).json().data
    for (const { programmeId, submitted, enrolled } of afterwards.data.lines) {
      const line = figures.lines.find(({ keys }: { keys: Record<string, string> }) => keys.programme === programmeId)
      expect([submitted, enrolled]).toEqual([line?.values.submitted ?? 0, line?.values.enrolled ?? 0])
    }
    expect(afterwards.data.total!.submitted).toBe(figures.total.values.submitted)
  })

  it('shows a limited role its own study programmes only, with the same figures as for others', async () => {
    const all = (await read()).data.lines
    const [own] = all
    const dean = await asWithPermissions(t, ['laporan-pendaftaran-prodi'], { programmeIds: [own!.programmeId] })
    const { data } = await read(dean)
    expect(data.lines).toEqual([own])
    expect(data.total!.submitted).toBe(own!.submitted)
  })

  it('does not reveal an unpublished acceptance for another study programme', async () => {
    const { rows } = await sql<{ id: string; first: string; wave: string; track: string; was: Date }>`
      SELECT r.id, rc.programme_id AS first, r.wave_id AS wave, r.track_id AS track, p.publish_at AS was
      FROM registrations r JOIN registration_choices rc ON rc.registration_id = r.id AND rc.position = 1
      JOIN result_publications p ON p.wave_id = r.wave_id AND p.track_id = r.track_id
      WHERE r.status = 'decided' AND r.decision = 'accepted' AND r.code NOT LIKE 'L%' ORDER BY r.code LIMIT 1`.execute(
      t.db,
    )
    const [{ id, first, wave, track, was }] = rows as [(typeof rows)[number]]
    const publish = (at: Date) =>
      sql`UPDATE result_publications SET publish_at = ${at} WHERE wave_id = ${wave} AND track_id = ${track}`.execute(
        t.owner,
      )
    await publish(new Date(t.clock.now().getTime() + 3_600_000))
    const reader = await asWithPermissions(t, ['laporan-pendaftaran-prodi'])
    const before = (await read(reader)).data.lines
    await sql`UPDATE registrations SET programme_id = (SELECT p.id FROM study_programmes p WHERE p.id <> ${first} ORDER BY p.name LIMIT 1)
      WHERE id = ${id}`.execute(t.owner)
    await sql`INSERT INTO registration_steps (registration_id, step, at, from_programme_id, from_class_programme_id)
      SELECT id, 'moved', now(), ${first}, class_programme_id FROM registrations WHERE id = ${id}`.execute(t.owner)
    expect((await read(reader)).data.lines).toEqual(before)
    expect((await read()).data.lines).not.toEqual(before)
    await publish(new Date(t.clock.now().getTime() - 3_600_000))
    expect((await read(reader)).data.lines).toEqual((await read()).data.lines)
    // A publication shows nothing about applicants who withdrew before it.
    const end = (status: string, from: string | null, at: Date | null) =>
      sql`UPDATE registrations SET status = ${status}, closed_from = ${from}, closed_at = ${at} WHERE id = ${id}`.execute(
        t.owner,
      )
    await end('withdrawn', 'decided', new Date(t.clock.now().getTime() - 7_200_000))
    expect((await read(reader)).data.lines).toEqual(before)
    await end('decided', null, null)
    await publish(was)
  })

  it('applies filters of places and programmes and refuses others', async () => {
    const { data } = await read()
    const [line] = data.lines
    expect((await read(chief, `?programmeId=${line!.programmeId}`)).data.lines).toEqual([line])
    const wave = await t.db
      .selectFrom('waves')
      .select('id')
      .where('academicYear', '=', data.year!)
      .orderBy('opensAt')
      .executeTakeFirstOrThrow()
    const ofWave = (await read(chief, `?waveId=${wave.id}`)).data
    expect(ofWave.total!.submitted).toBeLessThanOrEqual(data.total!.submitted)
    const track = await t.db.selectFrom('tracks').select('id').orderBy('name').executeTakeFirstOrThrow()
    expect((await read(chief, `?trackId=${track.id}`)).data.total?.places ?? null).toBeNull()
    for (const query of ['?from=2026-01-01', '?year=2026/2027', '?waveId=x', '?by=programme'])
      expect((await chief.get(`/reports/pendaftaran-prodi/forecast${query}`)).statusCode, query).toBe(422)
  })

  it('needs the permission of its report', async () => {
    const other = await asWithPermissions(t, ['laporan-total-pendaftaran'])
    expect((await other.get('/reports/pendaftaran-prodi/forecast')).statusCode).toBe(403)
    expect((await other.get('/reports/pendaftaran-prodi/forecast/export')).statusCode).toBe(403)
    expect((await read(other, '', 'total-pendaftaran')).data.lines).toEqual((await read()).data.lines)
  })

  it('is exported as shown on the page', async () => {
    const { data } = await read()
    const file = await chief.get('/reports/pendaftaran-prodi/forecast/export?format=csv')
    expect(file.statusCode, file.body).toBe(200)
    const rows: string[][] = parse(file.body, { bom: true, delimiter: file.body.includes(';') ? ';' : ',' })
    expect(rows).toHaveLength(data.lines.length + 2)
    expect(
      rows
        .at(-1)!
        .slice(1)
        .map((text) => Number(text.replaceAll('.', ''))),
    ).toEqual([
      ...(['submitted', 'enrolled', 'places', 'low', 'expected', 'high'] as const).map((key) => data.total![key]),
      ...(['low', 'expected', 'high', 'came'] as const).map((key) => data.total!.lastYear![key]),
    ])
    expect((await chief.get('/reports/pendaftaran-prodi/forecast/export?format=csv&columns=color')).statusCode).toBe(
      422,
    )
  })
})

describe('keeping the seasons on demand', () => {
  it('is allowed for users who check the books of the whole university', async () => {
    const reader = await asWithPermissions(t, ['laporan-pendaftaran-prodi'])
    expect((await reader.post('/seasons/keep')).statusCode).toBe(403)
    const { lines } = (await read()).data
    const dean = await asWithPermissions(t, ['ops-invariants'], { programmeIds: [lines[0]!.programmeId] })
    expect((await dean.post('/seasons/keep')).statusCode).toBe(403)
    t.clock.set(new Date(t.clock.now().getTime() + 2 * 86_400_000))
    const keeper = await asWithPermissions(t, ['ops-invariants'])
    const answer = await keeper.post('/seasons/keep')
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.days).toBe(2)
    expect((await keeper.post('/seasons/keep')).json().data.days).toBe(0)
    const { rows } = await sql<{
      actor: string
    }>`SELECT actor_id AS actor FROM audit_log WHERE action = 'season.keep' AND actor_id IS NOT NULL`.execute(t.db)
    expect(rows).toEqual([{ actor: keeper.accountId }])
    t.clock.reset()
  })
})
