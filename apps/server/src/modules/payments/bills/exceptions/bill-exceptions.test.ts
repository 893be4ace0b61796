import { describe, expect, test } from 'vitest'
import { aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  aTuitionBill,
  billOf,
  clerk,
  day,
  decide,
  ok,
  paidInCash,
  requestOf,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'

setDeskStage()

describe('exceptions for a bill', () => {
  const ask = (billId: string, body: object) => clerk.post(`/bills/${billId}/exceptions`, body)

  test('a waiver reduces the bill by a separate line and shrinks the last instalments first', async () => {
    const { bill } = await aTuitionBill({ installmentPlanId: await aPlan() })
    const before = await partsOf(bill.id)
    ok(await decide(second, ok(await ask(bill.id, { kind: 'waiver', amount: 1_500_000, reason: 'Anak yatim' })).id))
    expect(await billOf(bill.id)).toMatchObject({ total: 2_500_000, status: 'open' })
    const after = await partsOf(bill.id)
    expect(after[0]).toBe(before[0])
    expect(after.reduce((sum, amount) => sum + amount, 0)).toBe(2_500_000)
    const lines = await t.db.selectFrom('billLines').select('amount').where('billId', '=', bill.id).execute()
    expect(lines.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-1_500_000, 4_000_000])
  })

  test('a waiver of the whole remaining amount settles the bill', async () => {
    const { bill } = await aTuitionBill()
    await paidInCash(bill.id, 3_000_000)
    expect(
      (await ask(bill.id, { kind: 'waiver', amount: 1_000_001, reason: 'Terlalu besar' })).json().errors.amount,
    ).toBeDefined()
    ok(await decide(second, ok(await ask(bill.id, { kind: 'waiver', amount: 1_000_000, reason: 'Prestasi' })).id))
    expect(await billOf(bill.id)).toMatchObject({ total: 3_000_000, paid: 3_000_000, status: 'paid' })
  })

  test("after a sponsor's guarantee nothing more is owed, and money that still arrives waits", async () => {
    const { bill, actor } = await aTuitionBill()
    const account = await aVirtualAccount(actor, bill.id)
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh', reason: 'Beasiswa penuh' })).id,
      ),
    )
    expect(await billOf(bill.id)).toMatchObject({ status: 'guaranteed', paid: 0 })
    await aReport(t, { virtualAccountNumber: account.number, amount: 4_000_000 }).send()
    const [payment] = await t.db.selectFrom('payments').selectAll().where('billId', '=', bill.id).execute()
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 4_000_000 })
    expect(payment!.waitingSince).not.toBeNull()
  })

  test('another plan replaces the bill, and the paid money moves to the new bill', async () => {
    const { bill } = await aTuitionBill()
    await paidInCash(bill.id, 1_000_000)
    const plan = await aPlan()
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'installment_plan', installmentPlanId: plan, reason: 'Orang tua sakit' })).id,
      ),
    )
    expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
    const next = await t.db
      .selectFrom('bills')
      .selectAll()
      .where('registrationId', '=', bill.registrationId)
      .where('status', '<>', 'cancelled')
      .executeTakeFirstOrThrow()
    expect(next).toMatchObject({ total: 4_000_000, paid: 1_000_000, installmentPlanId: plan, status: 'partly_paid' })
  })

  test('the due date can be postponed for the bill or one instalment', async () => {
    const { bill } = await aTuitionBill({ installmentPlanId: await aPlan() })
    const [part] = await t.db
      .selectFrom('installments')
      .selectAll()
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const dueOn = new Date(t.clock.now().getTime() + 200 * day).toISOString().slice(0, 10)
    expect(
      (await ask(bill.id, { kind: 'due_date', dueOn: '2020-01-01', reason: 'Sudah lewat' })).json().errors.dueOn,
    ).toBeDefined()
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'due_date', installmentId: part!.id, dueOn, reason: 'Panen' })).id,
      ),
    )
    const now = await t.db
      .selectFrom('installments')
      .select('dueAt')
      .where('id', '=', part!.id)
      .executeTakeFirstOrThrow()
    expect(now.dueAt.toISOString().slice(0, 10)).toBe(dueOn)
  })

  test('a discount given by hand has a limited number of uses: of two approvals for the last use one succeeds', async () => {
    const discountId = await aDiscount({ maxUses: 1 })
    const [one, two] = [await aTuitionBill(), await aTuitionBill()]
    const requests = [one, two].map(
      async ({ bill }) => ok(await ask(bill.id, { kind: 'discount', discountId, reason: 'Kakak beradik' })).id,
    )
    const ids = await Promise.all(requests)
    const answers = await Promise.all(ids.map((id) => decide(second, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const { uses } = await t.db
      .selectFrom('discounts')
      .select('uses')
      .where('id', '=', discountId)
      .executeTakeFirstOrThrow()
    expect(uses).toBe(1)
    const lost = ids[answers.findIndex(({ statusCode }) => statusCode === 409)]!
    expect(await requestOf(lost)).toMatchObject({ status: 'pending' })
  })

  test('the payer gets a message with the current bill about approved exceptions, and none about rejected ones', async () => {
    const { bill, actor } = await aTuitionBill()
    const plan = await aPlan()
    const decideOn = async (billId: string, wish: object, approve: boolean) =>
      ok(await decide(second, ok(await ask(billId, { ...wish, reason: 'Diminta orang tua' })).id, approve))
    await decideOn(bill.id, { kind: 'waiver', amount: 500_000 }, false)
    await decideOn(bill.id, { kind: 'installment_plan', installmentPlanId: plan }, true)
    const newBill = await t.db
      .selectFrom('bills')
      .select(['id', 'number'])
      .where('registrationId', '=', bill.registrationId)
      .where('status', '=', 'open')
      .where('kind', '=', bill.kind)
      .executeTakeFirstOrThrow()
    await decideOn(newBill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh' }, true)
    const messages = await t.db
      .selectFrom('messages')
      .select(['event', 'subject'])
      .where('accountId', '=', actor.accountId)
      .where('channel', '=', 'inbox')
      .where('event', 'in', ['bill-changed', 'bill-let-off'])
      .orderBy('id')
      .execute()
    expect(messages.map(({ event }) => event).toSorted()).toEqual(['bill-changed', 'bill-let-off'])
    for (const { subject } of messages) expect(subject).toContain(newBill.number)
  })

  test('a second request of the same kind for a bill is refused, and so is any request for a settled bill', async () => {
    const { bill } = await aTuitionBill()
    ok(await ask(bill.id, { kind: 'waiver', amount: 1000, reason: 'Pertama' }))
    expect((await ask(bill.id, { kind: 'waiver', amount: 2000, reason: 'Kedua' })).json().code).toBe(
      'already_requested',
    )
    await paidInCash(bill.id, 4_000_000)
    expect((await ask(bill.id, { kind: 'guarantee', sponsor: 'Yayasan', reason: 'Terlambat' })).json().code).toBe(
      'wrong_status',
    )
  })

  const partsOf = async (billId: string) =>
    (
      await t.db.selectFrom('installments').select('amount').where('billId', '=', billId).orderBy('position').execute()
    ).map(({ amount }) => amount)

  let planCount = 0
  async function aPlan() {
    const { id } = await t.db
      .insertInto('installmentPlans')
      .values({ code: `MEJA-${++planCount}`, name: 'Empat kali' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('installmentTerms')
      .values([30, 60, 90, 120].map((dueDays, at) => ({ planId: id, shareBps: 2500, dueDays, sortOrder: at + 1 })))
      .execute()
    return id
  }

  async function aDiscount(values: { maxUses: number }) {
    const { id } = await t.db
      .insertInto('discounts')
      .values({
        code: `TANGAN-${++planCount}`,
        name: 'Potongan saudara',
        kind: 'fixed',
        value: '500000',
        appliesTo: 'fee_component',
        condition: 'manual',
        stackable: true,
        ...values,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
})
