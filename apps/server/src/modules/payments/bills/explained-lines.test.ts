import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, t.clock.now())
})
afterAll(() => t?.close())

test('lines of fee components say what they pay for, in both languages; a renamed one keeps its own name', async () => {
  const component = (code: string) =>
    t.db.selectFrom('feeComponents').selectAll().where('code', '=', code).executeTakeFirstOrThrow()
  const [tuition, jacket] = [await component('SPP'), await component('ALMAMATER')]
  const { bill, registration, actor } = await aBill(t, academic, {
    lines: [
      { description: tuition.name, amount: 5_000_000, feeComponentId: tuition.id },
      { description: 'Jaket lama', amount: 250_000, feeComponentId: jacket.id },
      { description: 'Lain-lain', amount: 10_000 },
    ],
  })
  const { bills } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json().data as { bills: BillView[] }
  expect(bills.find(({ id }) => id === bill.id)!.lines).toEqual([
    {
      description: tuition.name,
      amount: 5_000_000,
      nameEn: 'Tuition per semester',
      explanation: 'Uang kuliah satu semester.',
      explanationEn: 'Lectures of one semester.',
    },
    {
      description: 'Jaket lama',
      amount: 250_000,
      nameEn: null,
      explanation: 'Satu jaket almamater.',
      explanationEn: 'One university jacket.',
    },
    { description: 'Lain-lain', amount: 10_000, nameEn: null, explanation: null, explanationEn: null },
  ])
})
