import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { reissueBill } from './reissue-bill.ts'

const { paymentOf } = readersOf(() => t)

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
  await t.db
    .insertInto('refundPolicies')
    .values({ code: 'SETENGAH', name: '50 %', waveId: academic.wave, lastDay: dayAfter(30), shareBps: 5_000 })
    .execute()
})
afterAll(() => t.close())
afterEach(() => assertBalanced(t))

const day = 86_400_000
const dayAfter = (days: number) => new Date(t.clock.now().getTime() + days * day).toISOString().slice(0, 10)
/** Total of the fixture's tuition matrix. */
const total = 13_500_000
type Ready = Awaited<ReturnType<typeof aTuitionNumber>>

/** A confirmed registration with its tuition bill and an open number. */
async function aTuitionNumber(options: BillDetails = {}) {
  const fixture = await aBill(t, academic, {
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount: total }],
    status: 'confirmed',
    accepted: true,
    ...options,
  })
  return { ...fixture, number: (await aVirtualAccount(fixture.actor, fixture.bill.id)).number }
}
/** A registration fee with an open number, for a registration in the status `submitted` or `verified`. */
async function aFeeNumber(status: 'submitted' | 'verified') {
  const fixture = await aBill(t, academic, { amount: 250_000, status })
  if (status === 'verified')
    await t.db
      .updateTable('registrations')
      .set({ paidAt: t.clock.now() })
      .where('id', '=', fixture.registration.id)
      .execute()
  return { ...fixture, number: (await aVirtualAccount(fixture.actor, fixture.bill.id)).number }
}
/** Reports a payment as the bank; returns the payment. */
async function pay(number: string, amount: number) {
  const { statusCode, body } = await aReport(t, { virtualAccountNumber: number, amount }).send()
  expect(statusCode, body).toBe(200)
  return t.db
    .selectFrom('payments')
    .selectAll()
    .where('virtualAccountNumber', '=', number)
    .orderBy('receivedAt', 'desc')
    .executeTakeFirstOrThrow()
}
const replace = (billId: string, amount: number) =>
  inTransaction(t.services, systemActor, (context) =>
    reissueBill(context, billId, {
      lines: [{ description: 'Uang kuliah', amount }],
      dueAt: new Date(Date.now() + day),
      reason: 'made for a test',
    }),
  )
const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const withdraw = async ({ actor, registration }: Ready) =>
  ok(await actor.post(`/pendaftaran/${registration.id}/withdraw`, { reason: 'Pindah kota' }))
const revert = ({ registration }: Ready) =>
  officer.post(`/pendaftaran/${registration.id}/revert-withdrawal`, { reason: 'Batal pindah' })
const refundable = async (id: string) => ok(await clerk.get(`/pembayaran-mahasiswa/${id}/refundable`))
const askRefund = async (id: string, amount: number) => {
  const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
  return ok(await clerk.post(`/pembayaran-mahasiswa/${id}/refund`, { amount, ...account, reason: 'Diminta' }))
    .id as string
}
const approve = (id: string) => approver.post(`/persetujuan/${id}/decide`, { approve: true })
const standingOf = ({ registration }: Ready) =>
  t.db
    .selectFrom('bills')
    .selectAll()
    .where('registrationId', '=', registration.id)
    .where('status', '<>', 'cancelled')
    .executeTakeFirst()

