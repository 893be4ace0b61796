import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aXendit } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

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

test('a name with letters Xendit does not take is made plain', async () => {
  const { bill, actor } = await aBill(t, academic, { name: 'Ni Luh Putu Śrī (Ayu) 2' })
  const { data } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json()
  expect(xendit.peer.account(data.number)).toMatchObject({ name: 'Ni Luh Putu Sri Ayu' })
})

test('that a number was made is heard and is no payment', async () => {
  const { bill, actor } = await aBill(t, academic)
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

test('the sweep finds nothing strange where everything was reported', async () => {
  const { bill, actor } = await aBill(t, academic)
  const { data } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: xendit.bank })).json()
  await xendit.peer.report(xendit.peer.receive(data.number, 250_000))
  expect((await actor.post(`/virtual-accounts/${data.id}/check`)).json().data).toEqual({ found: 0 })
  expect(await t.db.selectFrom('paymentAlerts').select('id').where('virtualAccountId', '=', data.id).execute()).toEqual(
    [],
  )
})
