import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced, type BillDetails } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Two clerks, and registrations a test may bill; books must balance after every test. */
export const { billOf, paymentOf, requestOf } = readersOf(() => t)

export let t: TestApp
export let academic: AcademicFixture
export let clerk: TestActor
export let second: TestActor

/** Gives the calling file its own database and checks after every test that the books balance. */
export function setDeskStage() {
  beforeAll(async () => {
    t = await testApp()
    academic = await academicFixture(t.db)
  })
  afterAll(() => t.close())
  beforeEach(async () => {
    clerk = await asStaff(t, 'Keuangan')
    second = await asStaff(t, 'Keuangan')
  })
  afterEach(async () => {
    t.clock.reset()
    await assertBalanced(t)
  })
}

export const day = 86_400_000
export const tuition = { kind: 're_registration', lines: [{ description: 'Uang pangkal', amount: 4_000_000 }] } as const
export const aTuitionBill = (options: BillDetails = {}) =>
  aBill(t, academic, { ...tuition, lines: [...tuition.lines], status: 'confirmed', accepted: true, ...options })

export const cash = (billId: string, amount: number, more: object = {}) => ({
  billId,
  amount,
  method: 'cash',
  paidAt: new Date(t.clock.now().getTime() - day).toISOString(),
  payerName: 'Ayah Sari',
  ...more,
})
export const enter = async (billId: string, amount: number, more: object = {}) => {
  const answer = await clerk.post('/pembayaran-mahasiswa', cash(billId, amount, more))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.id as string
}
export const decide = (actor: TestActor, id: string, approve = true, reason = 'Sesuai bukti') =>
  actor.post(`/persetujuan/${id}/decide`, { approve, reason })
export const ok = (answer: { statusCode: number; body: string; json(): { data: { id: string } } }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

/** Pays a bill in cash, entered and approved; returns the payment. */
export async function paidInCash(billId: string, amount: number) {
  const id = await enter(billId, amount)
  ok(await decide(second, id))
  return (await requestOf(id)).paymentId!
}
