import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { someBooks } from '#server-test/factories/books.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let chief: TestActor

type Values = Record<string, number>
const figures = async (slug: string, query: Record<string, string> = {}) => {
  const answer = await chief.get(
    `/reports/${slug}/figures?${new URLSearchParams({ compare: 'no', year: 'all', ...query })}`,
  )
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.json().data as { lines: ReportLine[]; total: ReportLine }
}
const totalOf = async (slug: string, query?: Record<string, string>) =>
  (await figures(slug, query)).total.values as Values

/** The same sums queried directly from the books, as the check of the books derives them. */
async function books() {
  const { rows } = await sql<Values>`SELECT
    (SELECT coalesce(sum(amount), 0) FROM bill_lines WHERE amount > 0)::float8 AS billed,
    (SELECT coalesce(-sum(amount), 0) FROM bill_lines WHERE amount < 0 AND NOT added_later)::float8 AS discounts,
    (SELECT coalesce(-sum(amount), 0) FROM bill_lines WHERE amount < 0 AND added_later)::float8 AS let_off,
    (SELECT coalesce(sum(paid), 0) FROM bills)::float8 AS received,
    (SELECT coalesce(sum(total - paid), 0) FROM bills WHERE status <> 'cancelled')::float8 AS outstanding,
    (SELECT coalesce(sum(total - paid), 0) FROM bills WHERE status = 'cancelled')::float8 AS cancelled_rest,
    (SELECT coalesce(sum(amount), 0) FROM refunds)::float8 AS refunded,
    (SELECT coalesce(sum(amount), 0) FROM payments WHERE status <> 'reversed')::float8 AS paid_amount,
    (SELECT coalesce(sum(waiting_amount), 0) FROM payments WHERE status <> 'reversed')::float8 AS waiting_amount`.execute(
    t.db,
  )
  return rows[0]!
}

const addsUp = ({ billed, discounts, letOff, received, outstanding, cancelledRest }: Values) =>
  billed! - discounts! - letOff! - received! - outstanding! - cancelledRest!

beforeAll(async () => {
  t = await testApp()
  await someBooks(t, await academicFixture(t.db))
  chief = await asStaff(t)
}, 240_000)
afterAll(() => t.close())

describe('the income of study programmes', () => {
  it('equals the books to the rupiah, with every kind of movement', async () => {
    expect(await checkInvariants(t.services)).toEqual([])
    const [income, fromBooks] = [await totalOf('pendapatan-prodi'), await books()]
    for (const name of ['billed', 'discounts', 'letOff', 'received', 'outstanding', 'cancelledRest', 'refunded']) {
      expect(income[name], name).toBe(fromBooks[name])
      expect(income[name], name).toBeGreaterThan(0)
    }
    expect((await totalOf('per-tahun-akademik')).income).toBe(fromBooks.received)
  })

  it('adds up in every line, for today and past days', async () => {
    const now = t.clock.now().getTime()
    for (const by of ['programme', 'billKind', 'month', 'wave,track'])
      for (const daysAgo of [0, 1, 30]) {
        const to = new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10)
        for (const { values } of (await figures('pendapatan-prodi', { by, to })).lines)
          expect(addsUp(values as Values), `${by} ${to}`).toBe(0)
      }
  })

  it('is the same by fee component, in whole rupiah', async () => {
    const whole = await totalOf('pendapatan-prodi')
    for (const figure of ['received', 'billed', 'discounts', 'letOff', 'outstanding', 'cancelledRest']) {
      const { lines, total } = await figures('pendapatan-detail-prodi', { by: 'programme,component', figure })
      expect(total.values[figure], figure).toBe(whole[figure])
      for (const { values } of lines) expect(Number.isInteger(values[figure]!), figure).toBe(true)
    }
  })

  it('names the registration fee in columns and rows', async () => {
    const { lines } = await figures('pendapatan-detail-prodi', { by: 'programme,component', figure: 'billed' })
    const components = lines.filter(({ keys }) => Object.keys(keys).join() === 'component')
    expect(components.map(({ labels }) => labels.component)).toContain('Registration fee')
    expect(components.map(({ labels }) => labels.component)).not.toContain('None')
    const fee = components.find(({ labels }) => labels.component === 'Registration fee')!
    const query = { by: 'programme,component', figure: 'billed', year: 'all', cell: writeCell(fee.keys) }
    const { data, meta } = (
      await chief.get(`/reports/pendapatan-detail-prodi/rows?${new URLSearchParams(query)}`)
    ).json()
    expect(meta.sum).toBe(fee.values.billed)
    for (const { cells } of data) expect(cells.component).toBe('Registration fee')
  })

  it('has no component with a negative outstanding amount', async () => {
    const { lines } = await figures('pendapatan-detail-prodi', { by: 'programme,component', figure: 'outstanding' })
    expect(lines.filter(({ values }) => values.outstanding! < 0)).toEqual([])
  })
})

