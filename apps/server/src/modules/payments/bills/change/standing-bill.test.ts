import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { receiptCode, verifyReceipt } from '#server/modules/payments/money/receipts.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { untilLocked } from '#server-test/race-behind.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { cancelBills } from './cancel-bills.ts'
import { type Bill, issueBill } from './issue-bill.ts'
import { collectWaiting, reissueBill } from './reissue-bill.ts'
import { idAfter } from './standing-bill.ts'

const { paymentsOn } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let approver: TestActor
let officer: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
  approver = await asStaff(t)
  officer = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())
afterEach(() => assertBalanced(t))

const fee = 250_000
type Ready = Awaited<ReturnType<typeof aPayableNumber>>

/** A bill with an open number. */
async function aPayableNumber(options: BillDetails = {}) {
  const fixture = await aBill(t, academic, { amount: 250_000, ...options })
  return { ...fixture, number: (await aVirtualAccount(fixture.actor, fixture.bill.id)).number }
}
const tuition = (total = 13_500_000, more: BillDetails = {}) =>
  aPayableNumber({
    kind: 're_registration',
    lines: [
      { description: 'DPP', amount: total - 4_500_000, feeComponentId: academic.feeComponents.development },
      { description: 'SPP', amount: 4_500_000, feeComponentId: academic.feeComponents.semester },
    ],
    status: 'confirmed',
    accepted: true,
    ...more,
  })

/** Replaces the bill by one with another total. */
const replace = (billId: string, total = fee) =>
  inTransaction(t.services, systemActor, (context) =>
    reissueBill(context, billId, {
      lines: total > 0 ? [{ description: 'Biaya pendaftaran', amount: total }] : [],
      dueAt: new Date(Date.now() + 86_400_000),
      reason: 'made for a test',
    }),
  )
const report = (number: string, amount = fee) => aReport(t, { virtualAccountNumber: number, amount }).send()

const billsOf = ({ registration }: { registration: { id: string } }) =>
  t.db.selectFrom('bills').selectAll().where('registrationId', '=', registration.id).orderBy('id').execute()
const standingOf = async (fixture: Ready) => (await billsOf(fixture)).find(({ status }) => status !== 'cancelled')!

