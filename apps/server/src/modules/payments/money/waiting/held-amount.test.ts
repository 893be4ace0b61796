import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aXendit } from '#server-test/factories/providers.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
let xendit: Awaited<ReturnType<typeof aXendit>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  xendit = await aXendit(t)
  clerk = await asStaff(t, 'Keuangan', { name: 'Petugas Satu' })
  second = await asStaff(t, 'Keuangan', { name: 'Petugas Dua' })
})
afterAll(async () => {
  await xendit.peer.close()
  await t.close()
})

const fee = 250_000
const tooMuch = 5_000_000_000
const reason = 'Sesuai dasbor Xendit'

async function heldAmount() {
  const fixture = await aBill(t, academic, { amount: 250_000 })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: xendit.bank })
  const account = answer.json().data as { id: string; number: string }
  const money = xendit.peer.receive(account.number, tooMuch)
  await xendit.peer.report(money)
  const alert = await t.db
    .selectFrom('paymentAlerts')
    .selectAll()
    .where('providerReference', '=', money.reference)
    .executeTakeFirstOrThrow()
  return { ...fixture, account, money, alert }
}
const ask = (actor: TestActor, id: string, decision: string) =>
  actor.post(`/payment-alerts/${id}/decision`, { decision, reason })
const decide = (actor: TestActor, id: string, approve = true) =>
  actor.post(`/persetujuan/${id}/decide`, { approve, ...(!approve && { reason: 'Belum jelas uangnya' }) })
const paymentsOn = (number: string) =>
  t.db.selectFrom('payments').selectAll().where('virtualAccountNumber', '=', number).execute()

test('ten requests for a held amount at once make one; the decider sees its effect; after a rejection the amount stays held', async () => {
  const { alert, bill, account, money } = await heldAmount()
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(clerk, alert.id, 'book')))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const { id } = answers.find(({ statusCode }) => statusCode === 200)!.json().data
  const { stored, impossible } = (await second.get(`/persetujuan/${id}/state`)).json().data
  expect(impossible).toBeNull()
  expect(stored).toEqual({
    ...{ amount: 0, decision: 'book', heldAmount: tooMuch, number: account.number, reference: money.reference },
    ...{ bill: bill.number, toBill: fee },
  })
  expect((await clerk.get('/payment-alerts/held')).json().data).toMatchObject([
    { id: alert.id, asked: true, through: 'xendit-uji', applicantName: 'Sari Wulandari', number: account.number },
  ])
  expect((await decide(second, id, false)).statusCode).toBe(200)
  expect(await paymentsOn(account.number)).toEqual([])
  expect(await checkInvariants(t.services)).toMatchObject([{ check: 'amount-held', stored: String(tooMuch) }])
  const again = (await ask(clerk, alert.id, 'dismiss')).json().data.id
  expect((await decide(second, again)).statusCode).toBe(200)
  await assertBalanced(t)
})

test('of approvals and rejections of a held amount at once, one counts', async () => {
  const { alert, account } = await heldAmount()
  const { id } = (await ask(clerk, alert.id, 'book')).json().data
  expect(codeOf(await ask(second, alert.id, 'dismiss'))).toEqual([409, 'already_requested'])
  const others = await Promise.all(Array.from({ length: 3 }, () => asStaff(t, 'Keuangan')))
  const answers = await Promise.all([
    ...others.map((actor) => decide(actor, id)),
    decide(second, id, false),
    decide(second, id, false),
  ])
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const { status } = await t.db
    .selectFrom('approvalRequests')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await paymentsOn(account.number)).toHaveLength(status === 'approved' ? 1 : 0)
  if (status === 'rejected')
    expect((await decide(second, (await ask(clerk, alert.id, 'dismiss')).json().data.id)).statusCode).toBe(200)
  await assertBalanced(t)
})

test('if the gateway corrects the amount under the same id, that amount is booked and the held one can only be dismissed', async () => {
  const { alert, account, money } = await heldAmount()
  const { id } = (await ask(clerk, alert.id, 'book')).json().data
  await xendit.peer.report(money, { amount: fee })
  expect(await paymentsOn(account.number)).toMatchObject([{ amount: fee, status: 'allocated' }])
  expect(codeOf(await decide(second, id))).toEqual([409, 'already_exists'])
  expect((await decide(second, id, false)).statusCode).toBe(200)
  // The absurd amount, reported again, contradicts the booked one.
  expect(JSON.parse((await xendit.peer.report(money)).body)).toEqual({ result: 'contradicts' })
  expect((await decide(second, (await ask(clerk, alert.id, 'dismiss')).json().data.id)).statusCode).toBe(200)
  await assertBalanced(t)
})

test('a held amount needs a second person, in the database too', async () => {
  const { alert } = await heldAmount()
  const admin = await asStaff(t)
  expect(codeOf(await admin.post(`/payment-alerts/${alert.id}/settle`, { note: 'Sudah ditanyakan' }))).toEqual([
    409,
    'needs_second_person',
  ])
  const settle = () =>
    t.db
      .updateTable('paymentAlerts')
      .set({ settledAt: new Date(), note: 'sendiri' })
      .where('id', '=', alert.id)
      .execute()
  await expect(settle()).rejects.toThrow('nobody has approved')
  const viewer = await asWithPermissions(t, ['pembayaran-mahasiswa-view'])
  expect((await viewer.get('/payment-alerts/held')).statusCode).toBe(200)
  expect((await ask(viewer, alert.id, 'book')).statusCode).toBe(403)
  for (const body of [{}, { decision: 'keep', reason }, { decision: 'book', reason: 'ya' }])
    expect((await clerk.post(`/payment-alerts/${alert.id}/decision`, body)).statusCode).toBe(422)
  const { id } = (await ask(clerk, alert.id, 'dismiss')).json().data
  expect((await decide(second, id)).statusCode).toBe(200)
  expect(codeOf(await ask(clerk, alert.id, 'book'))).toEqual([409, 'wrong_status'])
  await assertBalanced(t)
})
