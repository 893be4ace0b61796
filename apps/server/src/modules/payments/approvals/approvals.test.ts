import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aDesk, idOf } from '#server-test/factories/desk.ts'
import { aReport, assertBalanced, aVirtualAccount, leave } from '#server-test/factories/payments.ts'
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

const dayMs = 86_400_000
const dayIn = (days: number) => new Date(t.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)
const { aDiscount, aTuitionBill, ask, billOf, cash, decide, paidInCash, requestOf, standingBillOf } = aDesk(() => ({
  t,
  academic,
  clerk,
  second,
}))

let codeCount = 0
const setDiscount = (id: string, value: number) =>
  t.db.updateTable('discounts').set({ value }).where('id', '=', id).execute()

/** Expects 409 `effect_changed` with the stored and the current effect. */
async function expectChanged(id: string) {
  const refused = await decide(id)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'effect_changed'])
  expect(await requestOf(id)).toMatchObject({ status: 'pending' })
  return refused.json().data as { stored: Record<string, unknown>; current: Record<string, unknown> }
}

describe('a request is approved only with the effect that was requested', () => {
  test('a discount raised from 1 % to 75 % is refused, and given after it was requested again', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const discountId = await aDiscount()
    const id = await idOf(ask(bill.id, { kind: 'discount', discountId }))
    expect(await requestOf(id)).toMatchObject({ amount: 40_000, effect: { amount: 40_000, totalAfter: 3_960_000 } })
    await setDiscount(discountId, 75)
    const { stored, current } = await expectChanged(id)
    expect([stored.change, current.change]).toEqual([-40_000, -3_000_000])
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', total: 4_000_000 })

    const renewed = await idOf(clerk.post(`/persetujuan/${id}/renew`))
    expect(await requestOf(id)).toMatchObject({ status: 'superseded', decidedBy: clerk.accountId })
    expect(await requestOf(renewed)).toMatchObject({ amount: 3_000_000, renews: id, requestedBy: clerk.accountId })
    await idOf(decide(renewed))
    expect(await standingBillOf(bill.registrationId)).toMatchObject({ total: 1_000_000 })
  })

  test('a renewed request is compared with the limit by its new sum', async () => {
    const { bill } = await aTuitionBill(20_000_000)
    const discountId = await aDiscount()
    const id = await idOf(ask(bill.id, { kind: 'discount', discountId }))
    await setDiscount(discountId, 75)
    const renewed = await idOf(clerk.post(`/persetujuan/${id}/renew`))
    expect((await decide(renewed)).json().code).toBe('above_approval_limit')
  })

  test('an account that renews a request cannot decide it', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const discountId = await aDiscount()
    const id = await idOf(ask(bill.id, { kind: 'discount', discountId }))
    expect((await second.post(`/persetujuan/${id}/renew`)).json().code).toBe('effect_unchanged')
    await setDiscount(discountId, 2)
    const reader = await asWithPermissions(t, ['persetujuan-view', 'persetujuan-update'])
    expect((await reader.post(`/persetujuan/${id}/renew`)).statusCode).toBe(403)
    const renewed = await idOf(second.post(`/persetujuan/${id}/renew`))
    expect((await decide(renewed)).json().code).toBe('own_request')
    expect((await clerk.post(`/persetujuan/${id}/renew`)).json().code).toBe('wrong_status')
    await idOf(decide(renewed, true, await asStaff(t, 'Keuangan')))
  })

  test('earlier askers cannot decide, however often other accounts renew the request', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const discountId = await aDiscount()
    const [third, fourth] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
    let id = await idOf(ask(bill.id, { kind: 'discount', discountId }))
    for (const [actor, percent] of [
      [second, 2],
      [third, 3],
    ] as const) {
      await setDiscount(discountId, percent)
      id = await idOf(actor.post(`/persetujuan/${id}/renew`))
    }
    for (const actor of [clerk, second, third]) {
      expect((await decide(id, true, actor)).json().code).toBe('own_request')
      expect((await decide(id, false, actor)).json().code).toBe('own_request')
    }
    const listed = (await clerk.get('/persetujuan?status=pending')).json().data
    expect(listed.find((row: { id: string }) => row.id === id).whyNot).toBe('own_request')
    await idOf(decide(id, true, fourth))
  })

  test.each([
    ['waiver', { kind: 'waiver', amount: 500_000 }],
    ['guarantee', { kind: 'guarantee', sponsor: 'Yayasan Contoh' }],
    ['later due date', { kind: 'due_date', dueOn: dayInTest(90) }],
    ['promise', { kind: 'promise', payBy: dayInTest(90) }],
  ])('a %s has to be requested again after a payment on the bill', async (_, wish) => {
    const { bill } = await aTuitionBill(4_000_000)
    const id = await idOf(ask(bill.id, wish))
    await paidInCash(bill.id, 1_000_000)
    const { stored, current } = await expectChanged(id)
    expect([stored.billPaid, current.billPaid]).toEqual([0, 1_000_000])
    const renewed = await idOf(clerk.post(`/persetujuan/${id}/renew`))
    await idOf(decide(renewed))
  })

  test('a renewed request is about the bill that replaced its bill', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const waiver = await idOf(ask(bill.id, { kind: 'waiver', amount: 500_000 }))
    await idOf(decide(await idOf(ask(bill.id, { kind: 'discount', discountId: await aDiscount() }))))
    const { current } = await expectChanged(waiver)
    const next = await standingBillOf(bill.registrationId)
    expect(current).toMatchObject({ bill: next.number, billTotal: 3_960_000, totalAfter: 3_460_000 })
    const renewed = await idOf(clerk.post(`/persetujuan/${waiver}/renew`))
    expect(await requestOf(renewed)).toMatchObject({ billId: next.id })
    await idOf(decide(renewed))
    expect(await billOf(next.id)).toMatchObject({ total: 3_460_000 })
  })

  test('an instalment plan has to be requested again after its terms changed', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const plan = await aPlan()
    const id = await idOf(ask(bill.id, { kind: 'installment_plan', installmentPlanId: plan }))
    await t.db
      .updateTable('installmentTerms')
      .set({ dueDays: 300 })
      .where('planId', '=', plan)
      .where('sortOrder', '=', 4)
      .execute()
    const { stored, current } = await expectChanged(id)
    expect((stored.parts as object[]).length).toBe(4)
    expect(stored.parts).not.toEqual(current.parts)
  })

  test('a reversal has to be requested again after the payment was moved to another bill', async () => {
    const { bill, actor } = await aTuitionBill(4_000_000)
    const other = await aTuitionBill(2_000_000, { actor, trackId: academic.tracks.achievement })
    const paymentId = await paidInCash(bill.id, 1_000_000)
    const id = await idOf(clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' }))
    const move = { billId: other.bill.id, amount: 400_000, reason: 'Diminta pendaftar' }
    await idOf(clerk.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, move))
    const { stored, current } = await expectChanged(id)
    expect(stored.fromBills).toEqual([{ name: bill.number, amount: 1_000_000 }])
    expect(current.fromBills).toHaveLength(2)
    await idOf(decide(await idOf(clerk.post(`/persetujuan/${id}/renew`))))
    expect(await billOf(other.bill.id)).toMatchObject({ paid: 0 })
  })

  test('a refund has to be requested again after the policy changed, and its payee cannot be changed', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const paymentId = await paidInCash(bill.id, 4_000_000)
    const policy = { code: 'SETUJU', name: '75 %', waveId: academic.wave, lastDay: dayIn(30), shareBps: 7500 }
    await t.db.insertInto('refundPolicies').values(policy).execute()
    await leave(t, bill.registrationId)
    const payee = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
    const wish = { amount: 1_000_000, ...payee, reason: 'Mengundurkan diri' }
    const id = await idOf(clerk.post(`/pembayaran-mahasiswa/${paymentId}/refund`, wish))
    await t.db.updateTable('refundPolicies').set({ shareBps: 5000 }).where('code', '=', 'SETUJU').execute()
    const { stored, current } = await expectChanged(id)
    expect([stored.policyPercent, current.policyPercent]).toEqual([75, 50])
    await expect(
      t.owner
        .updateTable('approvalRequests')
        .set({ details: JSON.stringify({ ...payee, accountNumber: '999' }) })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow(/cannot change/)
    const renewed = await idOf(clerk.post(`/persetujuan/${id}/renew`))
    await idOf(decide(renewed))
    const [refund] = await t.db.selectFrom('refunds').selectAll().where('paymentId', '=', paymentId).execute()
    expect(refund).toMatchObject(payee)
    await expect(
      t.db.updateTable('refunds').set({ accountNumber: '999' }).where('id', '=', refund!.id).execute(),
    ).rejects.toThrow(/what was approved/)
    await t.db.deleteFrom('refundPolicies').where('code', '=', 'SETUJU').execute()
  })

  test('the database refuses to change a request, to decide it twice, and to decide it without another account', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const id = await idOf(ask(bill.id, { kind: 'waiver', amount: 500_000 }))
    const set = (values: object) => t.owner.updateTable('approvalRequests').set(values).where('id', '=', id).execute()
    const other = await aTuitionBill(4_000_000)
    for (const values of [
      { amount: 4_000_000 },
      { kind: 'guarantee' },
      { effect: JSON.stringify({ amount: 1 }) },
      { details: JSON.stringify({}) },
      { billId: other.bill.id },
      { registrationId: other.bill.registrationId },
      { requestedBy: second.accountId },
      { reason: 'Sesuatu yang lain' },
      { status: 'approved', decidedBy: clerk.accountId, decidedAt: new Date() },
      { status: 'approved', decidedAt: new Date() },
    ])
      await expect(set(values), JSON.stringify(values)).rejects.toMatchObject({ code: '23514' })
    await idOf(decide(id, false))
    for (const values of [{ status: 'approved' }, { deciderLimit: 1 }, { deciderLimitKnown: false }])
      await expect(set(values), JSON.stringify(values)).rejects.toMatchObject({ code: '23514' })
    await expect(t.owner.deleteFrom('approvalRequests').where('id', '=', id).execute()).rejects.toThrow('keeps')
  })

  test('a request from before effects were stored has to be requested again', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const { id } = await t.db
      .insertInto('approvalRequests')
      .values({
        kind: 'waiver',
        registrationId: bill.registrationId,
        billId: bill.id,
        amount: 500_000,
        reason: 'Sesuai ketentuan',
        requestedBy: clerk.accountId,
        requestedAt: t.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await expectChanged(id)
    await idOf(decide(await idOf(clerk.post(`/persetujuan/${id}/renew`))))
    expect(await billOf(bill.id)).toMatchObject({ total: 3_500_000 })
  })

  async function aPlan() {
    const { id } = await t.db
      .insertInto('installmentPlans')
      .values({ code: `SETUJU-${++codeCount}`, name: 'Empat kali' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('installmentTerms')
      .values([30, 60, 90, 120].map((dueDays, at) => ({ planId: id, shareBps: 2500, dueDays, sortOrder: at + 1 })))
      .execute()
    return id
  }
})

/** `test.each` builds its rows before the test's clock exists. */
function dayInTest(days: number) {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
}

describe('asking, deciding and paying at once', () => {
  test('does not deadlock when bills swap their discounts', async () => {
    const [one, two] = [await aDiscount({ maxUses: 100 }), await aDiscount({ maxUses: 100 })]
    const before = await countDeadlocks(t)
    const bills = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const { bill } = await aTuitionBill(4_000_000)
        await idOf(decide(await idOf(ask(bill.id, { kind: 'discount', discountId: at % 2 ? one : two }))))
        return standingBillOf(bill.registrationId)
      }),
    )
    const requestIds = await Promise.all(
      bills.map(({ id }, at) => idOf(ask(id, { kind: 'discount', discountId: at % 2 ? two : one }))),
    )
    const answers = await Promise.all(requestIds.map((id) => decide(id)))
    expect(answers.map(({ json }) => json().code)).toEqual(Array(8).fill(undefined))
    expect(await countDeadlocks(t)).toBe(before)
  })

  test('does not deadlock over fifty rounds on one bill', async () => {
    await t.db.updateTable('approvalLimits').set({ most: null }).execute()
    const before = await countDeadlocks(t)
    const { bill, actor } = await aTuitionBill(1_000_000_000)
    const account = await aVirtualAccount(actor, bill.id)
    const discountId = await aDiscount({ kind: 'fixed', value: 1000 })
    const standing = () => standingBillOf(bill.registrationId)
    const outcomes: (string | number)[] = []
    const noted = async (answering: ReturnType<TestActor['post']>) => {
      const answer = await answering
      const { code, data } = answer.json()
      outcomes.push(code ?? answer.statusCode)
      return data?.id as string | undefined
    }
    const requestIds: string[] = []
    for (let round = 0; round < 50; round++) {
      const { id } = await standing()
      const waiting = requestIds.splice(0)
      const wishes = [
        { kind: 'waiver', amount: 1000 + round },
        round % 2 ? { kind: 'promise', payBy: dayIn(30 + round) } : { kind: 'due_date', dueOn: dayIn(30 + round) },
        { kind: 'discount', discountId },
      ]
      const results = await Promise.all([
        ...waiting.map((one) => noted(decide(one))),
        ...waiting.map((one) => noted(clerk.post(`/persetujuan/${one}/renew`))),
        ...wishes.map((wish) => noted(ask(id, wish))),
        noted(clerk.post('/pembayaran-mahasiswa', cash(id, 1000 + round))),
        aReport(t, { virtualAccountNumber: account.number, amount: 1000 }).send(),
      ])
      requestIds.push(...results.filter((one): one is string => typeof one === 'string'))
      const payments = await t.db.selectFrom('payments').select('id').where('billId', '=', id).limit(2).execute()
      const back = await Promise.all(
        payments.map((payment) =>
          noted(clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason: 'Cek ditolak bank' })),
        ),
      )
      requestIds.push(...back.filter((one) => one !== undefined))
    }
    expect(await countDeadlocks(t)).toBe(before)
    // A deadlock is answered with `stale_version`.
    expect(outcomes.filter((outcome) => outcome === 'stale_version' || outcome === 'internal')).toEqual([])
    expect(outcomes.filter((outcome) => outcome === 200).length).toBeGreaterThan(100)
  }, 120_000)
})
