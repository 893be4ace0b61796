import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aDesk, idOf } from '#server-test/factories/desk.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterEach(() => assertBalanced(t))

const { aDiscount, aTuitionBill, ask, billOf, cash, decide, paidInCash, standingBillOf } = aDesk(() => ({
  t,
  academic,
  clerk,
  second,
}))

describe('the approval limit', () => {
  const above = [403, 'above_approval_limit']
  const codeOf = async (pendingAnswer: ReturnType<TestActor['post']>) => {
    const answer = await pendingAnswer
    return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code]
  }

  test('applies to two waivers of 6 million as to one of 12 million', async () => {
    const { bill } = await aTuitionBill(30_000_000)
    const whole = await idOf(ask(bill.id, { kind: 'waiver', amount: 12_000_000 }))
    expect(await codeOf(decide(whole))).toEqual(above)
    await idOf(clerk.post(`/persetujuan/${whole}/withdraw`))
    await idOf(decide(await idOf(ask(bill.id, { kind: 'waiver', amount: 6_000_000 }))))
    const again = await idOf(ask(bill.id, { kind: 'waiver', amount: 6_000_000 }))
    const row = await rowOf(again)
    expect(row).toMatchObject({ amount: 6_000_000, approvedBefore: 6_000_000, whyNot: 'above_approval_limit' })
    expect(await codeOf(decide(again))).toEqual(above)
    expect(await codeOf(decide(again, true, await asStaff(t, 'Keuangan')))).toEqual(above)
    await idOf(decide(again, true, await asStaff(t, 'Administrator')))
    expect((await rowOf(again)).approvedBefore).toBe(6_000_000)
  })

  test('adds up over a replaced bill', async () => {
    const { bill } = await aTuitionBill(30_000_000)
    await idOf(decide(await idOf(ask(bill.id, { kind: 'waiver', amount: 6_000_000 }))))
    await idOf(decide(await idOf(ask(bill.id, { kind: 'discount', discountId: await aDiscount() }))))
    const next = await standingBillOf(bill.registrationId)
    expect(next.id).not.toBe(bill.id)
    expect(await codeOf(decide(await idOf(ask(next.id, { kind: 'waiver', amount: 4_000_001 }))))).toEqual(above)
  })

  test('applies to two approvals at once by two accounts: one is refused', async () => {
    const { bill } = await aTuitionBill(30_000_000)
    const ids = await Promise.all(
      [6_000_000, 6_000_001].map((amount) => idOf(clerk.post('/pembayaran-mahasiswa', cash(bill.id, amount)))),
    )
    const third = await asStaff(t, 'Keuangan')
    const answers = await Promise.all([decide(ids[0]!), decide(ids[1]!, true, third)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403])
    const { paid } = await billOf(bill.id)
    expect(paid).toBeLessThan(10_000_000)
  })

  test('does not count a payment entered by hand that was reversed', async () => {
    const { bill } = await aTuitionBill(30_000_000)
    const paymentId = await paidInCash(bill.id, 6_000_000)
    const other = await idOf(clerk.post('/pembayaran-mahasiswa', cash(bill.id, 7_000_000)))
    expect(await codeOf(decide(other))).toEqual(above)
    const back = { reason: 'Cek ditolak bank' }
    await idOf(decide(await idOf(clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, back))))
    expect(await codeOf(decide(other))).toBe(200)
  })

  test('adds up per registration, kind of bill and kind of request', async () => {
    const { bill, actor } = await aTuitionBill(30_000_000)
    const fee = await aBill(t, academic, {
      actor,
      lines: [{ description: 'Biaya', amount: 9_000_000 }],
      trackId: academic.tracks.achievement,
    })
    const stranger = await aTuitionBill(30_000_000)
    await idOf(decide(await idOf(ask(bill.id, { kind: 'waiver', amount: 6_000_000 }))))
    for (const billId of [fee.bill.id, stranger.bill.id])
      expect(await codeOf(decide(await idOf(ask(billId, { kind: 'waiver', amount: 6_000_000 }))))).toBe(200)
    const discountId = await aDiscount({ kind: 'fixed', value: 6_000_000 })
    expect(await codeOf(decide(await idOf(ask(bill.id, { kind: 'discount', discountId }))))).toBe(200)
  })

  async function rowOf(id: string) {
    const { data } = (await second.get('/persetujuan?per_page=100')).json()
    return data.find((row: { id: string }) => row.id === id)
  }
})