describe('refundable money', () => {
  test('is everything that arrived after the withdrawal, and by the policy what had paid for the place', async () => {
    const fixture = await aTuitionNumber()
    const before = await pay(fixture.number, 2_000_000)
    await withdraw(fixture)
    const late = await pay(fixture.number, 3_000_000)
    expect(await refundable(before.id)).toMatchObject({ waiting: 0, byPolicy: 1_000_000, most: 1_000_000 })
    expect(await refundable(late.id)).toMatchObject({ waiting: 3_000_000, byPolicy: 0, most: 3_000_000 })
    ok(await approve(await askRefund(late.id, 3_000_000)))
    expect(await paymentOf(late.id)).toMatchObject({ refundedAmount: 3_000_000, waitingAmount: 0 })
    ok(await approve(await askRefund(before.id, 1_000_000)))
    expect(await refundable(before.id)).toMatchObject({ most: 0 })
  })

  test('is everything that arrived on the number of a bill replaced before the withdrawal', async () => {
    const fixture = await aTuitionNumber()
    await replace(fixture.bill.id, 10_000_000)
    await withdraw(fixture)
    const late = await pay(fixture.number, 1_000_000)
    expect(late).toMatchObject({ waitingReason: 'bill_closed' })
    expect((await refundable(late.id)).most).toBe(1_000_000)
  })

  test("is an overpayment from before the withdrawal in full, beside the policy's share of what paid for the place", async () => {
    const fixture = await aTuitionNumber()
    const payment = await pay(fixture.number, 3_000_000)
    const smaller = await replace(fixture.bill.id, 2_000_000)
    await replace(smaller.id, 5_000_000)
    await withdraw(fixture)
    expect(await refundable(payment.id)).toMatchObject({ waiting: 1_000_000, byPolicy: 1_000_000, most: 2_000_000 })
  })

  test('stays limited by the policy when a part is allocated to another bill of the same applicant', async () => {
    const fixture = await aTuitionNumber()
    const other = await aTuitionNumber({ actor: fixture.actor, trackId: academic.tracks.achievement })
    const payment = await pay(fixture.number, 2_000_000)
    await withdraw(fixture)
    const wish = { billId: other.bill.id, amount: 400_000, reason: 'Diminta pendaftar' }
    ok(await clerk.post(`/pembayaran-mahasiswa/${payment.id}/allocate`, wish))
    expect(await paymentOf(payment.id)).toMatchObject({ waitingAmount: 1_600_000, waitingReason: 'bill_closed' })
    expect(await refundable(payment.id)).toMatchObject({ waiting: 0, byPolicy: 800_000, most: 800_000 })
  })

  test('follows the policy of the withdrawn registration if money of another registration was moved to its bill', async () => {
    const one = await aTuitionNumber()
    const endedPlace = await aTuitionNumber({ actor: one.actor, trackId: academic.tracks.achievement })
    const payment = await pay(one.number, 2_000_000)
    const wish = { billId: endedPlace.bill.id, amount: 1_200_000, reason: 'Diminta pendaftar' }
    ok(await clerk.post(`/pembayaran-mahasiswa/${payment.id}/allocate`, wish))
    await withdraw(endedPlace)
    // Money on the bill of the other registration is not refundable.
    expect(await refundable(payment.id)).toMatchObject({ waiting: 0, byPolicy: 600_000, most: 600_000 })
  })
})

