import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import type { BankPeer } from '#server-test/peers/bank-peer.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

export type Subject = {
  /** Code of the provider and of its bank. */
  code: string
  bank: string
  peer: BankPeer
  /** Whether the bank is a separate server, which can be down or slow. */
  outside: boolean
  /** Whether a number must be created at the bank before it can be paid. */
  announced: boolean
  /** Result of asking about a number: the payment itself, or an alert for staff. */
  asking: 'payments' | 'hint'
  /** Whether the money has already moved when the report arrives; otherwise our refusal returns it to the payer. */
  moved: boolean
}

export const hour = 3_600_000
export const day = 24 * hour
/** Amount of every bill in the contract. */
export const fee = 250_000

/** A server with one provider, and the contract tests' actions on it; registers the hooks of its `describe`. */
export function contractWorld(setUp: (t: TestApp) => Promise<Subject>) {
  let t: TestApp
  let academic: AcademicFixture
  let subject: Subject

  beforeAll(async () => {
    t = await testApp({ config: { bankTimeoutMs: 700 } })
    academic = await academicFixture(t.db)
    subject = await setUp(t)
  }, 60_000)
  afterAll(async () => {
    await subject?.peer.close()
    await t.close()
  })
  afterEach(async () => {
    subject.peer.trouble = 'none'
    t.clock.reset()
    await assertBalanced(t)
  })

  const aPayableBill = () => aBill(t, academic, { amount: fee })
  const requestNumber = (actor: TestActor, billId: string) =>
    actor.post(`/bills/${billId}/virtual-account`, { bank: subject.bank })
  const { billOf, virtualAccountOf } = readersOf(() => t)
  const paymentsOn = (number: string) =>
    t.db.selectFrom('payments').selectAll().where('virtualAccountNumber', '=', number).orderBy('amount').execute()
  const alertsOf = (id: string) =>
    t.db.selectFrom('paymentAlerts').selectAll().where('virtualAccountId', '=', id).execute()
  /** Stored reports without a valid signature; none of them books money. */
  const readUnverified = () =>
    t.db.selectFrom('unverifiedReports').selectAll().where('provider', '=', subject.code).execute()
  const heldAlertsOf = (reference: string) =>
    t.db
      .selectFrom('paymentAlerts')
      .selectAll()
      .where('kind', '=', 'above_maximum')
      .where('provider', '=', subject.code)
      .where('providerReference', '=', reference)
      .execute()
  const runInvariants = () => checkInvariants(t.services)
  /** Decides about a held amount: one clerk requests, another approves. */
  async function decideAbout(alertId: string, decision: 'book' | 'dismiss') {
    const [clerk, approver] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
    const request = await clerk.post(`/payment-alerts/${alertId}/decision`, { decision, reason: 'Menurut dasbor' })
    expect(request.statusCode, request.body).toBe(200)
    return approver.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
  }
  /** Number of stored reports with a valid signature since an earlier count. */
  const reportsSince = async (before: number) => (await countStoredReports()) - before
  const countStoredReports = async () =>
    (
      await t.db
        .selectFrom('bankReports')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count

  /** A bill with an open transfer number. */
  async function openNumber() {
    const issuedBill = await aPayableBill()
    const answer = await requestNumber(issuedBill.actor, issuedBill.bill.id)
    expect(answer.statusCode, answer.body).toBe(200)
    const account = answer.json().data as { id: string; number: string; amount: number; status: string }
    expect(account).toMatchObject({ status: 'active', amount: fee })
    return { ...issuedBill, account }
  }
  const accepts = (verdicts: { verdict: string }[]) =>
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['accepted']))

  return {
    get t() {
      return t
    },
    get subject() {
      return subject
    },
    get peer() {
      return subject.peer
    },
    requestNumber,
    billOf,
    virtualAccountOf,
    paymentsOn,
    alertsOf,
    readUnverified,
    heldAlertsOf,
    runInvariants,
    decideAbout,
    reportsSince,
    countStoredReports,
    openNumber,
    accepts,
    aPayableBill,
  }
}

export type World = ReturnType<typeof contractWorld>
