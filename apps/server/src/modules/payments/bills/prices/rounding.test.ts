import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a percentage given by hand reduces the bill by exactly the rupiah shown in the request', async () => {
  const academic = await academicFixture(t.db)
  const [clerk, second] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
  const { bill, registration } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 333_333 }] })
  const { id: discountId } = await t.db
    .insertInto('discounts')
    .values({
      code: 'SEPERTIGA',
      name: 'Sepertiga',
      kind: 'percent',
      value: 33.33,
      condition: 'manual',
      appliesTo: 'registration_fee',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const answer = await clerk.post(`/bills/${bill.id}/exceptions`, { kind: 'discount', discountId, reason: 'Prestasi' })
  expect(answer.statusCode, answer.body).toBe(200)
  const { id } = answer.json().data
  const decided = await second.post(`/persetujuan/${id}/decide`, { approve: true })
  expect(decided.statusCode, decided.body).toBe(200)
  const { amount } = await t.db
    .selectFrom('approvalRequests')
    .select('amount')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const newBill = await t.db
    .selectFrom('bills')
    .select('total')
    .where('registrationId', '=', registration.id)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  expect(amount).toBe(111_100)
  expect(newBill.total).toBe(333_333 - amount)
  await assertBalanced(t)
})