describe('the income of schools', () => {
  it('and its discounts equal the books', async () => {
    const [schools, fromBooks] = [await totalOf('asal-sekolah-fix-bayar'), await books()]
    expect([schools.income, schools.discounts]).toEqual([fromBooks.received, fromBooks.discounts])
  })
})

describe('vouchers', () => {
  it('give the discount and uses recorded in the books', async () => {
    await sql`UPDATE discount_uses u SET amount = 50000, bill_id = (SELECT b.id FROM bills b
        WHERE b.registration_id = u.registration_id ORDER BY b.issued_at LIMIT 1)
      WHERE u.voucher_id IS NOT NULL AND u.amount IS NULL`.execute(t.owner)
    const { rows } = await sql<{ sum: number; count: number }>`SELECT sum(u.amount)::float8 AS sum, count(*)::int
      FROM discount_uses u WHERE u.voucher_id IS NOT NULL AND u.released_at IS NULL`.execute(t.db)
    const total = await totalOf('voucher-afiliator')
    expect([total.discount, total.voucherUses]).toEqual([rows[0]!.sum, rows[0]!.count])
    expect(total.discount).toBeGreaterThan(0)
  })
})

describe('payments', () => {
  it('can be listed as bills with paid and owed amounts', async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM bills WHERE status <> 'cancelled'`.execute(
      t.db,
    )
    expect((await totalOf('pembayaran-mahasiswa')).bills).toBe(rows[0]!.count)
    const answer = await chief.get('/reports/pembayaran-mahasiswa/rows?figure=bills&year=all&per_page=100')
    const listed = answer.json().data.map(({ cells }: { cells: Values }) => cells) as Values[]
    const sumOf = (column: string) => listed.reduce((sum, cells) => sum + cells[column]!, 0)
    expect(listed).toHaveLength(rows[0]!.count)
    expect(sumOf('owed')).toBe((await totalOf('piutang-va')).owed)
    expect(sumOf('paidTuition')).toBe((await books()).received)
  })

  it('default to the present year, including unmatched money received in it', async () => {
    const answer = await chief.get('/reports/pembayaran-mahasiswa/figures?compare=no')
    expect(answer.json().meta.year).toMatch(/^\d{4}\/\d{4}$/)
    const present = answer.json().data.total.values as Values
    expect(present.waitingAmount).toBe((await books()).waitingAmount)
    const nobodys = await sql<{ sum: number }>`SELECT coalesce(sum(waiting_amount), 0)::float8 AS sum FROM payments
      WHERE bill_id IS NULL AND status <> 'reversed'`.execute(t.db)
    expect(nobodys.rows[0]!.sum).toBeGreaterThan(0)
  })

  it('equal the books, including unmatched money', async () => {
    const [report, fromBooks] = [await totalOf('pembayaran-mahasiswa'), await books()]
    expect(report.paidAmount).toBe(fromBooks.paidAmount)
    expect(report.waitingAmount).toBe(fromBooks.waitingAmount)
    expect(report.refundedAmount).toBe(fromBooks.refunded)
    const { total } = await figures('pembayaran-mahasiswa', { by: 'component' })
    expect(total.values.bookedMoney).toBe(fromBooks.received)
  })
})

describe('receivables', () => {
  it('equal the outstanding amounts of open bills', async () => {
    const { rows } = await sql<{ sum: number }>`SELECT sum(total - paid)::float8 AS sum FROM bills
      WHERE status IN ('open', 'partly_paid')`.execute(t.db)
    expect((await totalOf('piutang-va')).owed).toBe(rows[0]!.sum)
  })
})
