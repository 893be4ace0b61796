import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aXendit } from '#server-test/factories/providers.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { virtualAccountOf, paidStateOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let xendit: Awaited<ReturnType<typeof aXendit>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  xendit = await aXendit(t)
})
afterAll(async () => {
  await xendit.peer.close()
  await t.close()
})

test('letters of a name that Xendit does not accept are replaced or removed', async () => {
  const { bill, actor } = await aBill(t, academic, { amount: 250_000, name: 'Ni Luh Putu Śrī (Ayu) 2' })
  const { data } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json()
  expect(xendit.peer.account(data.number)).toMatchObject({ name: 'Ni Luh Putu Sri Ayu' })
})

test('a report that a number was created is accepted and is no payment', async () => {
  const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
  const { data } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json()
  expect((await xendit.peer.tellOfNumber(data.number)).status).toBe(200)
  const report = await t.db
    .selectFrom('bankReports')
    .select(['outcome', 'headers'])
    .where('virtualAccountId', '=', data.id)
    .executeTakeFirstOrThrow()
  expect(report.outcome).toBe('ignored')
  expect(Object.keys(report.headers as object)).not.toContain('x-callback-token')
  expect(await t.db.selectFrom('bills').select('status').where('id', '=', bill.id).executeTakeFirst()).toEqual({
    status: 'open',
  })
  await assertBalanced(t)
})

test('the sweep raises no alert if every payment was reported', async () => {
  const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
  const { data } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json()
  await xendit.peer.report(xendit.peer.receive(data.number, 250_000))
  expect((await actor.post(`/virtual-accounts/${data.id}/check`)).json().data).toEqual({ found: 0 })
  expect(await t.db.selectFrom('paymentAlerts').select('id').where('virtualAccountId', '=', data.id).execute()).toEqual(
    [],
  )
})

describe('a number still pending because the response was lost', () => {
  async function pending() {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    xendit.peer.trouble = 'answer_lost'
    const answer = await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })
    xendit.peer.trouble = 'none'
    expect(answer.json().data).toMatchObject({ status: 'pending', number: null })
    const { id } = answer.json().data as { id: string }
    return { bill, actor, id, number: xendit.peer.numberOf(id) }
  }

  test('is activated and settled by twenty reports of its payment at once', async () => {
    const { bill, id, number } = await pending()
    const money = xendit.peer.receive(number, 250_000)
    const heard = await Promise.all(Array.from({ length: 20 }, () => xendit.peer.report(money)))
    expect(new Set(heard.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 250_000 })
    expect(await virtualAccountOf(id)).toMatchObject({ status: 'paid', number, received: 250_000, problem: null })
    t.clock.set(new Date(Date.now() + 10 * 60_000))
    await t.runJobs()
    t.clock.reset()
    expect(await virtualAccountOf(id)).toMatchObject({ status: 'paid', number })
    await assertBalanced(t)
  })

  test('is activated by Xendit’s callback, and a later response changes nothing', async () => {
    const { bill, actor, id, number } = await pending()
    expect((await xendit.peer.tellOfNumber(number)).status).toBe(200)
    expect(await virtualAccountOf(id)).toMatchObject({ status: 'active', number, closedAt: null, tell: null })
    t.clock.set(new Date(Date.now() + 10 * 60_000))
    await t.runJobs()
    t.clock.reset()
    expect((await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json().data.number).toBe(
      number,
    )
    expect(await virtualAccountOf(id)).toMatchObject({ status: 'active', number, closedAt: null, tell: null })
    await xendit.peer.report(xendit.peer.receive(number, 250_000))
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 250_000 })
    await assertBalanced(t)
  })

  test('is activated once if the callback arrives before the response', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    xendit.peer.tellsFirst = true
    const answer = await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })
    xendit.peer.tellsFirst = false
    const { id, number } = answer.json().data
    expect(await virtualAccountOf(id)).toMatchObject({ status: 'active', number, closedAt: null, tell: null })
    await assertBalanced(t)
  })

  test('gets its payment even if another number has the reported digits', async () => {
    const other = await aBill(t, academic, { amount: 250_000 })
    const { number } = (await other.actor.post(`/bills/${other.bill.id}/virtual-account`, { bank: xendit.bank })).json()
      .data
    const { bill, id } = await pending()
    expect((await xendit.peer.reportOn(id, number, 250_000)).status).toBe(200)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 250_000 })
    expect(await paidStateOf(other.bill.id)).toEqual({ status: 'open', paid: 0 })
  })
})
