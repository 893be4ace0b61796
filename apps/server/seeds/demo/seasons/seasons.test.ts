import fs from 'node:fs'
import path from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultRoles } from '#domain/access/roles.ts'
import { demoTour } from '#domain/dashboards/tour.ts'
import type { AnyList } from '#domain/list.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'
import { accounts, demoPassword } from '#seeds/demo/university.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { readInputOf } from '#server/modules/selection/runs/compute-run.ts'
import { settleAnswers } from '#server/platform/kept-answers.ts'
import { actorWith, asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const domain = path.resolve(import.meta.dirname, '../../../../../packages/domain/src')
const declarations: Record<string, unknown>[] = await Promise.all(
  fs.globSync('**/{lists,*endpoints}.ts', { cwd: domain }).map((file) => import(path.join(domain, file))),
)
const isList = (value: unknown): value is AnyList => typeof value === 'object' && value !== null && 'columns' in value
const lists = [
  ...declarations.flatMap((file) => Object.values(file).filter(isList)),
  ...entities.map((entity) => (entity.parent ? endpointsOf(entity).all : endpointsOf(entity).list)),
]

let t: TestApp
let seconds: number
const seed = () => runSeeds({ ...t.services, db: t.owner }, 'history')

beforeAll(async () => {
  t = await testApp()
  await runSeeds({ ...t.services, db: t.owner }, 'reference')
  await runSeeds({ ...t.services, db: t.owner }, 'demo')
  const startMs = performance.now()
  await seed()
  seconds = (performance.now() - startMs) / 1000
}, 480_000)
afterAll(async () => {
  await settleAnswers(t.db)
  await t.close()
})

const rowsOf = async <T>(query: RawBuilder<T>) => (await query.execute(t.owner)).rows
const countOf = async (rows: RawBuilder<unknown>) =>
  (await rowsOf(sql<{ count: number }>`SELECT count(*)::int AS count FROM ${rows}`))[0]!.count

test('the seasons are written in less than two minutes on a machine busy with other tests', () => {
  expect(seconds).toBeLessThan(120)
})

test('every rule of the books is kept', async () => {
  expect(await checkInvariants(t.services)).toEqual([])
})

test('there are two complete seasons and a current one of similar size up to now', async () => {
  const seasons = await rowsOf(sql<{ year: string; waves: number; count: number; open: number }>`
    SELECT w.academic_year AS year, count(DISTINCT w.id)::int AS waves, count(*)::int AS count,
      count(*) FILTER (WHERE r.status IN ('draft', 'submitted', 'paid', 'verified', 'confirmed')
        OR r.status = 'decided' AND r.decision = 'accepted')::int AS open
    FROM registrations r JOIN waves w ON w.id = r.wave_id GROUP BY 1 ORDER BY 1`)
  expect(seasons.map(({ waves }) => waves)).toEqual([2, 2, 2])
  expect(seasons.map(({ count }) => count)).toEqual([1_850, 2_050, 1_940])
  expect(seasons.map(({ open }) => open > 0)).toEqual([false, false, true])
  const years = seasons.map(({ year }) => Number(year.slice(0, 4)))
  expect([years[1]! - years[0]!, years[2]! - years[1]!]).toEqual([1, 1])
})

test('submissions rise towards the close of a wave and are few at weekends', async () => {
  const days = await rowsOf(sql<{ code: string; toClose: number; weekend: boolean; count: number }>`
    SELECT w.code, (w.closes_at AT TIME ZONE 'Asia/Jakarta')::date - d.day AS to_close, extract(isodow FROM d.day) >= 6 AS weekend,
      (SELECT count(*) FROM registrations r WHERE r.wave_id = w.id AND (r.submitted_at AT TIME ZONE 'Asia/Jakarta')::date = d.day)::int AS count
    FROM waves w, LATERAL (SELECT day::date FROM generate_series((w.opens_at AT TIME ZONE 'Asia/Jakarta')::date,
      (w.closes_at AT TIME ZONE 'Asia/Jakarta')::date, interval '1 day') day) d WHERE w.code LIKE 'G_-%'`)
  for (const [code, wave] of Map.groupBy(days, (day) => day.code)) {
    const mean = (some: typeof days) => some.reduce((sum, { count }) => sum + count, 0) / some.length
    const quiet = wave.filter(({ toClose }) => toClose > 6)
    expect(mean(wave.filter(({ toClose }) => toClose <= 2)), code).toBeGreaterThan(3 * mean(quiet))
    const weekends = mean(quiet.filter(({ weekend }) => weekend))
    expect(weekends, code).toBeLessThan(0.65 * mean(quiet.filter(({ weekend }) => !weekend)))
  }
})

test('payments are spread over days and hours, with more after payday', async () => {
  const [payments] = await rowsOf(sql<{ days: number; minutes: number; paydays: number; others: number }>`
    SELECT count(DISTINCT day)::int AS days, count(DISTINCT date_trunc('minute', paid_at)) FILTER (WHERE paid_at > ${t.clock.now()}::timestamptz - interval '2 days')::int AS minutes,
      count(*) FILTER (WHERE extract(day FROM day) >= 25 OR extract(day FROM day) <= 2)::float
        / count(DISTINCT day) FILTER (WHERE extract(day FROM day) >= 25 OR extract(day FROM day) <= 2) AS paydays,
      count(*) FILTER (WHERE extract(day FROM day) BETWEEN 3 AND 24)::float / count(DISTINCT day) FILTER (WHERE extract(day FROM day) BETWEEN 3 AND 24) AS others
    FROM payments, LATERAL (SELECT (paid_at AT TIME ZONE 'Asia/Jakarta')::date AS day) d`)
  expect(payments!.days).toBeGreaterThan(350)
  expect(payments!.minutes).toBeGreaterThan(50)
  expect(payments!.paydays).toBeGreaterThan(1.2 * payments!.others)
})

test('schools differ in how many of their accepted applicants enrol', async () => {
  const [range] = await rowsOf(sql<{ schools: number; least: number; most: number }>`
    SELECT count(*)::int AS schools, min(share)::float AS least, max(share)::float AS most FROM (
      SELECT avg((r.enrolled_at IS NOT NULL)::int) AS share FROM registrations r JOIN applicants a ON a.id = r.applicant_id
      JOIN waves w ON w.id = r.wave_id AND w.code LIKE 'G_-%' WHERE r.decision = 'accepted' GROUP BY a.school_id HAVING count(*) >= 20) s`)
  expect(range!.schools).toBeGreaterThan(10)
  expect(range!.most - range!.least).toBeGreaterThan(0.25)
})

test.each([
  ['refusals', sql`registrations WHERE decision = 'not_accepted'`, 300],
  ['declined and expired offers', sql`registrations WHERE closed_from = 'decided' AND decision = 'accepted'`, 300],
  ['refunds that were paid out', sql`refunds WHERE paid_out_at IS NOT NULL`, 5],
  ['instalments paid late', sql`installments WHERE paid_at > due_at + interval '3 days'`, 50],
  ['bills overdue for months', sql`installments WHERE paid < amount AND due_at < now() - interval '60 days'`, 5],
  [
    'plans of one, three and six instalments',
    sql`(SELECT FROM installments GROUP BY bill_id HAVING count(*) IN (1, 6)) i`,
    300,
  ],
  ['answers to the questionnaire', sql`questionnaires`, 3_000],
  ['vouchers used on bills', sql`discount_uses WHERE voucher_id IS NOT NULL AND bill_id IS NOT NULL`, 50],
  ['discounts of schools', sql`discount_uses WHERE school_agreement_id IS NOT NULL`, 30],
  ['approved sibling discounts', sql`approval_requests WHERE kind = 'discount' AND status = 'approved'`, 10],
  ['agreements with schools', sql`school_agreements WHERE uses > 0`, 10],
  ['message templates', sql`message_templates WHERE active`, 8],
  ['sessions of past tests', sql`test_sessions s JOIN waves w ON w.id = s.wave_id AND w.code LIKE 'G_-%'`, 30],
  ['scores', sql`test_scores`, 5_000],
  ['applicants who missed their test', sql`test_seats WHERE status = 'absent'`, 50],
  ['student numbers from the counter', sql`students WHERE number_value IS NOT NULL`, 1_500],
  ['jackets handed out', sql`jacket_hand_outs WHERE ended_at IS NULL`, 1_000],
  ['jackets exchanged', sql`jacket_hand_outs WHERE ended_as = 'exchanged'`, 5],
  ['cards printed', sql`student_cards`, 1_000],
  ['donations', sql`registrations WHERE donation_amount > 0`, 500],
  ['applicants referred by an affiliate', sql`referrals`, 100],
  [
    'commission of earlier seasons',
    sql`commission_entries e JOIN registrations r ON r.id = e.registration_id JOIN waves w ON w.id = r.wave_id AND w.code LIKE 'G_-%'`,
    10,
  ],
])('the demo has %s', async (_name, rows, least) => {
  expect(await countOf(rows)).toBeGreaterThanOrEqual(least)
})

test('the next student number follows the last one, and receipts have no gap', async () => {
  const scopes = await rowsOf(sql<{ scope: string; value: number; last: string }>`
    SELECT c.scope, c.value::int, max(s.npm) AS last FROM number_counters c JOIN students s ON s.number_scope = c.scope
    WHERE c.kind = 'student' GROUP BY 1, 2`)
  expect(scopes.length).toBeGreaterThan(40)
  for (const { scope, value, last } of scopes) expect(last).toBe(scope.replace('#', String(value).padStart(4, '0')))
  const years = await rowsOf(sql<{ counted: number; there: number }>`
    SELECT c.value::int AS counted, count(p.id)::int AS there FROM number_counters c
    LEFT JOIN payments p ON p.receipt_number LIKE 'KW-' || c.scope || '-%' WHERE c.kind = 'receipt' GROUP BY c.scope, c.value`)
  expect(years.length).toBeGreaterThanOrEqual(2)
  for (const { counted, there } of years) expect(there).toBe(counted)
})

test('seeding the seasons again changes nothing', async () => {
  const tables = [
    'registrations',
    'registration_steps',
    'bills',
    'payments',
    'waves',
    'discounts',
    'vouchers',
    'school_agreements',
  ]
  const others = ['message_templates', 'jacket_movements', 'commission_entries', 'audit_log', 'test_sessions']
  const counts = () => Promise.all([...tables, ...others].map((table) => countOf(sql`${sql.table(table)}`)))
  const before = await counts()
  await seed()
  expect(await counts()).toEqual(before)
})

test.each(['Administrator', 'Panitia PMB', 'Keuangan', 'Marketing', 'Pimpinan'])(
  'the dashboard of %s has figures from the seasons',
  async (role) => {
    const reader = await asStaff(t, role)
    const keys: string[] = (await reader.get('/dashboard/cards')).json().data
    expect(keys.length).toBeGreaterThan(3)
    for (const key of keys) expect((await reader.get(`/dashboard/cards/${key}`)).statusCode, key).toBe(200)
    if (!keys.includes('season')) return
    expect((await reader.get('/dashboard/cards/season')).body).toContain('lastSeason')
  },
)

/** Figures that the previous season does not have, and why. */
const newFigures: Readonly<Record<string, string>> = {
  'camaba-cbt seatCapacity': 'the second wave of the last season tested later',
  'pembayaran-mahasiswa waitingAmount': 'all money of the last season found its bill',
  'piutang-va late30': 'the last season owed nothing late on this day',
  'piutang-va late60': 'the last season owed nothing late on this day',
  'piutang-va late90': 'the last season owed nothing late on this day',
  'berkas-sim licenceExpired': 'licences are those of the present season',
  'status-berkas-pendaftaran deferred': 'documents of the last season are settled',
  'status-berkas-pendaftaran waived': 'documents of the last season are settled',
  'status-berkas-pendaftaran reviews': 'the last season keeps who reviewed, not each review',
  'voucher-afiliator visits': 'affiliates began this season',
  'voucher-afiliator commissionApproved': 'affiliates began this season',
  'voucher-afiliator commissionPaid': 'affiliates began this season',
}

test('every report has lines, and beside each count and sum the figure of a year earlier', async () => {
  const reader = await asStaff(t, 'Administrator')
  const empty: string[] = []
  for (const slug of reportSlugs) {
    const answer = await reader.get(`/reports/${slug}/figures`)
    expect(answer.statusCode, slug).toBe(200)
    const { lines, total } = answer.json().data
    if (lines.length === 0) empty.push(slug)
    for (const [figure, value] of Object.entries(total?.before ?? {}))
      if (value === 0 && total.values[figure] > 0) empty.push(`${slug} ${figure}`)
  }
  expect(empty.filter((figure) => !(figure in newFigures))).toEqual([])
})

/** Lists that are empty in a new demo, and why. */
const emptyLists: Readonly<Record<string, string>> = {
  exports: 'registers what staff of this demo export',
  imports: 'registers what staff of this demo import',
  'workbook-imports': 'the workbook is for a university without data',
  'npm-mahasiswa-withdrawn': 'a student number is withdrawn by mistake only',
  'school-merges': 'follows from a duplicate that staff merge',
  'school-pairs': 'the schools are invented without duplicates',
  'school-proposals': 'applicants of the demo chose known schools',
  invariants: 'the books hold',
}

test('every list has rows for the demo account of a role that may open it', async () => {
  const readers = new Map<string, TestActor>()
  for (const { role, email } of accounts) {
    const answer = await t.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: demoPassword } })
    readers.set(role, actorWith(t, { accountId: '', email, token: answer.json().access_token }))
  }
  const empty: string[] = []
  for (const { path, name } of lists.filter((list) => !list.path.includes(':'))) {
    let hasRows = false
    for (const reader of readers.values()) {
      const answer = await reader.get(`${path}?per_page=1`)
      expect([200, 403], `${path} as ${reader.email}`).toContain(answer.statusCode)
      hasRows ||= answer.statusCode === 200 && answer.json().data.length > 0
    }
    if (hasRows === name in emptyLists) empty.push(name)
  }
  expect(empty).toEqual([])
})

test('the second round of the selection can be adopted', async () => {
  const runs = await t.db
    .selectFrom('selectionRuns')
    .select(['id', 'inputHash', 'outputHash', 'verifiedHash'])
    .where('status', '=', 'computed')
    .where('verifiedHash', 'is not', null)
    .execute()
  expect(runs).toHaveLength(1)
  const [{ id, inputHash, outputHash, verifiedHash }] = runs as [(typeof runs)[number]]
  expect(verifiedHash).toBe(outputHash)
  expect((await readInputOf(t.services, id)).hash).toBe(inputHash)
})

test("the tour's links open for the accounts they name", async () => {
  for (const { role, access } of demoTour) {
    const { permissions } = defaultRoles.find(({ name }) => name === role)!
    expect(permissions, role).toContain(access)
  }
  const readme = await fs.promises.readFile(path.resolve(domain, '../../../README.md'), 'utf8')
  for (const link of demoTour) expect(readme).toContain(`\`${link.path}\``)
})
