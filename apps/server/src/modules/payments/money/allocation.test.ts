import { describe, expect, test } from 'vitest'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  academic,
  billOf,
  clerk,
  decide,
  give,
  moneyOfNobody,
  ok,
  reason,
  request,
  second,
  setSecondPersonStage,
  t,
  third,
} from '#server-test/stages/second-person-stage.ts'

setSecondPersonStage()

describe('money without a payer', () => {
  test('gets one owner for the whole payment, so the approval limit applies to its whole amount', async () => {
    const { paymentId } = await moneyOfNobody(8_000_000)
    const { bill, actor } = await aBill(t, academic, { amount: 250_000, name: 'Dewi Lestari' })
    const { approvalId } = ok(await give(clerk, paymentId, bill.id, 1_000))
    const stored = await request(approvalId)
    expect(stored).toMatchObject({ amount: 8_000_000, details: { amount: 1_000 } })
    expect(stored.effect).toMatchObject({
      toBill: 1_000,
      bill: bill.number,
      owner: expect.stringContaining('Dewi Lestari'),
    })
    ok(await decide(third, approvalId))
    // The money has an owner now, so a single clerk may allocate the rest to bills of that owner.
    expect(ok(await give(clerk, paymentId, bill.id, 2_000))).toEqual({ id: paymentId, approvalId: null })
    expect(await billOf(bill.id)).toMatchObject({ paid: 3_000 })
    const other = await aBill(t, academic, { amount: 250_000 })
    expect((await give(clerk, paymentId, other.bill.id, 1_000)).json().errors.billId).toBeDefined()
    expect(actor.accountId).toBe(bill.accountId)
  })

  test('needs a second person also if a bank reported it on an unknown number', async () => {
    await aReport(t, { virtualAccountNumber: '990017777777777', amount: 90_000 }).send()
    const { id } = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', '990017777777777')
      .executeTakeFirstOrThrow()
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const { approvalId } = ok(await give(clerk, id, bill.id, 90_000))
    expect(await billOf(bill.id)).toMatchObject({ paid: 0 })
    ok(await decide(second, approvalId))
    expect(await billOf(bill.id)).toMatchObject({ paid: 90_000 })
  })

  test('has one pending request: of two clerks who give it to different bills at once, one gets 409', async () => {
    const { paymentId } = await moneyOfNobody(200_000)
    const [first, other] = await Promise.all([
      aBill(t, academic, { amount: 250_000 }),
      aBill(t, academic, { amount: 250_000 }),
    ])
    const answers = await Promise.all([
      give(clerk, paymentId, first.bill.id, 200_000),
      give(second, paymentId, other.bill.id, 200_000),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const { approvalId } = answers.find(({ statusCode }) => statusCode === 200)!.json().data
    const decided = await Promise.all([third, third, third].map((actor) => decide(actor, approvalId)))
    expect(decided.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    const paid = await Promise.all([billOf(first.bill.id), billOf(other.bill.id)])
    expect(paid.reduce((sum, bill) => sum + bill.paid, 0)).toBe(200_000)
  })

  test('is not allocated to a bill that was paid meanwhile', async () => {
    const { paymentId } = await moneyOfNobody(250_000)
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { approvalId } = ok(await give(clerk, paymentId, bill.id, 250_000))
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
    expect((await decide(third, approvalId)).statusCode).toBe(409)
    expect(await billOf(bill.id)).toMatchObject({ paid: 250_000 })
    ok(await decide(third, approvalId, false))
  })

  test('does not deadlock with payments and approvals for the same bill', async () => {
    for (let round = 0; round < 4; round++) {
      const { paymentId } = await moneyOfNobody(100_000)
      const { bill, actor } = await aBill(t, academic, { lines: [{ description: 'Uang kuliah', amount: 900_000 }] })
      const { approvalId } = ok(await give(clerk, paymentId, bill.id, 100_000))
      const { number } = await aVirtualAccount(actor, bill.id)
      const { id: waiver } = ok(
        await clerk.post(`/bills/${bill.id}/exceptions`, { kind: 'waiver', amount: 50_000, reason }),
      )
      const answers = await Promise.all([
        decide(third, approvalId),
        decide(second, waiver),
        aReport(t, { virtualAccountNumber: number, amount: 200_000 }).send(),
        aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send(),
        give(second, paymentId, bill.id, 100_000),
      ])
      // A deadlock is answered with 409 `stale_version`.
      expect(answers.map((answer) => answer.json().code ?? 'ok')).not.toContain('stale_version')
    }
  })
})
