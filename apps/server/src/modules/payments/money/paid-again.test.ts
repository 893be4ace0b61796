import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterAll(() => t.close())

const reason = 'Dibayar dengan kartu orang lain'

async function payFee(actor: TestActor, billId: string) {
  const { number } = await aVirtualAccount(actor, billId)
  expect((await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()).statusCode).toBe(200)
  await t.runJobs()
}

/** An applicant whose fee was paid and whose payment was then reversed. */
async function takenBack() {
  const { bill, actor, registration } = await aBill(t, academic, { amount: 250_000 })
  await payFee(actor, bill.id)
  const { registrations } = (await actor.get('/dashboard')).json().data
  expect(registrations[0]).toMatchObject({ status: 'verified', nextStep: { key: 'test' } })
  const [payment] = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json().data.bills[0].payments
  const answer = await clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason })
  const approval = answer.json().data.id
  expect((await second.post(`/persetujuan/${approval}/decide`, { approve: true, reason: 'Ya' })).statusCode).toBe(200)
  return { bill, actor, id: registration.id }
}

describe('a fee whose payment was reversed', () => {
  test('is the next step again in dashboard, stepper, list and page, with the reason', async () => {
    const { actor, id } = await takenBack()
    const [card] = (await actor.get('/dashboard')).json().data.registrations
    const again = { key: 'payment', state: 'todo', params: { amount: 250_000, takenBack: 250_000, reason } }
    expect(card.nextStep).toMatchObject(again)
    const stages = card.stages.map(({ key, state }: { key: string; state: string }) => [key, state])
    expect(stages.slice(0, 4)).toEqual([
      ['data', 'done'],
      ['payment', 'current'],
      ['documents', 'done'],
      ['selection', 'upcoming'],
    ])
    expect(card.feeOwed).toBe(true)
    const detail = (await actor.get(`/pendaftaran/${id}`)).json().data
    expect(detail.todo).toContainEqual(expect.objectContaining({ key: 'payment', state: 'todo' }))
    expect(detail.todo).toContainEqual(expect.objectContaining({ key: 'result', blockedBy: 'fee_unpaid' }))
    expect((await actor.get('/pendaftaran')).json().data[0].feeOwed).toBe(true)
    const [bill] = (await actor.get(`/pendaftaran/${id}/bills`)).json().data.bills
    expect(bill).toMatchObject({ status: 'open', takenBack: { amount: 250_000, reason } })
  })

  test('is announced to the payer with the reason of the office and no other', async () => {
    const { actor } = await takenBack()
    const { body, subject } = await t.db
      .selectFrom('messages')
      .select(['body', 'subject'])
      .where('accountId', '=', actor.accountId)
      .where('event', '=', 'payment-reversed')
      .where('channel', '=', 'inbox')
      .executeTakeFirstOrThrow()
    expect(body).toContain(reason)
    expect(body + subject).not.toMatch(/tidak sampai|did not reach/)
  })

  test('continues from the earlier status once it is paid again', async () => {
    const { actor, bill, id } = await takenBack()
    await payFee(actor, bill.id)
    const [card] = (await actor.get('/dashboard')).json().data.registrations
    expect(card).toMatchObject({ status: 'verified', feeOwed: false, nextStep: { key: 'test' } })
    const [paid] = (await actor.get(`/pendaftaran/${id}/bills`)).json().data.bills
    expect(paid).toMatchObject({ status: 'paid', takenBack: null })
    await assertBalanced(t)
  })
})
