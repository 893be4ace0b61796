import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { takeOffBills } from '#server/modules/payments/bills/change/take-off-bills.ts'
import { expireVirtualAccountsJob } from '#server/modules/payments/bills/numbers/expire-virtual-accounts.job.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { statusOf } from '#server-test/factories/admissions.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let admin: TestActor
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  admin = await asStaff(t)
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterAll(() => t.close())
afterEach(async () => {
  await assertBalanced(t)
  await t.db.deleteFrom('settings').execute()
})

const start = {
  studentNumberIssue: 'automatic',
  enrolmentUnlock: 'first-instalment',
  enrolmentUnlockShare: 100,
  promiseUnlocks: false,
  cardShare: 100,
}
async function rule(changes: Partial<typeof start>) {
  const { versions } = (await admin.get('/settings/general')).json().data
  const body = { ...start, ...changes, version: versions.enrolment }
  const answer = await admin.put('/settings/general/enrolment', body)
  expect(answer.statusCode, answer.body).toBe(200)
}

const aTuition = (options: BillDetails = {}) =>
  aBill(t, academic, {
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount: 4_000_000 }],
    status: 'confirmed',
    accepted: true,
    ...options,
  })
type Made = Awaited<ReturnType<typeof aTuition>>

async function pay({ actor, bill }: Made, amount: number) {
  const { number } = await aVirtualAccount(actor, bill.id)
  expect((await aReport(t, { virtualAccountNumber: number, amount }).send()).statusCode).toBe(200)
  await t.runJobs()
}
async function exception(billId: string, body: object) {
  const request = await clerk.post(`/bills/${billId}/exceptions`, { reason: 'Sesuai ketentuan', ...body })
  expect(request.statusCode, request.body).toBe(200)
  const decided = await second.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
  expect(decided.statusCode, decided.body).toBe(200)
  await t.runJobs()
}
const isStudent = async ({ registration }: Made) => (await statusOf(t, registration.id)) === 'enrolled'
const unlockOn = async ({ actor, registration }: Made) =>
  (await actor.get(`/pendaftaran/${registration.id}/bills`)).json().data.bills.at(-1).unlock
const studentOf = ({ registration }: Made) =>
  t.db.selectFrom('students').selectAll().where('registrationId', '=', registration.id).executeTakeFirst()

