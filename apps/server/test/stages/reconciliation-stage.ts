import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aBankAccount } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** A clerk and a university account with statements, new for each test. */
export let t: TestApp
export let academic: AcademicFixture
export let clerk: TestActor
export let account: { id: string; number: string }
export let today: string

/** Gives the calling file its own database and checks after every test that the books balance. */
export function setReconciliationStage() {
  tests = 0
  beforeAll(async () => {
    // Two clerks upload the same file many times at once.
    t = await testApp({ config: { uploads: { perAccount: 10, patienceMs: 15_000, leastBytes: 8_192 } } })
    academic = await academicFixture(t.db)
  })
  afterAll(() => t.close())
  beforeEach(async () => {
    // Each test has its own day, without other tests' money.
    await moveTo(new Date(Date.parse('2026-12-01T05:00:00Z') + 10 * 86_400_000 * ++tests).toISOString())
    today = bankCalendar.dayOf(t.clock.now())
    await letGoOfBanks()
    account = await aBankAccount(t, clerk, { sources: ['sandbox-a'] })
  })
  afterEach(async () => {
    t.clock.reset()
    await assertBalanced(t)
  })
}

/** Moves the clock and signs a clerk in again, because sessions do not last for days. */
export async function moveTo(at: string) {
  t.clock.set(new Date(at))
  clerk = await asStaff(t, 'Keuangan')
}
export let tests = 0
/** A bank's transfer numbers pay into one account, so this releases earlier tests' banks. */
export async function letGoOfBanks() {
  const { accounts } = ok(await clerk.get('/bank-accounts'))
  for (const { id, lastDay: _, mapping: __, pending: ___, ...values } of accounts)
    if (values.sources.length > 0 || values.takesTransfers) {
      const answer = await clerk.put(`/bank-accounts/${id}`, { ...values, sources: [], takesTransfers: false })
      await approvedByAnother(t, ok(answer).id)
    }
}

export const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
export const linesOf = (accountId = account.id) =>
  t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', accountId)
    .orderBy('day')
    .orderBy('lineNumber')
    .execute()
export const onlyLine = async () => (await linesOf())[0]!

/** A payment through a transfer number, reported by the bank. */
export async function aReportedPayment(amount = 250_000, options: { reference?: string } = {}) {
  const { bill, actor } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount }] })
  const { number } = await aVirtualAccount(actor, bill.id)
  const report = aReport(t, { virtualAccountNumber: number, amount, paidAt: t.clock.now(), ...options })
  expect((await report.send()).statusCode).toBe(200)
  const payment = await t.db
    .selectFrom('payments')
    .selectAll()
    .where('virtualAccountNumber', '=', number)
    .executeTakeFirstOrThrow()
  return { bill, actor, number, payment }
}

export const compute = async (day = today) =>
  ok(await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day })).id as string
export const dayOf = async (id: string) => ok(await clerk.get(`/rekonsiliasi/${id}`))
export type Listed = {
  id: string
  kind: string
  settledAt: string | null
  settledHow: string | null
  settledBy: string | null
}
export const open = (day: { list: Listed[] }) => day.list.filter(({ settledAt }) => !settledAt).map(({ kind }) => kind)
export const allAtOnce = (send: (actor: TestActor) => Promise<{ statusCode: number }>, times = 10) =>
  Promise.all(Array.from({ length: times }, () => send(clerk)))

/** Replaces the account for transfer numbers with one for ordinary transfers. */
export async function takeTransfers() {
  account = await aBankAccount(t, clerk, { takesTransfers: true })
}
