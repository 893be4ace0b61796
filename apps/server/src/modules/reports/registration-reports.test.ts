import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { revertDecision } from '#server/modules/admissions/results/decide-registration.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { pastTriggers, type TestApp } from '#server-test/test-app.ts'
import { readQuestion } from './engine/read-question.ts'
import { runReport } from './engine/run-report.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

let t: TestApp
let chief: TestActor

type Figures = { data: { lines: ReportLine[]; total: ReportLine } }
const get = async (url: string) => {
  const answer = await chief.get(url)
  expect(answer.statusCode, `${url} ${answer.body.slice(0, 300)}`).toBe(200)
  return answer.json()
}
const figures = async (slug: string, query: Record<string, string> = {}) =>
  (await (get(`/reports/${slug}/figures?${new URLSearchParams({ compare: 'no', ...query })}`) as Promise<Figures>)).data
const behind = (slug: string, figure: string, keys: ReportLine['keys'], query: Record<string, string> = {}) =>
  chief.get(`/reports/${slug}/rows?${new URLSearchParams({ compare: 'no', ...query, figure, cell: writeCell(keys) })}`)

beforeAll(async () => {
  t = await demoApp()
  chief = await asStaff(t)
}, 240_000)
afterAll(() => t.close())

describe('registrations over time', () => {
  it('count each step in its own period and add up to the total', async () => {
    for (const by of ['day', 'week', 'month']) {
      const { lines, total } = await figures('total-pendaftaran', { by })
      for (const figure of ['started', 'submitted', 'paid', 'enrolled'])
        expect(lines.reduce((sum, { values }) => sum + values[figure]!, 0)).toBe(total.values[figure])
      const keys = lines.map((line) => line.keys[by]!)
      expect(keys).toEqual(keys.toSorted())
    }
  })

  it('have running totals whose rows include everything up to the end of the line', async () => {
    const { lines } = await figures('total-pendaftaran', { by: 'day' })
    const middle = lines[Math.floor(lines.length / 2)]!
    const before = lines.slice(0, lines.indexOf(middle) + 1)
    expect(middle.values.submittedSoFar).toBe(before.reduce((sum, { values }) => sum + values.submitted!, 0))
    const rows = (await behind('total-pendaftaran', 'submittedSoFar', middle.keys, { by: 'day' })).json()
    expect(rows.meta.total).toBe(middle.values.submittedSoFar)
  })

  it('keep an undone step on its day when an earlier day is shown', async () => {
    const decisions = defineReport({
      slug: 'total-pendaftaran',
      shape: 'lines',
      groups: ['day'],
      by: ['day'],
      measures: { accepted: reached('accepted') },
      filters: ['year', 'to'],
      year: 'all',
      columns: ['code'],
    })
    const yesterday = new Date(t.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    const linesOfYesterday = async () => {
      const question = await readQuestion(t.db, decisions, { compare: 'no', to: yesterday }, t.clock.now())
      return (await runReport(t.db, decisions, systemActor, question)).map(({ keys, values }) => [keys, values])
    }
    const before = await linesOfYesterday()
    const { id } = await t.db
      .selectFrom('registrations')
      .select('id')
      .where('status', '=', 'decided')
      .where('decision', '=', 'accepted')
      .limit(1)
      .executeTakeFirstOrThrow()
    await inTransaction(t.services, { ...systemActor, accountId: chief.accountId }, (context) =>
      revertDecision(context, id, 'keliru'),
    )
    const after = await linesOfYesterday()
    expect(after).toHaveLength(before.length)
    expect(after).toEqual(expect.arrayContaining(before))
  })

  it('align the year before by the day of its season', async () => {
    const { lines, total } = await figures('total-pendaftaran', { by: 'week', compare: 'season' })
    expect(lines.reduce((sum, line) => sum + (line.before?.submitted ?? 0), 0)).toBe(total.before!.submitted)
  })
})

describe('waiting registrations', () => {
  it('are counted once each, by what they wait for', async () => {
    const { total, lines } = await figures('status-pendaftaran', { by: 'waitsFor' })
    const { rows } = await sql<{
      count: number
    }>`SELECT count(*)::int FROM registrations r JOIN waves w ON w.id = r.wave_id
      WHERE r.status NOT IN ('enrolled', 'withdrawn', 'cancelled', 'expired')
        AND NOT (r.status = 'decided' AND r.decision = 'not_accepted')
        AND w.academic_year = (SELECT academic_year FROM waves WHERE code = 'G1' ORDER BY opens_at DESC LIMIT 1)`.execute(
      t.db,
    )
    expect(total.values.waiting).toBe(rows[0]!.count)
    expect(lines.filter(({ values }) => values.waiting! > 0).every(({ keys }) => keys.waitsFor !== null)).toBe(true)
    expect(total.values.medianDays!).toBeLessThanOrEqual(total.values.ninetiethDays!)
    expect(total.values.ninetiethDays!).toBeLessThanOrEqual(total.values.longestDays!)
  })

  it('have days with the two decimals that files write', async () => {
    const { lines, total } = await figures('status-pendaftaran', { by: 'programme' })
    const days = [...lines, total].flatMap(({ values }) => [
      values.medianDays,
      values.ninetiethDays,
      values.longestDays,
    ])
    const known = days.filter((value) => value !== null && value !== undefined)
    expect(known.length).toBeGreaterThan(3)
    expect(known.map((value) => Number(value.toFixed(2)))).toEqual(known)
  })
})

describe('small ethnic groups', () => {
  beforeAll(async () => {
    const names = ['Suku Percontohan', 'Suku Rekaan', 'Suku Teladan']
    await t.owner
      .insertInto('ethnicGroups')
      .values(names.map((name) => ({ name })))
      .execute()
    await sql`UPDATE applicants a SET ethnic_group_id = (SELECT id FROM ethnic_groups WHERE name = CASE
        WHEN n.n <= 3 THEN 'Suku Percontohan' WHEN n.n <= 5 THEN 'Suku Rekaan' ELSE 'Suku Teladan' END)
      FROM (SELECT r.applicant_id, row_number() OVER (ORDER BY r.code) AS n FROM registrations r
        WHERE r.submitted_at IS NOT NULL) n WHERE n.applicant_id = a.id AND n.n <= 40`.execute(t.owner)
  })

  it('are summed in one line, also in the file', async () => {
    const { lines } = await figures('berdasarkan-suku')
    expect(lines.map(({ labels, values }) => [labels.ethnicGroup, values.submitted])).toEqual([
      ['Suku Teladan', 35],
      ['Fewer than 5 each', 5],
      ['None', expect.any(Number)],
    ])
    const { body } = await chief.get('/reports/berdasarkan-suku/export?format=csv&compare=no')
    expect(body).toContain('Fewer than 5 each')
    expect(body).not.toMatch(/Percontohan|Rekaan/)
  })

  it('open as one list without group names, and not one by one', async () => {
    const [teladan, together] = (await figures('berdasarkan-suku')).lines
    const rows = (await behind('berdasarkan-suku', 'submitted', together!.keys)).json()
    expect(rows.meta.total).toBe(5)
    expect(JSON.stringify(rows)).not.toMatch(/Suku/)
    expect((await behind('berdasarkan-suku', 'submitted', teladan!.keys)).json().meta.total).toBe(35)
    const { id } = await t.db
      .selectFrom('ethnicGroups')
      .select('id')
      .where('name', '=', 'Suku Rekaan')
      .executeTakeFirstOrThrow()
    expect((await behind('berdasarkan-suku', 'submitted', { ethnicGroup: id })).statusCode).toBe(404)
  })
})

describe('regions of schools', () => {
  it("open step by step, and a province's cities add up to it", async () => {
    const { lines } = await figures('wilayah-asal-sekolah')
    const province = lines.find(({ keys, values }) => keys.province && values.submitted! > 0)!
    const cities = await figures('wilayah-asal-sekolah', { by: 'city', provinceId: province.keys.province! })
    expect(cities.total.values.submitted).toBe(province.values.submitted)
    const { data } = await get('/reports/wilayah-asal-sekolah')
    expect(data.steps).toEqual([
      { group: 'province', filter: 'provinceId', by: ['city'] },
      { group: 'city', filter: 'cityId', by: ['school', 'agreement'] },
    ])
  })

  it('count a place as paid for once the first instalment is paid', async () => {
    const { total } = await figures('wilayah-asal-sekolah')
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM registrations r
      JOIN bills b ON b.registration_id = r.id AND b.kind = 're_registration' AND b.status <> 'cancelled'
      JOIN installments i ON i.bill_id = b.id AND i.position = 1 WHERE i.paid = i.amount`.execute(t.db)
    expect(total.values.fixBayar).toBe(rows[0]!.count)
  })
})

describe('answers of the questionnaire', () => {
  it('have shares within their question, and own words open as a list', async () => {
    await sql`INSERT INTO questionnaires (account_id, reasons, criteria, sources, other, answered_at)
      SELECT r.account_id, ARRAY['cost', 'other'], ARRAY['quality'], ARRAY['teacher'], 'Dekat rumah nenek', now()
      FROM registrations r WHERE r.submitted_at IS NOT NULL ORDER BY r.code LIMIT 10 ON CONFLICT DO NOTHING`.execute(
      t.owner,
    )
    const { lines, total } = await figures('kuesioner-mahasiswa')
    const shareOf = (answer: string) => lines.find(({ keys }) => keys.answer === answer)!.values.ofTotal
    expect(shareOf('reasons/cost')).toBe(0.5)
    expect(shareOf('criteria/quality')).toBe(1)
    const rows = (await behind('kuesioner-mahasiswa', 'ownWords', total.keys)).json()
    expect(rows.meta.total).toBe(total.values.ownWords)
    expect(rows.data[0].cells.otherAnswer).toBe('Dekat rumah nenek')
  })
})

describe('places paid for', () => {
  it('have the places of active offers as target, or none with a filter that offers lack', async () => {
    const targetOf = async (query: string) =>
      (await get(`/reports/mahasiswa-fix-bayar/figures?compare=no${query}`)).meta.target
    const { rows } = await sql<{ places: number; track: string }>`SELECT sum(d.capacity)::int AS places,
        (SELECT id FROM tracks ORDER BY name LIMIT 1) AS track
      FROM programme_details d JOIN waves w ON w.id = d.wave_id WHERE d.active AND w.academic_year = (SELECT academic_year
        FROM waves WHERE opens_at <= ${t.clock.now()} ORDER BY academic_year DESC LIMIT 1)`.execute(t.db)
    expect(await targetOf('')).toBe(rows[0]!.places)
    expect(await targetOf(`&trackId=${rows[0]!.track}`)).toBeNull()
    expect((await get('/reports/total-pendaftaran/figures')).meta.target).toBeNull()
  })
})

describe('a chart', () => {
  it('of running totals has plain figures for groups that are not periods', async () => {
    const { data } = await get('/reports/total-pendaftaran')
    expect(data.chart).toMatchObject({ of: ['submittedSoFar', 'paidSoFar'], base: ['submitted', 'paid'] })
    const orderOf = (key: string) => data.groups.find((group: { key: string }) => group.key === key)
    expect([orderOf('week'), orderOf('programme')]).toMatchObject([
      { isOrdered: true, isTime: true },
      { isOrdered: false, isTime: false },
    ])
  })
})

describe('academic years', () => {
  it('have the income recorded in the books', async () => {
    const { total } = await figures('per-tahun-akademik')
    const { rows } = await sql<{ sum: number }>`SELECT sum(paid)::float8 AS sum FROM bills`.execute(t.db)
    expect(total.values.income).toBe(rows[0]!.sum)
  })
})

describe('the year before', () => {
  const beforeOf = async (query: Record<string, string>) =>
    (await get(`/reports/total-pendaftaran/figures?${new URLSearchParams(query)}`)).meta.before
  const dayMs = 86_400_000

  beforeAll(async () => {
    await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
      SELECT 'L' || code, (left(academic_year, 4)::int - 1) || '/' || left(academic_year, 4), name, semester_code,
        opens_at - interval '380 days', closes_at - interval '380 days' FROM waves WHERE code IN ('G1', 'G2')
        AND academic_year = (SELECT max(academic_year) FROM waves WHERE opens_at <= ${t.clock.now()})`.execute(t.owner)
  })

  it('is equally far from the close of its season, and reports the difference to the calendar in days', async () => {
    const now = t.clock.now().getTime()
    const season = await beforeOf({})
    expect(season).toMatchObject({ by: 'season' })
    expect((now - Date.parse(season.asOf)) / dayMs).toBeCloseTo(380, 2)
    const calendar = await beforeOf({ compare: 'calendar' })
    expect((now - Date.parse(calendar.asOf)) / dayMs).toBeCloseTo(365, 0)
    expect(calendar).toMatchObject({ by: 'calendar', daysMoved: season.daysMoved })
    expect(season.daysMoved).toBe(Math.round((Date.parse(season.asOf) - Date.parse(calendar.asOf)) / dayMs))
  })

  it('uses the wave at the same place in its year if a wave is chosen', async () => {
    const { rows } = await sql<{ id: string; other: string }>`SELECT w.id, o.id AS other FROM waves w
      JOIN waves o ON o.code = 'L' || w.code WHERE w.code = 'G1'`.execute(t.db)
    await sql`UPDATE registrations SET wave_id = ${rows[0]!.other} WHERE id IN (
      SELECT id FROM registrations WHERE wave_id = ${rows[0]!.id} AND submitted_at < now() - interval '20 days' ORDER BY code LIMIT 7)`.execute(
      t.owner,
    )
    await sql`UPDATE registrations SET submitted_at = submitted_at - interval '380 days' WHERE wave_id = ${rows[0]!.other}`.execute(
      t.owner,
    )
    await pastTriggers(
      t,
      sql`UPDATE registration_steps SET at = at - interval '380 days' WHERE step = 'submitted' AND registration_id IN (
        SELECT id FROM registrations WHERE wave_id = ${rows[0]!.other})`,
    )
    const { total } = await figures('total-pendaftaran', { compare: 'season', waveId: rows[0]!.id })
    expect(total.before!.submitted).toBe(7)
  })

  it('of a wave counts in the line of the wave at the same place, and its rows open there', async () => {
    const { rows: waves } = await sql<{ id: string; name: string }>`SELECT id, name FROM waves
      WHERE academic_year = (SELECT academic_year FROM waves WHERE code = 'G1')`.execute(t.db)
    const { lines } = await figures('pendaftaran-prodi', { by: 'wave', compare: 'season' })
    expect(lines.map(({ labels }) => labels.wave).toSorted()).toEqual(waves.map(({ name }) => name).toSorted())
    const first = lines.find(({ labels }) => labels.wave === waves.find(({ name }) => /1/.test(name))!.name)!
    expect(first.before!.submitted).toBe(7)
    const rows = await behind('pendaftaran-prodi', 'submitted', first.keys, {
      by: 'wave',
      compare: 'season',
      moment: 'before',
    })
    expect(rows.json().meta.total).toBe(7)
    const byTrack = await figures('jumlah-pendaftaran', { by: 'track,wave', compare: 'season' })
    const columns = byTrack.lines.filter(({ keys }) => Object.keys(keys).join() === 'wave')
    expect(columns.map(({ labels }) => labels.wave).toSorted()).toEqual(
      lines.map(({ labels }) => labels.wave).toSorted(),
    )
  })

  it('of a wave without a counterpart has a line that names the year, as lines of all years do', async () => {
    await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
      SELECT 'LAMA' || n, academic_year, 'Tambahan ' || n, semester_code, opens_at + interval '1 day' * n, closes_at
      FROM waves, generate_series(1, 5) n WHERE code = 'LG2'`.execute(t.owner)
    await sql`INSERT INTO programme_details (programme_id, wave_id, class_programme_id, entry_level_id, capacity)
      SELECT DISTINCT ON (w.id) d.programme_id, w.id, d.class_programme_id, d.entry_level_id, 30
      FROM waves w, programme_details d WHERE w.code = 'LAMA5'`.execute(t.owner)
    const { lines } = await figures('pendaftaran-prodi', { by: 'wave', compare: 'season' })
    expect(lines.filter(({ labels }) => labels.wave!.includes('/')).map(({ labels }) => labels.wave)).toEqual([
      expect.stringMatching(/^Tambahan 5 · \d{4}\/\d{4}$/),
    ])
    const everyYear = await figures('pendaftaran-prodi', { by: 'wave', year: 'all' })
    for (const { labels } of everyYear.lines) expect(labels.wave).toMatch(/ · \d{4}\/\d{4}$/)
  })

  it('of a test session counts in the line of the session at the same place in its wave, with its seats', async () => {
    await sql`INSERT INTO test_sessions (wave_id, name, date, start_time, end_time, location, capacity, booking_opens_at, booking_closes_at)
      SELECT o.id, 'Tes lama ' || ts.name, ts.date - 380, ts.start_time, ts.end_time, ts.location, 50, o.opens_at, o.opens_at + interval '1 day'
      FROM test_sessions ts JOIN waves w ON w.id = ts.wave_id JOIN waves o ON o.code = 'L' || w.code WHERE w.code = 'G1'`.execute(
      t.owner,
    )
    const now = await figures('camaba-cbt')
    const { lines, total } = await figures('camaba-cbt', { compare: 'season' })
    expect(lines.map(({ labels }) => labels.session)).toEqual(now.lines.map(({ labels }) => labels.session))
    expect(total.before!.seatCapacity).toBeGreaterThan(0)
    expect(lines.map(({ before }) => before!.seatCapacity)).toContain(50)
  })

  it('for an older address with compare=yes is aligned by season', async () => {
    expect(await beforeOf({ compare: 'yes' })).toMatchObject({ by: 'season' })
  })

  it('is aligned by calendar if there was no season', async () => {
    expect(await beforeOf({ year: '2001/2002' })).toMatchObject({ by: 'calendar', year: '2000/2001' })
  })
})
