import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRoles } from '#domain/access/roles.ts'
import type { ReportDescription, ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { builtReportSlugs } from '#domain/reports/report-names.ts'
import { forecastReports } from '#domain/seasons/endpoints.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { reports } from '#server/modules/reports/index.ts'
import type { Measure } from '#server/modules/reports/report.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Every report over the API as every role: who opens it, whose rows are in it, and that a figure is its list. */
let t: TestApp
let chief: TestActor
const actors = new Map<string, TestActor>()
/** Cells of each report whose lists are opened; every cell of a small report. */
const cellsPerReport = 200

beforeAll(async () => {
  t = await testApp()
  await runSeeds({ ...t.services, db: t.owner }, 'reference')
  await runSeeds({ ...t.services, db: t.owner }, 'demo')
  for (const { name } of defaultRoles) actors.set(name, await asStaff(t, name))
  chief = actors.get('Administrator')!
}, 240_000)
afterAll(() => t.close())

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
type Rows = { data: { cells: Record<string, unknown> }[]; meta: { total: number; sum: number | null } }

/** The same order of numbers in every run, so that a failure happens again. */
function* shuffled<T>(values: readonly T[]) {
  const rest = [...values]
  for (let seed = 42; rest.length > 0; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    yield rest.splice(seed % rest.length, 1)[0]!
  }
}

describe.each(builtReportSlugs.map((slug) => [slug] as const))('the report %s', (slug) => {
  const report = reports.find((found) => found.slug === slug)!
  const measures = report.measures as Record<string, Measure>

  it.each(defaultRoles.map(({ name, permissions }) => [name, permissions] as const))(
    'opens for %s with its permission, and otherwise answers 403 everywhere',
    async (role, permissions) => {
      const expected = permissions.includes(`laporan-${slug}`) ? 200 : 403
      for (const [name, url] of Object.entries(addresses(slug)))
        expect((await actors.get(role)!.get(url)).statusCode, name).toBe(expected)
    },
  )

  it('has in the list behind each figure exactly as many rows, and as many rupiah, as the figure says', async () => {
    const description = (await read<{ data: ReportDescription }>(`/reports/${slug}`)).data
    const queries = description.shape === 'pivot' ? [{}] : [{}, ...description.groups.map(({ key }) => ({ by: key }))]
    const cells = []
    for (const query of queries) {
      const { data } = await read<Figures>(
        `/reports/${slug}/figures?${new URLSearchParams({ ...query, compare: 'no' })}`,
      )
      for (const line of [...data.lines, data.total])
        for (const [figure, value] of Object.entries(line.values))
          if (value !== null && measures[figure] && isListed(measures[figure]))
            cells.push({ query, line, figure, value })
    }
    expect(cells.length).toBeGreaterThan(0)
    let opened = 0
    for (const { query, line, figure, value } of shuffled(cells)) {
      if (opened++ === cellsPerReport) break
      const search = new URLSearchParams({ ...query, figure, cell: writeCell(line.keys), per_page: '1', compare: 'no' })
      const { meta } = await read<Rows>(`/reports/${slug}/rows?${search}`)
      const listed = measures[figure]!.sum ? meta.sum : meta.total
      expect(listed, `${figure} of ${JSON.stringify([query, line.labels])}`).toBe(value)
    }
  })

  it('gives a dean the same lines in screen and file, of the own programmes only', async () => {
    const { rows } = await sql<{ id: string }>`SELECT programme_id AS id FROM registrations
      WHERE programme_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`.execute(t.db)
    const dean = await asWithPermissions(t, [`laporan-${slug}`], { programmeIds: [rows[0]!.id] })
    const { data, meta } = await read<Figures>(`/reports/${slug}/figures?compare=no`, dean)
    const all = await read<Figures>(`/reports/${slug}/figures?compare=no`)
    for (const [figure, value] of Object.entries(data.total.values)) {
      if (!measures[figure] || !isListed(measures[figure])) continue
      expect(value ?? 0, figure).toBeLessThanOrEqual(all.data.total.values[figure] ?? 0)
    }
    if (report.shape === 'pivot') return
    const file = await dean.get(`/reports/${slug}/export?compare=no&format=csv`)
    const lines = parse(file.body, {
      bom: true,
      delimiter: file.body.includes(';') ? ';' : ',',
      relaxColumnCount: true,
    })
    const whole = data.lines.filter(({ keys }) => Object.keys(keys).length === meta.by.length)
    expect(lines.slice(1, -1).map((line: string[]) => line.slice(0, meta.by.length))).toEqual(
      whole.map(({ labels }) => meta.by.map((name) => labels[name] ?? '')),
    )
  })
})

/** Whether the figure is the number, or the sum, of the rows behind it. */
const isListed = ({ percentile, aggregate }: Measure) => !percentile && !aggregate
