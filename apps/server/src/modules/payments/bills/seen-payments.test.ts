import { afterAll, beforeAll, expect, test } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())

async function paid(amount = 250_000) {
  const { bill, actor, registration } = await aBill(t, academic, { amount: 250_000 })
  const { number } = await aVirtualAccount(actor, bill.id)
  expect((await aReport(t, { virtualAccountNumber: number, amount }).send()).statusCode).toBe(200)
  return { bill, actor, id: registration.id }
}
const paymentsOf = async (actor: TestActor, id: string) =>
  (await actor.get(`/pendaftaran/${id}/bills`)).json().data.bills[0].payments as {
    id: string
    seen: boolean
    allocated: number
    waitingAmount: number
  }[]

test('a payment is new to its payer on every device until the payer has seen it, even if several devices report that at once', async () => {
  const { actor, id } = await paid()
  const [payment] = await paymentsOf(actor, id)
  expect(payment!.seen).toBe(false)
  const body = { paymentIds: [payment!.id] }
  const answers = await Promise.all([1, 2, 3, 4].map(() => actor.post(`/pendaftaran/${id}/payments/seen`, body)))
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
  expect((await paymentsOf(actor, id))[0]!.seen).toBe(true)
})

test('staff never find a payment new and do not mark it as seen for the payer; other applicants cannot mark it either', async () => {
  const { actor, id } = await paid()
  const clerk = await asStaff(t, 'Keuangan')
  const [payment] = await paymentsOf(clerk, id)
  expect(payment!.seen).toBe(true)
  await clerk.post(`/pendaftaran/${id}/payments/seen`, { paymentIds: [payment!.id] })
  const stranger = await asApplicant(t)
  const refused = await stranger.post(`/pendaftaran/${id}/payments/seen`, { paymentIds: [payment!.id] })
  expect(refused.statusCode).toBe(404)
  const own = await paid()
  const [theirs] = await paymentsOf(actor, id)
  await own.actor.post(`/pendaftaran/${own.id}/payments/seen`, { paymentIds: [theirs!.id] })
  expect((await paymentsOf(actor, id))[0]!.seen).toBe(false)
})

test('an overpayment shows its booked part and its waiting part separately', async () => {
  const { actor, id } = await paid(300_000)
  expect(await paymentsOf(actor, id)).toMatchObject([{ status: 'waiting', allocated: 250_000, waitingAmount: 50_000 }])
  await assertBalanced(t)
})