describe('reverting a withdrawal', () => {
  test('allocates earlier and late payments to the new bill', async () => {
    const fixture = await aTuitionNumber()
    const before = await pay(fixture.number, 2_000_000)
    await withdraw(fixture)
    const late = await pay(fixture.number, 3_000_000)
    ok(await revert(fixture))
    expect(await standingOf(fixture)).toMatchObject({ status: 'partly_paid', total, paid: 5_000_000 })
    for (const { id } of [before, late])
      expect(await paymentOf(id)).toMatchObject({ status: 'allocated', receiptNumber: expect.any(String) })
    const messages = await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', fixture.actor.accountId)
      .execute()
    expect(messages.filter(({ event }) => event === 'payment-partial').length).toBeGreaterThanOrEqual(2)
  })

  test('leaves refunded and moved money where it is', async () => {
    const fixture = await aTuitionNumber()
    const other = await aTuitionNumber({ actor: fixture.actor, trackId: academic.tracks.achievement })
    const payment = await pay(fixture.number, 4_000_000)
    await withdraw(fixture)
    ok(await approve(await askRefund(payment.id, 1_500_000)))
    const wish = { billId: other.bill.id, amount: 500_000, reason: 'Diminta pendaftar' }
    ok(await clerk.post(`/pembayaran-mahasiswa/${payment.id}/allocate`, wish))
    ok(await revert(fixture))
    expect(await standingOf(fixture)).toMatchObject({ paid: 2_000_000 })
    expect(await standingOf(other)).toMatchObject({ paid: 500_000 })
    expect(await paymentOf(payment.id)).toMatchObject({ refundedAmount: 1_500_000, waitingAmount: 0 })
  })

  test('returns money that had been moved to the bill from another registration', async () => {
    const one = await aTuitionNumber()
    const endedPlace = await aTuitionNumber({ actor: one.actor, trackId: academic.tracks.achievement })
    const payment = await pay(one.number, 2_000_000)
    const wish = { billId: endedPlace.bill.id, amount: 1_200_000, reason: 'Diminta pendaftar' }
    ok(await clerk.post(`/pembayaran-mahasiswa/${payment.id}/allocate`, wish))
    await withdraw(endedPlace)
    ok(await revert(endedPlace))
    expect([(await standingOf(one))!.paid, (await standingOf(endedPlace))!.paid]).toEqual([800_000, 1_200_000])
  })

  test("lets money beyond the new bill's total wait as overpaid", async () => {
    const fixture = await aTuitionNumber({ lines: [{ description: 'Uang kuliah', amount: 20_000_000 }] })
    const payment = await pay(fixture.number, 15_000_000)
    await withdraw(fixture)
    ok(await revert(fixture))
    expect(await standingOf(fixture)).toMatchObject({ status: 'paid', paid: total })
    expect(await paymentOf(payment.id)).toMatchObject({ waitingAmount: 1_500_000, waitingReason: 'overpaid' })
    expect((await refundable(payment.id)).most).toBe(1_500_000)
  })

  test('makes the refunded part of a fully paid bill owed again', async () => {
    const fixture = await aTuitionNumber()
    const payment = await pay(fixture.number, total)
    await withdraw(fixture)
    ok(await approve(await askRefund(payment.id, total / 2)))
    expect(await standingOf(fixture)).toMatchObject({ status: 'paid', total: total / 2 })
    ok(await revert(fixture))
    expect(await standingOf(fixture)).toMatchObject({ status: 'partly_paid', total, paid: total / 2 })
  })

  test('makes a registration fee owed again if its money was moved away meanwhile', async () => {
    const fixture = await aFeeNumber('verified')
    const other = await aTuitionNumber({ actor: fixture.actor, trackId: academic.tracks.achievement })
    const payment = await pay(fixture.number, 250_000)
    await withdraw(fixture)
    const wish = { billId: other.bill.id, amount: 100_000, reason: 'Diminta pendaftar' }
    ok(await clerk.post(`/pembayaran-mahasiswa/${payment.id}/allocate`, wish))
    ok(await revert(fixture))
    expect(await standingOf(fixture)).toMatchObject({ status: 'partly_paid', total: 250_000, paid: 150_000 })
  })

  test('counts a fee that was settled just before the withdrawal', async () => {
    const fixture = await aFeeNumber('submitted')
    await pay(fixture.number, 250_000)
    await withdraw(fixture)
    await t.runJobs()
    ok(await revert(fixture))
    await t.runJobs()
    const { status } = await t.db
      .selectFrom('registrations')
      .select('status')
      .where('id', '=', fixture.registration.id)
      .executeTakeFirstOrThrow()
    // The bill has no lines besides the fee.
    expect(status).toBe('verified')
  })

  test('does not deadlock with a transaction that holds the waiting money and then locks the discount', async () => {
    const { id: discountId } = await t.db
      .insertInto('discounts')
      .values({ code: 'AWAL', name: 'Awal', kind: 'percent', value: 1, condition: 'early', appliesTo: 'fee_component' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const fixture = await aTuitionNumber()
    await withdraw(fixture)
    const late = await pay(fixture.number, 3_000_000)
    const before = await countDeadlocks(t)
    let reverted: ReturnType<typeof revert> | undefined
    await t.owner.transaction().execute(async (tx) => {
      await sql`SELECT FROM payments WHERE id = ${late.id} FOR UPDATE`.execute(tx)
      reverted = revert(fixture)
      await vi.waitFor(async () => {
        const { rows } = await sql`SELECT FROM pg_locks
          WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`.execute(tx)
        expect(rows).toHaveLength(1)
      }, 10_000)
      await sql`SELECT FROM discounts WHERE id = ${discountId} FOR UPDATE`.execute(tx)
    })
    ok(await reverted!)
    expect(await countDeadlocks(t)).toBe(before)
    await t.db.updateTable('discounts').set({ active: false }).where('id', '=', discountId).execute()
  }, 20_000)

  test('at the same moment as a late payment and an approved refund leaves no money waiting and counts none twice', async () => {
    for (let round = 0; round < 8; round++) {
      const fixture = await aTuitionNumber()
      const before = await pay(fixture.number, 2_000_000)
      await withdraw(fixture)
      const answer = await askRefund(before.id, 1_000_000)
      const [, reverted, refunded] = await Promise.all([
        aReport(t, { virtualAccountNumber: fixture.number, amount: 500_000 }).send(),
        revert(fixture),
        approve(answer),
      ])
      ok(reverted)
      expect([200, 409], refunded.body).toContain(refunded.statusCode)
      expect(refunded.body).not.toContain('stale_version')
      const back = refunded.statusCode === 200 ? 1_000_000 : 0
      expect(await standingOf(fixture)).toMatchObject({ paid: 2_500_000 - back })
      expect(await paymentOf(before.id)).toMatchObject({ waitingAmount: 0, refundedAmount: back })
      await assertBalanced(t)
    }
  }, 60_000)
})

describe('a request for a bill that was replaced before the decision', () => {
  const enter = async (billId: string, amount: number) =>
    ok(
      await clerk.post('/pembayaran-mahasiswa', {
        billId,
        amount,
        method: 'cash',
        paidAt: new Date(t.clock.now().getTime() - day).toISOString(),
        payerName: 'Ayah Sari',
      }),
    ).id as string

  test('books money entered by hand on the new bill', async () => {
    const fixture = await aTuitionNumber()
    const answer = await enter(fixture.bill.id, 1_000_000)
    await replace(fixture.bill.id, 10_000_000)
    ok(await approve(answer))
    expect(await standingOf(fixture)).toMatchObject({ paid: 1_000_000, status: 'partly_paid' })
  })

  test('lets money entered by hand wait if the bill was closed, refundable in full', async () => {
    const fixture = await aTuitionNumber()
    const answer = await enter(fixture.bill.id, 1_000_000)
    await withdraw(fixture)
    ok(await approve(answer))
    const payment = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('providerReference', '=', answer)
      .executeTakeFirstOrThrow()
    expect(payment).toMatchObject({ waitingAmount: 1_000_000, waitingReason: 'bill_closed' })
    expect((await refundable(payment.id)).most).toBe(1_000_000)
  })

  test('books money entered by hand if approved while the bill is being replaced', async () => {
    for (let round = 0; round < 8; round++) {
      const fixture = await aTuitionNumber()
      const answer = await enter(fixture.bill.id, 1_000_000)
      const [approved] = await Promise.all([approve(answer), replace(fixture.bill.id, 10_000_000)])
      ok(approved)
      expect(await standingOf(fixture)).toMatchObject({ paid: 1_000_000 })
    }
  })

  test('for a refund is refused; a new request takes the refund off the new bill', async () => {
    const fixture = await aTuitionNumber({ lines: [{ description: 'Uang kuliah', amount: 2_000_000 }] })
    const payment = await pay(fixture.number, 2_000_000)
    await withdraw(fixture)
    const answer = await askRefund(payment.id, 1_000_000)
    await replace(fixture.bill.id, 2_000_000)
    expect((await approve(answer)).json().code).toBe('effect_changed')
    ok(await clerk.post(`/persetujuan/${answer}/withdraw`))
    ok(await approve(await askRefund(payment.id, 1_000_000)))
    expect(await standingOf(fixture)).toMatchObject({ status: 'paid', total: 1_000_000, paid: 1_000_000 })
  })

  test('a replacing bill gets no second reminder within a day', async () => {
    const fixture = await aTuitionNumber()
    expect(ok(await clerk.post('/bills/remind', { ids: [fixture.bill.id] })).reminded).toBe(1)
    const next = await replace(fixture.bill.id, 10_000_000)
    expect(ok(await clerk.post('/bills/remind', { ids: [next.id] })).reminded).toBe(0)
  })
})
