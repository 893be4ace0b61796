import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { assertBalanced } from '#server-test/factories/payments.ts'
import { aBankAccount, anImport } from '#server-test/factories/statements.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Three clerks who may request and decide, with statement credits and money without a payer. */
export const { billOf } = readersOf(() => t)

export let t: TestApp
export let academic: AcademicFixture
export let clerk: TestActor
export let second: TestActor
export let third: TestActor

/** Gives the calling file its own database and checks after every test that the books balance. */
export function setSecondPersonStage() {
  beforeAll(async () => {
    t = await testApp()
    academic = await academicFixture(t.db)
    ;[clerk, second, third] = await Promise.all([
      asStaff(t, 'Keuangan', { name: 'Petugas Satu' }),
      asStaff(t, 'Keuangan', { name: 'Petugas Dua' }),
      asStaff(t, 'Keuangan', { name: 'Petugas Tiga' }),
    ])
  })
  afterAll(() => t.close())
  afterEach(() => assertBalanced(t))
}

export const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
export const decide = (actor: TestActor, id: string, approve = true) =>
  actor.post(`/persetujuan/${id}/decide`, { approve, reason: 'Sesuai bukti' })
export const request = (id: string) =>
  t.db.selectFrom('approvalRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
export const reason = 'Sesuai rekening koran'

export let numbers = 0
export const accountInput = (changes: object = {}) => ({
  name: `Rekening ${++numbers}`,
  bank: 'Bank Rumah',
  number: String(880_000_000 + numbers),
  holder: 'Universitas Contoh',
  takesTransfers: false,
  sources: [],
  ...changes,
})

/** An approved account with the invented bank's columns, and a credit no bank reported. */
export async function aCredit(amount = 300_000) {
  const account = await aBankAccount(t, second)
  const day = bankCalendar.dayOf(t.clock.now())
  await anImport(clerk, account.id, [[day, 'TRANSFER TANPA NAMA', `TRF-${++numbers}`, amount]])
  const line = await t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', account.id)
    .executeTakeFirstOrThrow()
  return { account, line }
}

/** Money without a payer, requested by one clerk and approved by another. */
export async function moneyOfNobody(amount = 300_000) {
  const { line } = await aCredit(amount)
  const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
  ok(await decide(second, id))
  const { paymentId } = await request(id)
  return { line, paymentId: paymentId! }
}

export const give = (actor: TestActor, paymentId: string, billId: string, amount: number) =>
  actor.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, { billId, amount, reason })
