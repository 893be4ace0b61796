import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calendarOf } from '#domain/calendar.ts'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { revertDecision } from '#server/modules/admissions/results/decide-registration.ts'
import { moveStep, recordSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { studentReportRows } from '#server-test/factories/student-reports.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { isWhole, sampleOf } from '#testing/form.ts'
import { allPages } from '#web/app/all-pages.mjs'
import { readQuestion, yearBefore } from './engine/read-question.ts'
import { rowsBehind, runReport } from './engine/run-report.ts'
import { daysBetween, reached } from './facts/registration-facts.ts'
import { reports } from './index.ts'
import { receivables } from './piutang-va.report.ts'
import { defineReport, type FigureName, type Measure } from './report.ts'

/**
 * Compares figures of reports with their lists and the books. Totals are compared in every run; the seed picks one line
 * of each question, two figures whose long files are read, and a file format besides CSV.
 */
let t: TestApp
let chief: TestActor
const day = 86_400_000

type Figures = {
  data: { lines: ReportLine[]; total: ReportLine }
  meta: { by: string[]; asOf: string; year: string | null }
}

const get = async (url: string, actor = chief) => {
  const answer = await actor.get(url)
  expect(answer.statusCode, `${url} ${answer.body}`).toBe(200)
  return answer.json()
}
const figures = (slug: string, query: Record<string, string> = {}, actor = chief): Promise<Figures> =>
  get(`/reports/${slug}/figures?${new URLSearchParams(query)}`, actor)
const behind = (
  slug: string,
  figure: string,
  keys: ReportLine['keys'],
  query: Record<string, string> = {},
  actor = chief,
) =>
  get(
    `/reports/${slug}/rows?${new URLSearchParams({ ...query, figure, cell: writeCell(keys), per_page: '100' })}`,
    actor,
  )

beforeAll(async () => {
  t = await demoApp()
  await aYearEarlier()
  chief = await asStaff(t)
  await studentReportRows(t, chief.accountId)
}, 240_000)
afterAll(() => t.close())

/** Inserts a hundred registrations of the first wave a year earlier, for comparison. */
async function aYearEarlier() {
  await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
    SELECT 'L' || code, (left(academic_year, 4)::int - 1) || '/' || left(academic_year, 4), name, semester_code, opens_at - interval '1 year',
      closes_at - interval '1 year' FROM waves WHERE code = 'G1'`.execute(t.owner)
  await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, submitted_at, paid_at, created_at)
    SELECT 'L' || r.code, r.applicant_id, r.account_id, w.id, r.track_id, r.entry_level_id, r.class_programme_id, r.programme_id, 'paid',
      r.submitted_at - interval '1 year', r.paid_at - interval '1 year', r.created_at - interval '1 year'
    FROM registrations r JOIN waves w ON w.code = 'LG1' WHERE r.paid_at IS NOT NULL ORDER BY r.code LIMIT 100`.execute(
    t.owner,
  )
  await sql`SELECT fill_registration_steps()`.execute(t.owner)
}

const isFromRows = ({ percentile, aggregate }: Measure) => Boolean(percentile ?? aggregate)

const questions: Record<string, Record<string, string>[]> = {
  'pendaftaran-prodi': [{}, { by: 'programme,classProgramme' }, { by: 'wave', from: '2000-01-01' }],
  camaba: [{}, { by: 'programme' }],
  'ukuran-almamater': [{}, { by: 'size,gender' }, { by: 'programme' }],
  'camaba-cbt': [{}, { by: 'attendance' }, { by: 'programme' }],
  'hasil-kelulusan': [{}, { by: 'result' }, { by: 'track' }],
  'hasil-cbt': [{}, { by: 'test' }, { by: 'session' }],
  'berkas-sim': [{}, { by: 'fileState' }, { by: 'fileKind' }],
  'status-berkas-pendaftaran': [{ by: 'reason' }, { by: 'reviewer,day' }, { by: 'documentState' }, {}],
  'npm-mahasiswa': [{}, { by: 'series' }],
  'piutang-va': [{}, { by: 'billKind,wave' }],
  'jumlah-pendaftaran': [{}, { by: 'track,stage', figure: 'paid' }, { by: 'wave,classProgramme', figure: 'accepted' }],
}

it('each report has a page, and each report page has a report', () => {
  const pagePaths = allPages.map(({ path }) => path).filter((path) => path.startsWith('/laporan/'))
  expect(pagePaths.toSorted()).toEqual(reports.map(({ slug }) => `/laporan/${slug}`).toSorted())
})

describe.each(Object.keys(questions).map((slug) => [slug] as const))('the report %s', (slug) => {
  it('lists as many rows, and as much money, as each figure says', async () => {
    for (const query of questions[slug]!) {
      const { data } = await figures(slug, query)
      expect(data.lines.length, slug).toBeGreaterThan(1)
      const some = isWhole
        ? data.lines.filter((_, index) => index % Math.ceil(data.lines.length / 5) === 0)
        : sampleOf(`${slug} ${new URLSearchParams(query)}`, data.lines, 1)
      for (const line of [...some, data.total])
        for (const [figure, value] of Object.entries(line.values)) {
          const { measures } = reports.find((report) => report.slug === slug)!
          const measure = measures[figure as keyof typeof measures]
          if (value === null || !measure || isFromRows(measure) || (query.figure ?? figure) !== figure) continue
          if (slug === 'jumlah-pendaftaran' && figure !== (query.figure ?? 'submitted')) continue
          const { data: rows, meta } = await behind(slug, figure, line.keys, query)
          expect(measure.sum ? meta.sum : meta.total, `${JSON.stringify(line.labels)} ${figure}`).toBe(value)
          expect(rows.length).toBe(Math.min(meta.total, 100))
        }
    }
  })

  it('lists as many rows of the year before as its figure says', async () => {
    const { data } = await figures(slug)
    for (const line of [data.total, ...sampleOf(`${slug} before`, data.lines.slice(0, 3), 1)])
      for (const [figure, value] of Object.entries(line.before!)) {
        const measure = reports.find((report) => report.slug === slug)!.measures[figure as 'started']
        if (value === null || !measure || isFromRows(measure)) continue
        if (slug === 'jumlah-pendaftaran' && figure !== 'submitted') continue
        const { meta } = await behind(slug, figure, line.keys, { moment: 'before' })
        expect(measure.sum ? meta.sum : meta.total, `${JSON.stringify(line.labels)} ${figure}`).toBe(value)
      }
    const query = new URLSearchParams({ figure: Object.keys(data.total.values)[0]!, moment: 'before', compare: 'no' })
    expect((await chief.get(`/reports/${slug}/rows?${query}`)).statusCode).toBe(422)
  })

  it('adds up: lines sum to the total in both years', async () => {
    for (const query of questions[slug]!) {
      const { data, meta } = await figures(slug, query)
      const whole = data.lines.filter(({ keys }) => Object.keys(keys).length === meta.by.length)
      const { shares = {}, measures } = reports.find((report) => report.slug === slug)!
      for (const part of ['values', 'before'] as const)
        for (const [figure, total] of Object.entries(data.total[part]!)) {
          if (total === null || figure in shares || figure === 'ofTotal') continue
          if (isFromRows(measures[figure as keyof typeof measures]!)) continue
          expect(
            whole.reduce((sum, line) => sum + (line[part]![figure] ?? 0), 0),
            figure,
          ).toBe(total)
        }
    }
  })

  it('shows a dean only the programmes of the faculty, in lines, rows, choices and exports', async () => {
    const [programme] = (
      await sql<{
        id: string
        name: string
      }>`SELECT p.id, p.name FROM registrations r JOIN study_programmes p ON p.id = r.programme_id
        GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1`.execute(t.db)
    ).rows
    const dean = await asWithPermissions(t, [`laporan-${slug}`], { programmeIds: [programme!.id] })
    const by = slug === 'jumlah-pendaftaran' ? 'programme,wave' : 'programme'
    const { data } = await figures(slug, { by }, dean)
    const programmeLines = data.lines.filter(({ keys }) => 'programme' in keys)
    expect([...new Set(programmeLines.map(({ keys }) => keys.programme))]).toEqual([programme!.id])
    const all = await figures(slug, { by })
    const figure = Object.keys(data.total.values)[0]!
    expect(data.total.values[figure]).toBeLessThan(all.data.total.values[figure]!)
    const rows = await behind(slug, figure, {}, { by }, dean)
    expect(new Set(rows.data.map(({ cells }: { cells: { programme: string } }) => cells.programme))).toEqual(
      new Set([programme!.name]),
    )
    const { data: described } = await get(`/reports/${slug}`, dean)
    expect(described.filters.find(({ key }: { key: string }) => key === 'programmeId').choices).toHaveLength(1)
    const { body } = await dean.get(`/reports/${slug}/rows/export?figure=${figure}&format=csv`)
    expect(
      parse(body, { bom: true, relax_column_count: true, delimiter: body.includes(';') ? ';' : ',' }),
    ).toHaveLength(rows.meta.total + 1)
  })

  it('needs its own permission, whatever other permissions the reader has', async () => {
    const other = await asWithPermissions(
      t,
      reportSlugs.filter((name) => name !== slug).map((name) => `laporan-${name}`),
    )
    for (const path of ['', '/figures', '/rows?figure=submitted', '/export', '/rows/export?figure=submitted'])
      expect((await other.get(`/reports/${slug}${path}`)).statusCode, path).toBe(403)
  })

  it('refuses unknown filters, groups and figures', async () => {
    for (const query of [
      'by=nothing',
      'by=programme,programme',
      'waveId=x',
      'from=2026-13-01',
      'year=2026',
      'color=red',
    ])
      expect((await chief.get(`/reports/${slug}/figures?${query}`)).statusCode, query).toBe(422)
    for (const query of [
      'figure=nothing',
      'figure=owned',
      `figure=submitted&cell=${'%25'}`,
      'cell=nothing:1&figure=submitted',
    ])
      expect((await chief.get(`/reports/${slug}/rows?${query}`)).statusCode, query).toBe(422)
  })

  it('exports the same lines, columns and figures, with total and filters', async () => {
    const query = questions[slug]!.at(-1)!
    const { data, meta } = await figures(slug, { ...query, compare: 'no' })
    const file = await chief.get(
      `/reports/${slug}/export?${new URLSearchParams({ ...query, compare: 'no', format: 'csv' })}`,
    )
    expect(file.statusCode, file.body).toBe(200)
    const rows: string[][] = parse(file.body, { bom: true, delimiter: file.body.includes(';') ? ';' : ',' })
    const numberIn = (text: string) => Number(text.replace(/[^\d,-]/g, '').replace(',', '.') || 'NaN')
    const whole = data.lines.filter(({ keys }) => Object.keys(keys).length === meta.by.length)
    if (slug === 'jumlah-pendaftaran') {
      const down = data.lines.filter(({ keys }) => Object.keys(keys).join() === meta.by[0])
      expect(rows).toHaveLength(down.length + 2)
      expect(numberIn(rows.at(-1)!.at(-1)!)).toBe(data.total.values[query.figure!])
      return
    }
    expect(rows).toHaveLength(whole.length + 2)
    for (const [index, line] of whole.entries()) {
      expect(rows[index + 1]!.slice(0, meta.by.length)).toEqual(meta.by.map((name) => line.labels[name]))
      const { measures } = reports.find((report) => report.slug === slug)!
      for (const [place, [name, measure]] of Object.entries(measures).entries()) {
        if (isFromRows(measure)) continue
        expect(numberIn(rows[index + 1]![meta.by.length + place]!), name).toBe(line.values[name] ?? Number.NaN)
      }
    }
    const [first, second] = Object.keys(data.total.values)
    const chosen = await chief.get(
      `/reports/${slug}/export?${new URLSearchParams({ ...query, columns: `${second},${first}`, compare: 'no', format: 'csv' })}`,
    )
    expect(parse(chosen.body, { bom: true, delimiter: chosen.body.includes(';') ? ';' : ',' })[0]).toHaveLength(
      meta.by.length + 2,
    )
    expect((await chief.get(`/reports/${slug}/export?columns=nothing`)).statusCode).toBe(422)
    for (const format of sampleOf(`${slug} format`, ['xlsx', 'pdf'], 1))
      expect((await chief.get(`/reports/${slug}/export?format=${format}`)).statusCode).toBe(200)
    const last = await t.db
      .selectFrom('exports')
      .select(['list', 'filterWords'])
      .orderBy('startedAt', 'desc')
      .executeTakeFirstOrThrow()
    expect(last.list).toBe(`laporan-${slug}`)
    expect(last.filterWords).toMatch(/^As of: /)
  })
})

const studentReports = [
  ...(['ukuran-almamater', 'camaba-cbt', 'hasil-kelulusan', 'hasil-cbt', 'berkas-sim'] as const),
  ...(['status-berkas-pendaftaran', 'npm-mahasiswa'] as const),
]

describe.each(studentReports)('the figures of %s', (slug) => {
  it('are all above zero in the test data', async () => {
    const found: Record<string, number | null> = {}
    for (const query of questions[slug]!)
      for (const [name, value] of Object.entries((await figures(slug, query)).data.total.values)) found[name] ||= value
    expect(Object.entries(found).flatMap(([name, value]) => (value ? [] : [name]))).toEqual([])
  })
})

describe('a past day', () => {
  const total = async (slug: string, query: Record<string, string> = {}) => (await figures(slug, query)).data

  it("has that day's figures, even after a decision was reverted and a registration moved to another programme", async () => {
    const yesterday = new Date(t.clock.now().getTime() - day).toISOString().slice(0, 10)
    const before = await total('pendaftaran-prodi', { to: yesterday })
    const today = await total('pendaftaran-prodi')
    const people = await t.db
      .selectFrom('registrations as r')
      .innerJoin('waves as w', 'w.id', 'r.waveId')
      .select(['r.id', 'r.programmeId', 'r.classProgrammeId'])
      .where('r.status', '=', 'decided')
      .where('r.decision', '=', 'accepted')
      .limit(2)
      .execute()
    const [reverted, mover] = people as [(typeof people)[number], (typeof people)[number]]
    const { id: otherProgramme } = await t.db
      .selectFrom('studyProgrammes')
      .select('id')
      .where(
        'id',
        'not in',
        people.map(({ programmeId }) => programmeId!),
      )
      .executeTakeFirstOrThrow()
    const now = t.clock.now()
    await inTransaction(t.services, { ...systemActor, accountId: chief.accountId }, async (context) => {
      const { tx } = context
      await revertDecision(context, reverted.id, 'keliru')
      await tx
        .updateTable('registrations')
        .set({ programmeId: otherProgramme, acceptedProgrammeId: otherProgramme })
        .where('id', '=', mover.id)
        .execute()
      await recordSteps(tx, systemActor, mover.id, [moveStep(mover.programmeId, mover.classProgrammeId, now)])
    })
    const after = await total('pendaftaran-prodi', { to: yesterday })
    const named = ({ lines }: typeof before) => lines.map(({ labels, values }) => ({ ...labels, ...values }))
    expect(named(after)).toEqual(named(before))
    const changed = await total('pendaftaran-prodi')
    expect(changed.total.values.accepted).toBe(today.total.values.accepted! - 1)
    expect(named(changed)).not.toEqual(named(today))
  })

  it('counts a step in the period in which it was taken', async () => {
    const whole = await total('jumlah-pendaftaran')
    const middle = new Date(t.clock.now().getTime() - 50 * day).toISOString().slice(0, 10)
    const nextDay = new Date(Date.parse(middle) + day).toISOString().slice(0, 10)
    const [first, second] = [
      await total('jumlah-pendaftaran', { to: middle }),
      await total('jumlah-pendaftaran', { from: nextDay }),
    ]
    expect(first.total.values.submitted).toBeGreaterThan(0)
    expect(first.total.values.submitted! + second.total.values.submitted!).toBe(whole.total.values.submitted)
  })

  it('by calendar is compared with the same day a year before, never with the whole year', async () => {
    const { total: line } = await total('pendaftaran-prodi', { by: 'wave', compare: 'calendar' })
    const figureBefore = line.before!.started!
    expect(figureBefore).toBe(100)
    const early = new Date(t.clock.now().getTime() - 60 * day).toISOString().slice(0, 10)
    const { total: then } = await total('pendaftaran-prodi', { by: 'wave', to: early, compare: 'calendar' })
    expect(then.before!.started).toBeLessThan(figureBefore)
    const { rows } = await sql<{
      many: number
    }>`SELECT count(*)::int AS many FROM registrations r JOIN waves w ON w.id = r.wave_id
      WHERE w.code = 'LG1' AND r.created_at < ((${early}::date + 1) - interval '1 year') AT TIME ZONE 'Asia/Jakarta'`.execute(
      t.db,
    )
    expect(then.before!.started).toBe(rows[0]!.many)
    expect((await total('pendaftaran-prodi', { compare: 'no' })).total.before).toBeNull()
    expect(yearBefore(new Date('2028-02-29T18:00:00Z'), calendarOf('Asia/Jakarta'))).toEqual(
      new Date('2027-02-28T18:00:00Z'),
    )
    expect(yearBefore(new Date('2028-02-29T05:00:00Z'), calendarOf('Asia/Jakarta'))).toEqual(
      new Date('2027-02-28T05:00:00Z'),
    )
  })
})

describe('receivables', () => {
  const owedAt = async (now: Date, to?: string) => {
    const question = await readQuestion(t.db, receivables, { compare: 'no', ...(to && { to }) }, now)
    const lines = await runReport(t.db, receivables, systemActor, question)
    return lines.find(({ keys }) => Object.keys(keys).length === 0)!.values
  }

  it('equal the books, part by part', async () => {
    expect((await checkInvariants(t.services)).slice(0, 3)).toEqual([])
    const { rows } = await sql<{ owed: number }>`SELECT sum(l.sum - coalesce(a.sum, 0))::bigint AS owed FROM bills b
      JOIN (SELECT bill_id, sum(amount) FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
      LEFT JOIN (SELECT bill_id, sum(amount) FROM allocations GROUP BY 1) a ON a.bill_id = b.id
      WHERE b.status NOT IN ('cancelled', 'waived', 'guaranteed')`.execute(t.db)
    const { owed, ofTotal: _, ...ages } = (await figures('piutang-va')).data.total.values
    expect(owed).toBe(Number(rows[0]!.owed))
    expect(Object.values(ages).reduce<number>((sum, value) => sum + value!, 0)).toBe(owed)
  })

  it('age with their due dates, and are the same again for a past day', async () => {
    const today = t.clock.now()
    const later = new Date(today.getTime() + 45 * day)
    const [before, after] = [await owedAt(today), await owedAt(later)]
    expect(after.owed).toBe(before.owed)
    expect(after.late60! + after.late30!).toBeGreaterThan(before.late60! + before.late30!)
    const open = await t.db
      .selectFrom('bills')
      .select(['registrationId', 'total'])
      .where('status', '=', 'open')
      .where('kind', '=', 'registration_fee')
      .executeTakeFirstOrThrow()
    t.clock.set(later)
    await inTransaction(t.services, systemActor, (context) =>
      cancelBills(context, open.registrationId, 'keluar', 'registration_fee'),
    )
    t.clock.reset()
    expect((await owedAt(later)).owed).toBe(before.owed! - open.total)
    expect((await owedAt(later, new Date(later.getTime() - day).toISOString().slice(0, 10))).owed).toBe(before.owed)
  })
})

describe('the list behind a figure', () => {
  const rowsOf = (query: Record<string, string>, actor = chief) => behind('camaba', 'submitted', {}, query, actor)
  const cells = ({ data }: { data: { cells: Record<string, string> }[] }, column: string) =>
    data.map((row) => row.cells[column])

  it('can be searched by name or code, and its export has the same rows', async () => {
    const all = await rowsOf({})
    const term = all.data[3].cells.name.split(' ').at(-1)
    const found = await rowsOf({ search: term })
    expect(found.meta.total).toBeGreaterThan(0)
    expect(found.meta.total).toBeLessThan(all.meta.total)
    expect(cells(found, 'name').every((name) => name!.includes(term))).toBe(true)
    const file = await chief.get(`/reports/camaba/rows/export?format=csv&figure=submitted&search=${term}`)
    expect(
      parse(file.body, { bom: true, relaxColumnCount: true }).filter((row: string[]) => row.join().includes(term))
        .length,
    ).toBeGreaterThanOrEqual(found.meta.total)
    expect((await rowsOf({ search: '100%_' })).meta.total).toBe(0)
  })

  it('can be sorted by each of its columns in both directions; other columns are refused', async () => {
    const up = cells(await rowsOf({ sort: 'code' }), 'code')
    const down = cells(await rowsOf({ sort: '-code' }), 'code')
    expect(up).toEqual(up.toSorted())
    expect(down).toEqual(down.toSorted().reverse())
    const refused = await chief.get('/reports/camaba/rows?sort=nik')
    expect(refused.statusCode).toBe(422)
  })
})

describe('contacts', () => {
  it('are masked for readers who may not edit registrations, also in exports', async () => {
    const reader = await asWithPermissions(t, ['laporan-camaba'])
    const editor = await asWithPermissions(t, ['laporan-camaba', 'pendaftaran-edit', 'pendaftaran-view'])
    const [short] = (await behind('camaba', 'submitted', {}, {}, reader)).data
    const [full] = (await behind('camaba', 'submitted', {}, {}, editor)).data
    expect(short.cells.code).toBe(full.cells.code)
    expect(short.cells.phone).toMatch(/^\+6281\d\*{4}\d{3}$/)
    expect(short.cells.email).toMatch(/^.\*{3}@demo\.test$/)
    expect(full.cells.phone).toMatch(/^\+62812\d{8}$/)
    expect([short.path, full.path]).toEqual([null, `/pendaftaran/${full.id}`])
    const { body } = await reader.get('/reports/camaba/rows/export?figure=submitted&format=csv')
    expect(body).not.toContain(full.cells.phone)
    expect(body).toContain('***@demo.test')
  })
})

describe('a percentile', () => {
  const waiting = defineReport({
    slug: 'status-pendaftaran',
    shape: 'lines',
    groups: ['programme', 'wave'],
    by: ['wave'],
    measures: { paid: reached('paid'), medianDays: daysBetween('submitted', 'paid', 0.5) },
    filters: ['year'],
    year: 'current',
    columns: ['code'],
  })

  it('is computed per line, and for the total from all rows', async () => {
    const question = await readQuestion(t.db, waiting, { compare: 'season', year: 'all' }, t.clock.now())
    const lines = await runReport(t.db, waiting, systemActor, question)
    for (const line of lines) {
      const { rows } = await sql<{ days: number }>`SELECT percentile_cont(0.5) WITHIN GROUP
          (ORDER BY extract(epoch FROM paid_at - submitted_at) / 86400)::float8 AS days FROM registrations
        WHERE paid_at IS NOT NULL AND (${line.keys.wave ?? null}::uuid IS NULL OR wave_id = ${line.keys.wave ?? null})`.execute(
        t.db,
      )
      expect(line.values.medianDays).toBeCloseTo(rows[0]!.days, 9)
      const { count } = rowsBehind(waiting, systemActor, question, { figure: 'medianDays', keys: line.keys })
      expect((await count.execute(t.db)).rows[0]!.total).toBe(line.values.paid)
    }
    expect(lines.length).toBeGreaterThan(2)
  })
})

describe('a long file of rows', () => {
  it.each(reports.map((report) => [report.slug, report] as const))(
    'has the rows of the pages of %s, with contacts as the reader may see them',
    async (_, report) => {
      const question = await readQuestion(t.db, report, { compare: 'no', year: 'all' }, t.clock.now())
      const readers = [systemActor, { ...systemActor, permissions: new Set<string>() }]
      for (const figure of sampleOf(report.slug, Object.keys(report.measures) as FigureName[], 2))
        for (const reader of readers) {
          const { rows, allRows, hasMoreThan, count } = rowsBehind(report, reader, question, { figure, keys: {} })
          const [paged, joined] = [await sql`${rows}`.execute(t.db), await sql`${allRows}`.execute(t.db)]
          expect(joined.rows).toEqual(paged.rows)
          const { total } = (await count.execute(t.db)).rows[0]!
          const hasMore = async (many: number) => (await hasMoreThan(many).execute(t.db)).rows[0]!.more
          expect([await hasMore(total), total > 0 && (await hasMore(total - 1))]).toEqual([false, total > 0])
        }
    },
  )
})
