import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRoles } from '#domain/access/roles.ts'
import type { ReportDescription, ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { forecastReports } from '#domain/seasons/endpoints.ts'
import { readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { rowsBehind } from '#server/modules/reports/engine/run-report.ts'
import { reports } from '#server/modules/reports/index.ts'
import type { FigureName, Measure, Report } from '#server/modules/reports/report.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import { studentReportRows } from '#server-test/factories/student-reports.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { isWhole, sampleOf, shuffled } from '#testing/form.ts'

/**
 * Every report over the API as every role: who may open it, whose rows it has, and that a figure equals its list. The
 * daily form checks that each role without a report is refused at all its addresses, and compares each figure's total
 * with its list. The seed draws what a role with the report opens, and which other cells are compared.
 */
let t: TestApp
let chief: TestActor
const actors = new Map<string, TestActor>()
/** Cells per report whose lists are opened; a small report is covered completely. */
const cellsPerReport = isWhole ? 60 : 5

beforeAll(async () => {
  t = await demoApp()
  for (const { name } of defaultRoles) actors.set(name, await asStaff(t, name))
  chief = actors.get('Administrator')!
  await studentReportRows(t, chief.accountId)
  await answersAndReferrals()
}, 240_000)
afterAll(() => t.close())

/** Adds answers, an ethnic group and an affiliate to some applicants, which the demo lacks. */
async function answersAndReferrals() {
  const { code } = await anAffiliate(t)
  await sql`INSERT INTO questionnaires (account_id, reasons, criteria, sources, other, answered_at)
    SELECT DISTINCT r.account_id, ARRAY['cost', 'other'], ARRAY['quality'], ARRAY['teacher', 'website'], 'Dekat rumah', now()
    FROM registrations r WHERE r.submitted_at IS NOT NULL AND r.code < '27G1D000040' ON CONFLICT DO NOTHING`.execute(
    t.owner,
  )
  await sql`INSERT INTO ethnic_groups (name) VALUES ('Suku Teladan'), ('Suku Kecil') ON CONFLICT DO NOTHING`.execute(
    t.owner,
  )
  await sql`UPDATE applicants a SET ethnic_group_id = (SELECT id FROM ethnic_groups
      WHERE name = CASE WHEN n.n < 4 THEN 'Suku Kecil' ELSE 'Suku Teladan' END)
    FROM (SELECT applicant_id, row_number() OVER (ORDER BY code) AS n FROM registrations WHERE submitted_at IS NOT NULL) n
    WHERE n.applicant_id = a.id AND n.n < 40`.execute(t.owner)
  await sql`UPDATE registrations SET referral_code = lower(${code}) WHERE code IN (
    SELECT code FROM registrations WHERE submitted_at IS NOT NULL ORDER BY code LIMIT 12)`.execute(t.owner)
}

const addresses = (slug: string) => ({
  description: `/reports/${slug}`,
  figures: `/reports/${slug}/figures`,
  rows: `/reports/${slug}/rows?per_page=1`,
  export: `/reports/${slug}/export?format=csv`,
  'export of rows': `/reports/${slug}/rows/export?format=csv`,
  ...(forecastReports.some((name) => name === slug) && {
    forecast: `/reports/${slug}/forecast`,
    'export of the forecast': `/reports/${slug}/forecast/export?format=csv`,
  }),
})

const read = async <T>(url: string, actor = chief): Promise<T> => {
  const answer = await actor.get(url)
  expect(answer.statusCode, `${url} ${answer.body.slice(0, 300)}`).toBe(200)
  return answer.json()
}
type Figures = { data: { lines: ReportLine[]; total: ReportLine }; meta: { by: string[] } }
type Rows = {
  data: { cells: Record<string, unknown> }[]
  meta: { total: number; sum: number | null; columns: { key: string; label: string; kind: string }[] }
}

describe.each(reportSlugs.map((slug) => [slug] as const))('the report %s', (slug) => {
  const report = reports.find((found) => found.slug === slug)!
  const measures = report.measures as Record<string, Measure>

  it.each(defaultRoles.map(({ name, permissions }) => [name, permissions] as const))(
    'opens for %s with its permission, and otherwise answers 403 everywhere',
    async (role, permissions) => {
      const mayOpen = permissions.includes(`laporan-${slug}`)
      const expected = mayOpen ? 200 : 403
      const urls = Object.entries(addresses(slug))
      for (const [name, url] of mayOpen ? sampleOf(`${slug} ${role}`, urls, 2) : urls)
        expect((await actors.get(role)!.get(url)).statusCode, name).toBe(expected)
    },
  )

  it('has exactly as many rows, or rupiah, in the list behind each figure as the figure says', async () => {
    const description = (await read<{ data: ReportDescription }>(`/reports/${slug}`)).data
    const keys = description.groups.map(({ key }) => key)
    const queries: Record<string, string>[] =
      description.shape === 'pivot'
        ? keys.flatMap((key, index) => [{ by: `${key},${keys[(index + 1) % keys.length]}` }])
        : [{}, ...keys.map((key) => ({ by: key })), { by: keys.slice(0, 2).join() }]
    type Cell = { query: Record<string, string>; line: ReportLine; figure: string; value: number }
    const cells: Cell[] = []
    const totals: Cell[] = []
    for (const query of queries) {
      const { data } = await read<Figures>(
        `/reports/${slug}/figures?${new URLSearchParams({ ...query, compare: 'no' })}`,
      )
      for (const line of [...data.lines, data.total])
        for (const [figure, value] of Object.entries(line.values))
          if (value !== null && measures[figure] && isListed(measures[figure]))
            (line === data.total && query === queries[0] ? totals : cells).push({ query, line, figure, value })
    }
    expect(totals.length + cells.length).toBeGreaterThan(0)
    for (const { query, line, figure, value } of [...totals, ...shuffled(slug, cells).slice(0, cellsPerReport)]) {
      const search = new URLSearchParams({ ...query, figure, cell: writeCell(line.keys), per_page: '1', compare: 'no' })
      const { meta } = await read<Rows>(`/reports/${slug}/rows?${search}`)
      const listed = measures[figure]!.sum ? meta.sum : meta.total
      expect(listed, `${figure} of ${JSON.stringify([query, line.labels])}`).toBe(value)
    }
  }, 120_000)

  it('lists behind each sum only the rows it adds up', async () => {
    const actor = { ...systemActor, accountId: chief.accountId }
    const question = await readQuestion(t.db, report, { compare: 'no', year: 'all' }, t.clock.now())
    for (const [figure, measure] of Object.entries(measures)) {
      if (!measure.sum) continue
      const empty = sql<boolean>`(${measure.where ?? sql`true`}) AND coalesce(${measure.sum}, 0) = 0`
      const withoutValue = { ...report, measures: { [figure]: { ...measure, where: empty } } } as Report
      const { count } = rowsBehind(withoutValue, actor, question, { figure: figure as FigureName, keys: {} })
      expect((await count.execute(t.db)).rows[0]!.total, figure).toBe(0)
    }
  })

  it("gives a dean only rows of the dean's own programmes, and no figure larger than the whole university's", async () => {
    const { rows } = await sql<{ id: string; name: string }>`SELECT p.id, p.name FROM registrations r
      JOIN study_programmes p ON p.id = r.programme_id GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1`.execute(t.db)
    const dean = await asWithPermissions(t, [`laporan-${slug}`], { programmeIds: [rows[0]!.id] })
    const { data } = await read<Figures>(`/reports/${slug}/figures?compare=no`, dean)
    const all = await read<Figures>(`/reports/${slug}/figures?compare=no`)
    for (const [figure, value] of Object.entries(data.total.values)) {
      if (!measures[figure] || !isListed(measures[figure])) continue
      expect(value ?? 0, figure).toBeLessThanOrEqual(all.data.total.values[figure] ?? 0)
      if (value === null) continue
      const listed = await read<Rows>(`/reports/${slug}/rows?figure=${figure}&per_page=100`, dean)
      const programmes = new Set(listed.data.flatMap(({ cells }) => cells.programme ?? []))
      expect(
        [...programmes].filter((name) => name !== rows[0]!.name),
        figure,
      ).toEqual([])
    }
  })

  it.each(['season', 'no'])(
    'has in its file the columns, lines and figures of the screen, compared by %s',
    async (compare) => {
      const description = (await read<{ data: ReportDescription }>(`/reports/${slug}`)).data
      const { data, meta } = await read<Figures>(`/reports/${slug}/figures?compare=${compare}`)
      const file = await readCsv(`/reports/${slug}/export?compare=${compare}&format=csv`)
      const withGroups = (...names: string[]) =>
        data.lines.filter(({ keys }) => Object.keys(keys).sort().join() === names.toSorted().join())
      const both = (line: ReportLine | undefined, name: string, absent: number | null) => [
        line?.values[name] ?? absent,
        ...(data.total.before && name !== 'ofTotal' ? [line?.before?.[name] ?? absent] : []),
      ]
      const expected =
        description.shape === 'pivot'
          ? pivotRows(withGroups, meta.by as [string, string], data.total, (line) =>
              both(line, description.figures[0]!.key, 0),
            )
          : [...withGroups(...meta.by), data.total].map((line) => [
              ...meta.by.map((name, index) => line.labels[name] ?? (line === data.total && index === 0 ? 'Total' : '')),
              ...[...description.figures, ...description.shares].flatMap(({ key }) => both(line, key, null)),
            ])
      expect(file.length - 1).toBe(expected.length)
      for (const [index, line] of expected.entries())
        for (const [place, value] of line.entries()) {
          const cell = file[index + 1]![place]!
          const where = `${file[0]![place]} of ${line[0]}`
          if (typeof value === 'string') expect(cell, where).toBe(value)
          else if (value === null) expect(cell, where).toBe('')
          else expect(cell.endsWith('%') ? Number(cell.slice(0, -1)) / 100 : Number(cell), where).toBeCloseTo(value, 5)
        }
    },
  )

  it("has the same rows in the file as on screen, with applicants' contacts masked for readers who may not edit them", async () => {
    const figure = report.rowsOf?.[0] ?? Object.keys(measures).find((name) => isListed(measures[name]!))!
    const query = `figure=${figure}&compare=no`
    const readers = [chief, await asWithPermissions(t, [`laporan-${slug}`])]
    for (const reader of readers) {
      const { data, meta } = await read<Rows>(`/reports/${slug}/rows?${query}&per_page=100`, reader)
      const [head, ...lines] = await readCsv(`/reports/${slug}/rows/export?${query}&format=csv`, reader)
      expect(lines).toHaveLength(meta.total)
      expect(head).toEqual(meta.columns.map(({ label }) => label))
      for (const [index, { cells }] of data.entries())
        for (const [place, { key, kind }] of meta.columns.entries())
          if (kind === 'text') expect(lines[index]![place]!.replace(/^'/, ''), key).toBe(cells[key] ?? '')
      for (const { cells } of data) {
        const isFull = reader === chief
        if (cells.phone) expect(String(cells.phone), 'phone').toMatch(isFull ? /^\+\d+$/ : /\*{3}/)
        if (cells.email) expect(String(cells.email), 'email').toMatch(isFull ? /^[^*]+@/ : /\*{3}/)
      }
    }
  })
})

async function readCsv(url: string, actor = chief): Promise<string[][]> {
  const answer = await actor.get(url)
  expect(answer.statusCode, `${url} ${answer.body.slice(0, 300)}`).toBe(200)
  return parse(answer.body, { bom: true, relaxColumnCount: true, delimiter: answer.body.includes(';') ? ';' : ',' })
}

/** Rows of a pivot as its table shows them. */
function pivotRows(
  withGroups: (...names: string[]) => ReportLine[],
  [down, across]: [string, string],
  total: ReportLine,
  valuesOf: (line: ReportLine | undefined) => (number | null)[],
) {
  const columns = withGroups(across)
  const cells = withGroups(down, across)
  return [
    ...withGroups(down).map((row) => [
      row.labels[down]!,
      ...columns.flatMap((column) =>
        valuesOf(cells.find(({ keys }) => keys[down] === row.keys[down] && keys[across] === column.keys[across])),
      ),
      ...valuesOf(row),
    ]),
    ['Total', ...columns.flatMap(valuesOf), ...valuesOf(total)],
  ]
}

/** Whether the figure is the number, or the sum, of the rows behind it. */
const isListed = ({ percentile, aggregate }: Measure) => !percentile && !aggregate
