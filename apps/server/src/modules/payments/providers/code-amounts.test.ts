import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { gatewaysWithCodes } from '#server-test/factories/providers.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { paidStateOf, virtualAccountOf } = readersOf(() => t)
const hourMs = 3_600_000

let t: TestApp
let academic: AcademicFixture
let { midtrans, xendit, close } = {} as Awaited<ReturnType<typeof gatewaysWithCodes>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  ;({ midtrans, xendit, close } = await gatewaysWithCodes(t))
})
afterAll(async () => {
  await close()
  await t.close()
})
afterEach(() => assertBalanced(t))

describe.each(['uji-qris', 'uji-gopay', 'uji-x-qris', 'uji-x-id-dana'])('%s', (bank) => {
  /** A bill of 500,000 with a code, of which 300,000 was paid another way. */
  async function paidInPart() {
    const fixture = await aBill(t, academic, { amount: 500_000 })
    const ask = async (at = bank) =>
      (await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: at })).json().data
    const code = await ask()
    const { number } = await ask(xendit.bank)
    await xendit.peer.report(xendit.peer.receive(number, 300_000))
    expect(await paidStateOf(fixture.bill.id)).toEqual({ status: 'partly_paid', paid: 300_000 })
    return { ...fixture, ask, code }
  }
  const pay = (id: string, amount: number) =>
    bank.startsWith('uji-x')
      ? xendit.peer.payCode(id, { amount })
      : midtrans.peer.report(midtrans.peer.receive(id, amount))

  test('is shown with the amount it takes, not with what is left to pay', async () => {
    const { actor, registration, code } = await paidInPart()
    const { bills } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json().data
    const account = bills[0].virtualAccounts.find(({ id }: { id: string }) => id === code.id)
    expect(account).toMatchObject({ amount: 500_000, status: 'active' })
  })

  test.each([2, 20])('is replaced by one of the rest, the same for %i who ask at once', async (times) => {
    const { ask, bill, code } = await paidInPart()
    const answers = await Promise.all(Array.from({ length: times }, () => ask()))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers[0]).toMatchObject({ amount: 200_000, status: 'active' })
    expect(answers[0].id).not.toBe(code.id)
    expect(await virtualAccountOf(code.id)).toMatchObject({ status: 'replaced' })
    await pay(answers[0].id, 200_000)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 500_000 })
  })

  test('that was replaced still books what it takes, and the rest waits', async () => {
    const { ask, bill, code } = await paidInPart()
    await ask()
    await pay(code.id, 500_000)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 500_000 })
    const payments = await t.db
      .selectFrom('payments')
      .select('waitingAmount')
      .where('virtualAccountId', '=', code.id)
      .execute()
    expect(payments).toEqual([{ waitingAmount: 300_000 }])
  })

  test('made by staff for a later day and an open amount takes its exact amount for an hour', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const clerk = await asStaff(t, 'Keuangan')
    const expiresOn = new Date(Date.now() + 60 * 24 * hourMs).toISOString().slice(0, 10)
    const answer = await clerk.post('/transaksi-va', { billId: bill.id, bank, expiresOn, amountType: 'open' })
    expect(answer.statusCode, answer.body).toBe(201)
    const { amountType, expiresAt } = answer.json().data
    expect(amountType).toBe('closed')
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(hourMs)
  })
})