describe('a student number for a share of the bill', () => {
  test('is issued with the payment that reaches the share; before, the missing amount is shown', async () => {
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 40 })
    const registration = await aTuition()
    expect(await unlockOn(registration)).toEqual({ what: 'number', missing: 1_600_000 })
    await pay(registration, 1_000_000)
    expect(await isStudent(registration)).toBe(false)
    expect(await unlockOn(registration)).toEqual({ what: 'number', missing: 600_000 })
    const todo = (await registration.actor.get(`/pendaftaran/${registration.registration.id}`)).json().data.todo
    expect(todo.find((item: { key: string }) => item.key === 'studentNumber')).toMatchObject({
      state: 'blocked',
      blockedBy: 'number_unpaid',
      params: { amount: 600_000 },
    })
    await pay(registration, 600_000)
    expect(await isStudent(registration)).toBe(true)
    const { stages } = (await registration.actor.get(`/pendaftaran/${registration.registration.id}`)).json().data
    expect(stages.at(-1)).toMatchObject({ key: 'enrolment', state: 'current' })
    expect(await studentOf(registration)).toMatchObject({ unlockRule: 'share', unlockShare: 40 })
    expect(await unlockOn(registration)).toBeNull()
  })

  test('is issued when a waiver lowers the bill enough', async () => {
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 50 })
    const registration = await aTuition()
    await pay(registration, 1_500_000)
    expect(await isStudent(registration)).toBe(false)
    await exception(registration.bill.id, { kind: 'waiver', amount: 1_000_000 })
    expect(await isStudent(registration)).toBe(true)
  })

  test('is issued when a discount reissues the bill with a lower total', async () => {
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 50 })
    const { id: discountId } = await t.db
      .insertInto('discounts')
      .values({
        code: 'SAUDARA',
        name: 'Potongan saudara',
        kind: 'fixed',
        value: '1000000',
        appliesTo: 'fee_component',
        condition: 'manual',
        stackable: true,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const registration = await aTuition()
    await pay(registration, 1_500_000)
    expect(await isStudent(registration)).toBe(false)
    await exception(registration.bill.id, { kind: 'discount', discountId })
    expect(await isStudent(registration)).toBe(true)
  })

  test('needs the whole bill at 100 percent; waiting money does not count', async () => {
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 100 })
    const registration = await aTuition()
    await pay(registration, 3_999_999)
    await t.db
      .insertInto('payments')
      .values({
        provider: 'sandbox',
        providerReference: 'MENUNGGU-1',
        billId: registration.bill.id,
        accountId: registration.actor.accountId,
        amount: 4_000_000,
        status: 'waiting',
        waitingAmount: 4_000_000,
        waitingReason: 'overpaid',
        paidAt: t.clock.now(),
        receivedAt: t.clock.now(),
        foundByAsking: true,
      })
      .execute()
    expect((await admin.post(`/npm-mahasiswa/${registration.registration.id}`, {})).json().code).toBe('not_unlocked')
    expect(await isStudent(registration)).toBe(false)
    await pay(registration, 1)
    expect(await isStudent(registration)).toBe(true)
  })

  test('stays after the payment is reversed or the rule becomes stricter', async () => {
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 25 })
    const [stays, back] = [await aTuition(), await aTuition()]
    for (const registration of [stays, back]) await pay(registration, 1_000_000)
    const payment = await t.db
      .selectFrom('payments')
      .select('id')
      .where('billId', '=', back.bill.id)
      .executeTakeFirstOrThrow()
    await inTransaction(t.services, systemActor, async (context) => {
      const { tx } = context
      await takeOffBills(context, payment.id)
      await tx
        .updateTable('payments')
        .set({ waitingAmount: 1_000_000, status: 'waiting', waitingReason: 'overpaid', waitingSince: t.clock.now() })
        .where('id', '=', payment.id)
        .execute()
    })
    await rule({ enrolmentUnlock: 'share', enrolmentUnlockShare: 100 })
    for (const registration of [stays, back]) expect(await isStudent(registration)).toBe(true)
    // With the stricter rule no further number is issued; the invariant check after each test finds no error.
    const next = await aTuition()
    await pay(next, 1_000_000)
    expect(await isStudent(next)).toBe(false)
  })

  test('is issued when the first instalment is waived', async () => {
    const registration = await aTuition({ installmentPlanId: academic.plan })
    const { amount } = await t.db
      .selectFrom('installments')
      .select((eb) => eb.fn.sum<number>('amount').as('amount'))
      .where('billId', '=', registration.bill.id)
      .where('position', '>', 1)
      .executeTakeFirstOrThrow()
    await pay(registration, 4_000_000 - Number(amount) - 100_000)
    expect(await isStudent(registration)).toBe(false)
    await exception(registration.bill.id, { kind: 'waiver', amount: Number(amount) + 100_000 })
    expect(await isStudent(registration)).toBe(true)
  })

  test('is issued by staff without payment if the setting requires none', async () => {
    await rule({ enrolmentUnlock: 'none', studentNumberIssue: 'by_staff' })
    const registration = await aTuition()
    expect(await unlockOn(registration)).toBeNull()
    expect((await admin.post(`/npm-mahasiswa/${registration.registration.id}`, {})).statusCode).toBe(200)
    expect(await studentOf(registration)).toMatchObject({ unlockRule: 'none', unlockShare: null })
  })
})

describe('a student number for a promise', () => {
  const payBy = () => new Date(t.clock.now().getTime() + 40 * 86_400_000).toISOString().slice(0, 10)

  test('is issued when the promise is approved, if the setting allows it, and stays if it is broken', async () => {
    const [not, registration] = [await aTuition(), await aTuition()]
    await exception(not.bill.id, { kind: 'promise', payBy: payBy() })
    expect(await isStudent(not)).toBe(false)
    await rule({ promiseUnlocks: true })
    await exception(registration.bill.id, { kind: 'promise', payBy: payBy() })
    expect(await isStudent(registration)).toBe(true)
    expect(await studentOf(registration)).toMatchObject({ unlockRule: 'promise', unlockShare: null })
    await rule({ promiseUnlocks: false })
    t.clock.set(new Date(t.clock.now().getTime() + 50 * 86_400_000))
    await t.runJobs()
    await expireVirtualAccountsJob.run(t.services, {})
    expect(await isStudent(registration)).toBe(true)
    await assertBalanced(t)
    t.clock.reset()
  })
})