const after = async <T>(milliseconds: number, work: () => PromiseLike<T>) => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  return work()
}
let vouchers = 0
/** A voucher of ten percent that stacks. */
async function aVoucher(appliesTo: 'registration_fee' | 'fee_component') {
  const code = `SERENTAK-${++vouchers}`
  const { id } = await t.db
    .insertInto('discounts')
    .values({ code, name: code, kind: 'percent', value: 10, condition: 'voucher', appliesTo, stackable: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db.insertInto('vouchers').values({ discountId: id, code }).execute()
  return code
}

test("the id of a replacing bill sorts after its predecessor's, in the order of locks", () => {
  const pairs = Array.from({ length: 500 }, () => crypto.randomUUID()).map((id) => [id, idAfter(id)] as const)
  for (const [id, next] of [
    ...pairs,
    ['ffffffff-fffe-4fff-bfff-ffffffffffff', idAfter('ffffffff-fffe-4fff-bfff-ffffffffffff')],
  ]) {
    expect(next > id).toBe(true)
    expect(z.uuid().safeParse(next).success).toBe(true)
  }
})

describe('a payment on the number of a bill that was replaced', () => {
  test('pays the new bill, with a receipt', async () => {
    const fixture = await aPayableNumber()
    const next = await replace(fixture.bill.id, 200_000)
    expect((await report(fixture.number)).statusCode).toBe(200)
    expect(await standingOf(fixture)).toMatchObject({ id: next.id, status: 'paid', paid: 200_000 })
    const [payment] = await paymentsOn(fixture.number)
    expect(payment).toMatchObject({ billId: fixture.bill.id, waitingAmount: 50_000, waitingReason: 'overpaid' })
    expect(payment!.receiptNumber).not.toBeNull()
    const { data } = (await fixture.actor.get(`/pendaftaran/${fixture.registration.id}/bills`)).json()
    expect(data.bills.at(-1)).toMatchObject({ id: next.id, status: 'paid' })
  })

  test('pays the last of several replacing bills', async () => {
    const fixture = await aPayableNumber()
    const second = await replace(fixture.bill.id)
    const third = await replace(second.id)
    await report(fixture.number)
    expect(await standingOf(fixture)).toMatchObject({ id: third.id, status: 'paid' })
  })

  test('waits if the new bill is settled', async () => {
    const fixture = await aPayableNumber()
    const next = await replace(fixture.bill.id)
    await report((await aVirtualAccount(fixture.actor, next.id)).number)
    await report(fixture.number)
    expect((await paymentsOn(fixture.number))[0]).toMatchObject({ waitingAmount: fee, waitingReason: 'bill_settled' })
  })

  test('waits if the new bill was cancelled, because there is no bill to pay', async () => {
    const fixture = await aPayableNumber()
    await replace(fixture.bill.id)
    await inTransaction(t.services, systemActor, (context) =>
      cancelBills(context, fixture.registration.id, 'withdrawn'),
    )
    await report(fixture.number)
    expect((await paymentsOn(fixture.number))[0]).toMatchObject({ waitingAmount: fee, waitingReason: 'bill_closed' })
  })

  test('pays the first instalment of a bill with another plan', async () => {
    const fixture = await tuition()
    const next = await inTransaction(t.services, systemActor, (context) =>
      reissueBill(context, fixture.bill.id, {
        lines: [{ description: 'Uang kuliah', amount: 13_500_000 }],
        dueAt: new Date(),
        installmentPlanId: academic.plan,
        reason: 'made for a test',
      }),
    )
    await report(fixture.number, 5_400_000)
    const parts = await t.db
      .selectFrom('installments')
      .selectAll()
      .where('billId', '=', next.id)
      .orderBy('position')
      .execute()
    expect(parts.map(({ paid }) => paid)).toEqual([5_400_000, 0, 0])
  })

  test('waits for the lock if it arrives while the bill is being replaced, three times in a row, then pays the new bill', async () => {
    const fixture = await aPayableNumber()
    let last: Bill = fixture.bill
    for (let round = 0; round < 3; round++) {
      let sent: ReturnType<typeof report> | undefined
      const before = last
      last = await inTransaction(t.services, systemActor, async (context) => {
        const next = await reissueBill(context, before.id, {
          lines: [{ description: 'Biaya pendaftaran', amount: fee }],
          dueAt: new Date(Date.now() + 86_400_000),
          reason: 'made for a test',
        })
        sent = report(fixture.number, 50_000)
        // The report waits for the lock of the replaced bill.
        await untilLocked(t, 1)
        return next
      })
      expect((await sent!).statusCode).toBe(200)
    }
    expect(await standingOf(fixture)).toMatchObject({ id: last.id, paid: 150_000 })
    expect((await paymentsOn(fixture.number)).map(({ status }) => status)).toEqual(Array(3).fill('allocated'))
  })

  test('gets a receipt that names the bill it paid', async () => {
    const fixture = await aPayableNumber()
    const next = await replace(fixture.bill.id)
    await report(fixture.number)
    const [payment] = await paymentsOn(fixture.number)
    expect((await fixture.actor.get(`/payments/${payment!.id}/receipt.pdf`)).statusCode).toBe(200)
    const code = receiptCode(t.services.config.secretKey, payment!.id)
    expect(await verifyReceipt(t.services, code)).toMatchObject({ billNumber: next.number })
  })
})

describe('money that waits because its bill was closed', () => {
  test('pays the next bill of the same kind when it is issued', async () => {
    const fixture = await aPayableNumber()
    await inTransaction(t.services, systemActor, (context) => cancelBills(context, fixture.registration.id, 'closed'))
    await report(fixture.number, 100_000)
    const issue = (context: Context) =>
      issueBill(context, {
        registrationId: fixture.registration.id,
        accountId: fixture.registration.accountId,
        kind: 'registration_fee',
        lines: [{ description: 'Biaya pendaftaran', amount: fee }],
        dueAt: new Date(Date.now() + 86_400_000),
      })
    await inTransaction(t.services, systemActor, async (context) => collectWaiting(context, await issue(context)))
    expect(await standingOf(fixture)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
    expect((await paymentsOn(fixture.number))[0]).toMatchObject({
      status: 'allocated',
      receiptNumber: expect.any(String),
    })
  })
})

describe('a payment at the same moment as', () => {
  const rounds = 12
  const approved = async (billId: string, exception: object) => {
    const answer = await clerk.post(`/bills/${billId}/exceptions`, { ...exception, reason: 'Diminta pendaftar' })
    expect(answer.statusCode, answer.body).toBe(200)
    return () => approver.post(`/persetujuan/${answer.json().data.id}/decide`, { approve: true })
  }

  /** Each creates a bill and returns the action that replaces or reduces it. */
  const changes: Record<string, () => Promise<[Ready, () => Promise<{ statusCode: number; body: string }>]>> = {
    'a voucher': async () => {
      const fixture = await aPayableNumber()
      const code = await aVoucher('registration_fee')
      return [fixture, () => fixture.actor.post(`/pendaftaran/${fixture.registration.id}/vouchers`, { code })]
    },
    'a change of plan': async () => {
      const fixture = await tuition()
      return [fixture, await approved(fixture.bill.id, { kind: 'installment_plan', installmentPlanId: academic.plan })]
    },
    'a change of programme': async () => {
      const fixture = await tuition(10_000_000)
      const to = { programmeId: academic.programmes[1], classProgrammeId: academic.classProgramme }
      const path = `/pendaftaran/${fixture.registration.id}/programme-change`
      const preview = (await officer.post(`${path}/preview`, to)).json().data
      expect(preview.problems).toEqual([])
      return [fixture, () => officer.post(path, { ...to, seen: preview.seen, reason: 'Diminta pendaftar' })]
    },
    'a discount by approval': async () => {
      const fixture = await tuition()
      const code = `TANGAN-${++vouchers}`
      const { id } = await t.db
        .insertInto('discounts')
        .values({ code, name: code, kind: 'percent', value: 10, condition: 'manual', appliesTo: 'fee_component' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return [fixture, await approved(fixture.bill.id, { kind: 'discount', discountId: id })]
    },
    'a waiver by approval': async () => {
      const fixture = await tuition()
      return [fixture, await approved(fixture.bill.id, { kind: 'waiver', amount: 1_000_000 })]
    },
  }

  test.each(Object.keys(changes))(
    '%s: money fills the bill before any of it waits, and nothing deadlocks',
    async (name) => {
      let changed = 0
      for (let round = 0; round < rounds; round++) {
        const [fixture, change] = await changes[name]!()
        const part = Math.floor(fixture.bill.total / 5)
        // The change starts before, between and after the reports.
        const changing = after(10, change)
        const answers = await Promise.all([
          changing,
          after(round * 2, () => report(fixture.number, part)),
          after(round * 3, () => report(fixture.number, part)),
          ...(round % 2 ? [after(8, () => report(fixture.number, part))] : []),
        ])
        if ((await changing).statusCode === 200) changed++
        // 409 for a change of programme or an approval that another change preceded.
        for (const { statusCode, body } of answers) {
          expect([200, 409], body).toContain(statusCode)
          expect(body).not.toContain('stale_version')
        }
        const standing = await standingOf(fixture)
        const payments = await paymentsOn(fixture.number)
        const arrived = payments.reduce((sum, { amount }) => sum + amount, 0)
        expect(payments.length).toBe(round % 2 ? 3 : 2)
        expect(standing.paid).toBe(Math.min(arrived, standing.total))
        expect(payments.reduce((sum, { waitingAmount }) => sum + waitingAmount, 0)).toBe(arrived - standing.paid)
      }
      expect(changed).toBeGreaterThan(0)
    },
    120_000,
  )
})

describe('replacing a bill at the same moment as', () => {
  const rounds = 8
  test('entering another voucher leaves both on the bill', async () => {
    for (let round = 0; round < rounds; round++) {
      const fixture = await aPayableNumber()
      const codes = await Promise.all([aVoucher('registration_fee'), aVoucher('registration_fee')])
      const answers = await Promise.all(
        codes.map((code) => fixture.actor.post(`/pendaftaran/${fixture.registration.id}/vouchers`, { code })),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect((await standingOf(fixture)).total).toBe(fee * 0.8)
    }
  })

  test('removing its voucher leaves the other voucher only', async () => {
    for (let round = 0; round < rounds; round++) {
      const fixture = await aPayableNumber()
      const path = `/pendaftaran/${fixture.registration.id}/vouchers`
      await fixture.actor.post(path, { code: await aVoucher('registration_fee') })
      const [use] = (await fixture.actor.get(path)).json().data.vouchers
      const code = await aVoucher('registration_fee')
      const answers = await Promise.all([fixture.actor.post(path, { code }), fixture.actor.delete(`${path}/${use.id}`)])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect((await standingOf(fixture)).total).toBe(fee * 0.9)
      await assertBalanced(t)
    }
  })

  test('a withdrawal leaves nothing owed', async () => {
    for (let round = 0; round < rounds; round++) {
      const fixture = await aPayableNumber()
      const code = await aVoucher('registration_fee')
      const path = `/pendaftaran/${fixture.registration.id}`
      const [withdrawn] = await Promise.all([
        after(round * 2, () => fixture.actor.post(`${path}/withdraw`, { reason: 'Pindah kota' })),
        fixture.actor.post(`${path}/vouchers`, { code }),
        report(fixture.number, 50_000),
      ])
      expect(withdrawn.statusCode, withdrawn.body).toBe(200)
      expect((await billsOf(fixture)).map(({ status }) => status)).not.toContain('open')
      await assertBalanced(t)
    }
  })
})
