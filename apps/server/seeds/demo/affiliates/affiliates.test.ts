import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { demoApp } from '#server-test/demo-app.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { seedDemoAffiliates } from './index.ts'

let t: TestApp
beforeAll(async () => {
  t = await demoApp()
}, 240_000)
afterAll(() => t.close())

const countOf = async (rows: ReturnType<typeof sql>) =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${rows}`.execute(t.owner)).rows[0]!.count

test('the demo has affiliates with visits, vouchers, commission, a claw-back and payouts, and its books are consistent', async () => {
  expect(await countOf(sql`affiliates`)).toBeGreaterThanOrEqual(12)
  expect(await countOf(sql`affiliate_touches WHERE outcome = 'lost'`)).toBeGreaterThan(3)
  expect(
    await countOf(sql`discount_uses u JOIN vouchers v ON v.id = u.voucher_id WHERE v.affiliate_id IS NOT NULL`),
  ).toBeGreaterThan(2)
  expect(await countOf(sql`commission_entries WHERE kind = 'earned'`)).toBeGreaterThan(20)
  expect(await countOf(sql`commission_entries WHERE kind = 'clawback'`)).toBeGreaterThan(0)
  expect(await countOf(sql`commission_holds WHERE decision IS NULL`)).toBe(1)
  expect(await countOf(sql`payout_runs WHERE status = 'paid'`)).toBe(1)
  expect(await countOf(sql`payout_runs WHERE status = 'frozen'`)).toBe(1)
  expect(await checkInvariants(t.services)).toEqual([])
})

test('a second seeding adds no affiliate, rule or entry', async () => {
  const counts = () =>
    Promise.all(['affiliates', 'vouchers', 'commission_rules'].map((table) => countOf(sql`${sql.table(table)}`)))
  const before = await counts()
  await seedDemoAffiliates({ ...t.services, db: t.owner })
  expect(await counts()).toEqual(before)
  expect(await checkInvariants(t.services)).toEqual([])
})
