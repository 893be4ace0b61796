import { expect } from 'vitest'
import type { TestActor } from '#server-test/actors.ts'
import { readersOf } from '#server-test/readers.ts'
import type { TestApp } from '#server-test/test-app.ts'
import type { AcademicFixture } from './academic.ts'
import { aBill, type BillDetails } from './payments.ts'

const dayMs = 86_400_000
let count = 0

/** Id in the answer; fails with the body if the call was refused. */
export async function idOf(pendingAnswer: ReturnType<TestActor['post']>) {
  const answer = await pendingAnswer
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.id as string
}

/** A one-line re-registration bill for an accepted applicant. */
export const aTuitionBill = (t: TestApp, academic: AcademicFixture, amount: number, options: BillDetails = {}) =>
  aBill(t, academic, {
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount }],
    status: 'confirmed',
    accepted: true,
    ...options,
  })

/** The registration's only bill that is not cancelled. */
export const standingBillOf = (t: TestApp, registrationId: string) =>
  t.db
    .selectFrom('bills')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('status', '<>', 'cancelled')
    .executeTakeFirstOrThrow()

/** Body of a cash payment received yesterday. */
export const cashEntry = (t: TestApp, billId: string, amount: number, changes: object = {}) => ({
  billId,
  amount,
  method: 'cash',
  paidAt: new Date(t.clock.now().getTime() - dayMs).toISOString(),
  payerName: 'Ayah Sari',
  ...changes,
})

/** A manual discount, by default 1 % of tuition. */
export async function aDiscount(t: TestApp, values: object = {}) {
  const { id } = await t.db
    .insertInto('discounts')
    .values({
      code: `MEJA-${++count}`,
      name: `Potongan ${count}`,
      kind: 'percent',
      value: 1,
      appliesTo: 'fee_component',
      condition: 'manual',
      stackable: true,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Desk = { t: TestApp; academic: AcademicFixture; clerk: TestActor; second: TestActor }

/** Requests by one clerk and decisions by a second; `desk` is read at each call, because tests make new clerks. */
export function aDesk(desk: () => Desk) {
  const { billOf, requestOf } = readersOf(() => desk().t)
  const decide = (id: string, approve = true, who = desk().second) =>
    who.post(`/persetujuan/${id}/decide`, { approve, reason: 'Sesuai bukti' })
  const cash = (billId: string, amount: number) => cashEntry(desk().t, billId, amount)
  return {
    requestOf,
    decide,
    cash,
    billOf,
    standingBillOf: (registrationId: string) => standingBillOf(desk().t, registrationId),
    aTuitionBill: (amount: number, options?: BillDetails) => aTuitionBill(desk().t, desk().academic, amount, options),
    aDiscount: (values?: object) => aDiscount(desk().t, values),
    ask: (billId: string, exception: object, who = desk().clerk) =>
      who.post(`/bills/${billId}/exceptions`, { reason: 'Sesuai ketentuan', ...exception }),
    async paidInCash(billId: string, amount: number) {
      const id = await idOf(desk().clerk.post('/pembayaran-mahasiswa', cash(billId, amount)))
      await idOf(decide(id))
      return (await requestOf(id)).paymentId!
    },
  }
}
