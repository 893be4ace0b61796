import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { virtualAccountMaximum } from '#domain/payments/providers/virtual-account-number.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { forgetUnverifiedReports } from '#server/modules/payments/banks/forget-unverified-reports.job.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { tellWaiting } from '#server/modules/payments/bills/numbers/tell-banks.job.ts'
import { closeVirtualAccounts, expireVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, type TestActor } from './actors.ts'
import { type AcademicFixture, academicFixture } from './factories/academic.ts'
import { aBill, assertBalanced } from './factories/payments.ts'
import type { BankPeer } from './peers/bank-peer.ts'
import { readersOf } from './readers.ts'
import { type TestApp, testApp } from './test-app.ts'

export type Subject = {
  /** Code of the provider and of its bank. */
  code: string
  bank: string
  peer: BankPeer
  /** The bank is a separate server, which can be down or slow. */
  outside: boolean
  /** A number must be created at the bank before it can be paid. */
  announced: boolean
  /** Result of an inquiry about a number: the payment itself, or an alert for staff. */
  asking: 'payments' | 'hint'
  /** The money has already moved when the report arrives; otherwise our refusal returns it to the payer. */
  moved: boolean
}

const hour = 3_600_000
const day = 24 * hour
const fee = 250_000

/** Tests that every bank or gateway must pass, over real HTTP and on a real database. */
export function keepsProviderContract(name: string, setUp: (t: TestApp) => Promise<Subject>) {
  describe(`provider ${name}`, () => {
    let t: TestApp
    let academic: AcademicFixture
    let subject: Subject
    let peer: BankPeer

    beforeAll(async () => {
      t = await testApp({ config: { bankTimeoutMs: 700 } })
      academic = await academicFixture(t.db)
      subject = await setUp(t)
      peer = subject.peer
    }, 60_000)
    afterAll(async () => {
      await peer?.close()
      await t.close()
    })
    afterEach(async () => {
      peer.trouble = 'none'
      t.clock.reset()
      await assertBalanced(t)
    })

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
    /** Number of stored reports with a valid signature, beyond an earlier count. */
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
      const issuedBill = await aBill(t, academic, { amount: 250_000 })
      const answer = await requestNumber(issuedBill.actor, issuedBill.bill.id)
      expect(answer.statusCode, answer.body).toBe(200)
      const account = answer.json().data as { id: string; number: string; amount: number; status: string }
      expect(account).toMatchObject({ status: 'active', amount: fee })
      return { ...issuedBill, account }
    }
    const accepts = (verdicts: { verdict: string }[]) =>
      expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['accepted']))

    test('has a code, banks and prefixes that cannot be mixed up', async () => {
      const { code, banks } = (await findProvider(t.services, subject.code))!
      expect(code).toMatch(/^[a-z][a-z0-9-]{1,19}$/)
      expect(new Set(banks.map((bank) => bank.code)).size).toBe(banks.length)
      for (const bank of banks) {
        expect(bank.code.length).toBeLessThanOrEqual(20)
        if (bank.prefix === null) continue
        expect(bank.prefix).toMatch(/^\d+$/)
        expect(bank.prefix.length + bank.digits).toBeLessThanOrEqual(virtualAccountMaximum)
        for (const otherBank of banks)
          if (otherBank !== bank) expect(otherBank.prefix?.startsWith(bank.prefix)).not.toBe(true)
      }
    })

    describe('numbers', () => {
      test('issues a number the bank knows, with its amount and name', async () => {
        const { account } = await openNumber()
        expect(account.number).toMatch(/^\d{6,28}$/)
        if (!subject.announced) return
        expect(peer.account(account.number)).toMatchObject({ open: true, amount: fee, name: 'Sari Wulandari' })
      })

      test('ten requests at once: one number, requested once', async () => {
        const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
        const requestsBefore = peer.requestCount()
        const answers = await Promise.all(Array.from({ length: 10 }, () => requestNumber(actor, bill.id)))
        expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
        expect(new Set(answers.map((answer) => answer.json().data.number)).size).toBe(1)
        expect(answers[0]!.json().data.number).not.toBeNull()
        if (subject.announced && subject.outside) expect(peer.requestCount() - requestsBefore).toBe(1)
      })

      test('cancels: the bank closes the number after the transaction, and takes no more money', async () => {
        const { account } = await openNumber()
        await t.db.transaction().execute((tx) => closeVirtualAccounts(tx, t.services, { id: account.id }, 'cancel'))
        expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'cancelled' })
        await t.runJobs()
        expect(await virtualAccountOf(account.id)).toMatchObject({ tell: null })
        if (subject.announced) expect(peer.account(account.number)).toMatchObject({ open: false })
      })

      test('expires', async () => {
        const { account } = await openNumber()
        t.clock.set(new Date(Date.now() + 4 * day))
        await expireVirtualAccounts(t.services, t.db)
        await t.runJobs()
        expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'expired', tell: null })
        if (subject.announced) expect(peer.account(account.number)).toMatchObject({ open: false })
      })

      test('settled by one bank, the number of another is closed', async () => {
        const { account, bill, actor } = await openNumber()
        const other = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: 'sandbox-a' })).json()
        accepts([await peer.report(peer.receive(account.number, fee))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
        if (other.data) expect(await virtualAccountOf(other.data.id)).toMatchObject({ status: 'cancelled' })
      })
    })

    describe('a payment', () => {
      test('paid once', async () => {
        const { account, bill, actor } = await openNumber()
        accepts([await peer.report(peer.receive(account.number, fee))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
        expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid', received: fee })
        const [payment] = await paymentsOn(account.number)
        expect(payment).toMatchObject({ status: 'allocated', accountId: actor.accountId, provider: subject.code })
        const report = await t.db
          .selectFrom('bankReports')
          .selectAll()
          .where('id', '=', payment!.bankReportId)
          .executeTakeFirstOrThrow()
        expect(report).toMatchObject({ outcome: 'booked', virtualAccountId: account.id })
        expect(report.body.toString()).toContain(account.number)
      })

      test('reported twice: accepted both times, booked once', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        accepts([await peer.report(money), await peer.report(money)])
        expect(await paymentsOn(account.number)).toHaveLength(1)
        expect(await billOf(bill.id)).toMatchObject({ paid: fee })
      })

      test('reported twenty times at once', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        accepts(await Promise.all(Array.from({ length: 20 }, () => peer.report(money))))
        expect(await paymentsOn(account.number)).toHaveLength(1)
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      })

      test('two payments on two bills, reported in reverse order', async () => {
        const [first, second] = [await openNumber(), await openNumber()]
        const moneys = [peer.receive(first.account.number, fee), peer.receive(second.account.number, fee)]
        accepts([await peer.report(moneys[1]!), await peer.report(moneys[0]!), await peer.report(moneys[1]!)])
        for (const { bill } of [first, second]) expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      })

      test('reported three days late, long before the number expires', async () => {
        const { account, bill } = await openNumber()
        const at = new Date()
        const money = peer.receive(account.number, fee, at)
        t.clock.set(new Date(at.getTime() + 2 * day))
        accepts([await peer.report(money)])
        const [payment] = await paymentsOn(account.number)
        expect(Math.abs(payment!.paidAt.getTime() - at.getTime())).toBeLessThan(1_000)
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      })

      test('after the number expired, while the bill is still owed: it is paid', async () => {
        const { account, bill } = await openNumber()
        t.clock.set(new Date(Date.now() + 4 * day))
        await expireVirtualAccounts(t.services, t.db)
        accepts([await peer.report(peer.receive(account.number, fee))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
        expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid' })
      })

      test('after the number was cancelled, while the bill is still owed: it is paid', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        await t.db.transaction().execute((tx) => closeVirtualAccounts(tx, t.services, { id: account.id }, 'cancel'))
        accepts([await peer.report(money)])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      })

      test('after the bill was cancelled: it waits', async () => {
        const { account, bill, registration } = await openNumber()
        await t.db.transaction().execute((tx) => cancelBills(tx, t.services, systemActor, registration.id, 'withdrawn'))
        accepts([await peer.report(peer.receive(account.number, fee))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
        expect((await paymentsOn(account.number))[0]).toMatchObject({
          status: 'waiting',
          waitingAmount: fee,
          waitingReason: 'bill_closed',
        })
      })

      test('too little: the bill is partly paid', async () => {
        const { account, bill } = await openNumber()
        accepts([await peer.report(peer.receive(account.number, 100_000))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
      })

      test('too much: what fits is booked, the rest waits', async () => {
        const { account, bill } = await openNumber()
        accepts([await peer.report(peer.receive(account.number, fee + 50_000))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
        expect((await paymentsOn(account.number))[0]).toMatchObject({
          waitingAmount: 50_000,
          waitingReason: 'overpaid',
        })
      })

      test('paid twice: the second one waits whole', async () => {
        const { account, bill } = await openNumber()
        accepts([
          await peer.report(peer.receive(account.number, fee)),
          await peer.report(peer.receive(account.number, fee)),
        ])
        expect(await billOf(bill.id)).toMatchObject({ paid: fee })
        const payments = await paymentsOn(account.number)
        expect(payments.map(({ status }) => status).sort()).toEqual(['allocated', 'waiting'])
        expect(await virtualAccountOf(account.id)).toMatchObject({ received: 2 * fee })
      })

      test('on a number nobody knows: it is kept and waits', async () => {
        const prefix = (await findProvider(t.services, subject.code))!.banks[0]!.prefix ?? '9999'
        const number = `${prefix}${String(Date.now()).slice(-10)}`
        accepts([await peer.report(peer.receive(number, fee))])
        expect((await paymentsOn(number))[0]).toMatchObject({ status: 'waiting', waitingReason: 'unknown_number' })
      })
    })

    describe('an invalid report', () => {
      test('a wrong signature: refused, kept apart from the reports that count, nothing booked', async () => {
        const { account, bill } = await openNumber()
        const [reportsBefore, unverifiedBefore] = [await countStoredReports(), (await readUnverified()).length]
        const verdicts = await peer.report(peer.receive(account.number, fee), { signature: true })
        expect([verdicts.status, verdicts.verdict]).toEqual([401, 'refused'])
        expect([await reportsSince(reportsBefore), (await readUnverified()).length]).toEqual([0, unverifiedBefore + 1])
        expect(await paymentsOn(account.number)).toEqual([])
        expect(await billOf(bill.id)).toMatchObject({ status: 'open' })
      })

      test('broken JSON: refused, stored, nothing booked', async () => {
        const { account } = await openNumber()
        const storedBefore = (await countStoredReports()) + (await readUnverified()).length
        const verdicts = await peer.report(peer.receive(account.number, fee), { json: true })
        expect(verdicts.status).toBeGreaterThanOrEqual(400)
        expect(verdicts.status).toBeLessThan(500)
        // If the signature is a field of the JSON, broken JSON is unsigned.
        expect((await countStoredReports()) + (await readUnverified()).length).toBe(storedBefore + 1)
        expect(await paymentsOn(account.number)).toEqual([])
      })

      test('the same payment again with another amount: the first stays, staff are alerted', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, 100_000)
        await peer.report(money)
        const verdicts = await peer.report(money, { amount: fee })
        expect(verdicts.verdict).not.toBe('again')
        expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
        expect(await paymentsOn(account.number)).toHaveLength(1)
        await peer.report(money, { amount: fee })
        expect(await alertsOf(account.id)).toMatchObject([{ kind: 'contradicts', amount: fee, settledAt: null }])
      })
    })

    describe('above the maximum of the connection', () => {
      const tooMuch = 2_000_000_000

      test('the report is refused, or the money is held with one alert, however often it is reported', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, tooMuch)
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => peer.report(money)))
        expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(
          new Set([subject.moved ? 'accepted' : 'refused']),
        )
        expect(await paymentsOn(account.number)).toEqual([])
        expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
        const alerts = await heldAlertsOf(money.reference)
        expect(alerts).toHaveLength(subject.moved ? 1 : 0)
        if (!subject.moved) return expect(verdicts[0]!.body).toContain('4042513')
        expect(await runInvariants()).toMatchObject([
          { check: 'amount-held', label: `${subject.code} ${money.reference}` },
        ])
        expect((await decideAbout(alerts[0]!.id, 'dismiss')).statusCode).toBe(200)
        accepts([await peer.report(money)])
        expect(await paymentsOn(account.number)).toEqual([])
      })

      test('an amount no number holds is in no total and breaks none', async () => {
        const { account } = await openNumber()
        const clerk = await asStaff(t, 'Keuangan')
        const totals = async () => [
          (await clerk.get('/pembayaran-mahasiswa?per_page=1')).json().meta,
          (await clerk.get('/uang-menunggu')).json().meta,
          (await clerk.get(`/transaksi-va?q=${account.number}`)).json().meta,
        ]
        const totalsBefore = await totals()
        const money = peer.receive(account.number, 10_000_000_000_000_000)
        const verdicts = await peer.report(money)
        expect(verdicts.verdict).toBe(subject.moved ? 'accepted' : 'refused')
        expect(verdicts.status).toBeLessThan(500)
        expect(await totals()).toEqual(totalsBefore)
        if (!subject.moved) return
        const [alert] = await heldAlertsOf(money.reference)
        expect(alert).toMatchObject({ amount: null, told: { amountTold: expect.stringMatching(/^1?[09]/) } })
        const listed = (await clerk.get('/payment-alerts/held')).json().data
        expect(listed).toMatchObject([{ id: alert!.id, number: account.number, amount: null, asked: false }])
        const request = await clerk.post(`/payment-alerts/${alert!.id}/decision`, { decision: 'book', reason: 'Benar' })
        expect([request.statusCode, request.json().code]).toEqual([409, 'amount_beyond_books'])
        const settled = await (await asStaff(t)).post(`/payment-alerts/${alert!.id}/settle`, { note: 'Keliru' })
        expect([settled.statusCode, settled.json().code]).toEqual([409, 'needs_second_person'])
        expect((await decideAbout(alert!.id, 'dismiss')).statusCode).toBe(200)
      })

      test('booked by two people at once: one payment, and the rest of it waits', async ({ skip }) => {
        if (!subject.moved) skip('nothing is held')
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, tooMuch)
        await peer.report(money)
        const [alert] = await heldAlertsOf(money.reference)
        const clerk = await asStaff(t, 'Keuangan')
        const request = await clerk.post(`/payment-alerts/${alert!.id}/decision`, {
          decision: 'book',
          reason: 'Sesuai dasbor',
        })
        const { id } = request.json().data
        expect((await clerk.post(`/persetujuan/${id}/decide`, { approve: true })).json().code).toBe('own_request')
        const approvers = await Promise.all(Array.from({ length: 4 }, () => asStaff(t, 'Keuangan')))
        const answers = await Promise.all([
          ...approvers.map((actor) => actor.post(`/persetujuan/${id}/decide`, { approve: true })),
          ...Array.from({ length: 4 }, () => peer.report(money)),
        ])
        const decided = answers.slice(0, 4).map((answer) => (answer as { statusCode: number }).statusCode)
        expect(decided.sort()).toEqual([200, 409, 409, 409])
        expect(await paymentsOn(account.number)).toMatchObject([
          { amount: tooMuch, waitingAmount: tooMuch - fee, waitingReason: 'overpaid', approvalRequestId: id },
        ])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
        accepts([await peer.report(money)])
        expect(await paymentsOn(account.number)).toHaveLength(1)
      })

      test('found by asking the bank: held, not booked', async ({ skip }) => {
        if (subject.code.startsWith('midtrans')) skip('an order has the one amount it was made with')
        const { account, bill } = await openNumber()
        const { reference } = peer.receive(account.number, tooMuch)
        // The demo bank writes its books asynchronously.
        await new Promise((resolve) => setTimeout(resolve, 50))
        t.clock.set(new Date(Date.now() + hour))
        await askDue(t.services)
        expect(await paymentsOn(account.number)).toEqual([])
        expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
        if (subject.asking === 'hint')
          return expect(await alertsOf(account.id)).toMatchObject([{ kind: 'not_reported' }])
        expect(await heldAlertsOf(reference)).toMatchObject([{ amount: tooMuch, bankReportId: null }])
        // Includes held alerts of earlier tests, whose reports were refused.
        for (const { id } of (await (await asStaff(t)).get('/payment-alerts/held')).json().data)
          expect((await decideAbout(id, 'dismiss')).statusCode).toBe(200)
      })
    })

    describe('text that no column can store', () => {
      test.each(['2061-01-01T00:00:00Z', '1997-08-17T10:00:00+07:00'])(
        'a time that cannot be (%s): the arrival of the report, and staff read why',
        async (time) => {
          const { account, bill } = await openNumber()
          accepts([await peer.report(peer.receive(account.number, fee), { time })])
          const [payment] = await paymentsOn(account.number)
          expect(payment).toMatchObject({ paidAtTold: time })
          expect(payment!.receivedAt.getTime() - payment!.paidAt.getTime()).toBeLessThan(1_000)
          expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
          const detail = (await (await asStaff(t, 'Keuangan')).get(`/pembayaran-mahasiswa/${payment!.id}`)).json().data
          expect(detail.paidAtTold).toBe(time)
        },
      )

      test('a time 399 days ago is accepted', async () => {
        const { account } = await openNumber()
        const at = new Date(Date.now() - 399 * day)
        await t.db.updateTable('virtualAccounts').set({ createdAt: at }).where('id', '=', account.id).execute()
        accepts([await peer.report(peer.receive(account.number, fee, at))])
        const [payment] = await paymentsOn(account.number)
        expect(payment!.paidAtTold).toBeNull()
        expect(Math.abs(payment!.paidAt.getTime() - at.getTime())).toBeLessThan(1_000)
      })

      test.each([
        ['too long', { reference: 'R'.repeat(5_000), channel: 'C'.repeat(5_000) }],
        ['with NUL', { reference: 'REF\u0000-1', channel: 'ATM\u0000' }],
        ['with half a character', { reference: 'REF\ud800-2', channel: '\udc00ATM' }],
      ])('a reference and channel %s: refused in the words of the bank, or cut and booked', async (_, spoilt) => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        const verdicts = [await peer.report(money, spoilt), await peer.report(money, spoilt)]
        expect(verdicts.map(({ status }) => status)).toEqual(subject.moved ? [200, 200] : [400, 400])
        const payments = await paymentsOn(account.number)
        expect(payments).toHaveLength(subject.moved ? 1 : 0)
        expect(await billOf(bill.id)).toMatchObject({ status: subject.moved ? 'paid' : 'open' })
        if (!subject.moved) return expect(JSON.parse(verdicts[0]!.body).responseCode).toMatch(/^400250[01]$/)
        const { body } = await t.db
          .selectFrom('bankReports')
          .select('body')
          .where('id', '=', payments[0]!.bankReportId)
          .executeTakeFirstOrThrow()
        // The stored bytes keep the original text.
        expect(body.toString()).toContain(JSON.stringify(spoilt.reference).slice(1, -1))
      })

      test('two references that begin alike for longer than the column are two payments', async ({ skip }) => {
        if (!subject.moved) skip('they are refused')
        const { account } = await openNumber()
        const longReference = 'X'.repeat(100)
        for (const end of ['1', '2'])
          accepts([await peer.report(peer.receive(account.number, 100_000), { reference: `${longReference}${end}` })])
        expect(await paymentsOn(account.number)).toHaveLength(2)
      })
    })

    describe('a flood without signatures', () => {
      test('is answered 429 after a while, stores few rows, and does not block signed reports', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        t.clock.set(new Date(Date.now() + hour))
        const unverifiedBefore = (await readUnverified()).length
        const verdicts = await Promise.all(Array.from({ length: 100 }, () => peer.report(money, { signature: true })))
        const statuses = verdicts.map(({ status }) => status)
        expect(statuses.filter((status) => status === 401)).toHaveLength(60)
        expect(statuses.filter((status) => status === 429)).toHaveLength(40)
        expect((await readUnverified()).length - unverifiedBefore).toBe(60)
        const [limited] = verdicts.filter(({ status }) => status === 429)
        expect(JSON.parse(limited!.body)).toMatchObject(
          subject.moved ? { result: expect.any(String) } : { responseCode: '4292500' },
        )
        accepts([await peer.report(money)])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      })

      test('is deleted after 30 days, signed reports are not', async () => {
        const { account } = await openNumber()
        const money = peer.receive(account.number, fee)
        await peer.report(money, { signature: true })
        await peer.report(money)
        const counting = await countStoredReports()
        t.clock.set(new Date(Date.now() + 29 * day))
        await forgetUnverifiedReports.run(t.services, {})
        expect((await readUnverified()).length).toBeGreaterThan(0)
        t.clock.set(new Date(Date.now() + 31 * day))
        await forgetUnverifiedReports.run(t.services, {})
        expect(await readUnverified()).toEqual([])
        expect(await countStoredReports()).toBe(counting)
        await expect(t.db.deleteFrom('bankReports').execute()).rejects.toThrow()
      })
    })

    describe('a payment taken back by the finance office', () => {
      async function takenBack() {
        const readyBill = await openNumber()
        const money = peer.receive(readyBill.account.number, fee)
        accepts([await peer.report(money)])
        const [payment] = await paymentsOn(readyBill.account.number)
        const [clerk, approver] = [await asStaff(t, 'Keuangan'), await asStaff(t)]
        const path = `/pembayaran-mahasiswa/${payment!.id}/reversal`
        const request = await clerk.post(path, { reason: 'Menurut rekening koran tidak pernah masuk' })
        const decided = await approver.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
        expect(decided.statusCode, decided.body).toBe(200)
        return { ...readyBill, money, payment: payment! }
      }

      test('reported again, however often: it stays taken back, and staff are alerted once', async () => {
        const { account, bill, money, payment } = await takenBack()
        accepts([await peer.report(money), await peer.report(money)])
        accepts([await peer.report(money)])
        expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
        expect((await paymentsOn(account.number))[0]).toMatchObject({ status: 'reversed', waitingAmount: 0 })
        expect(await alertsOf(account.id)).toMatchObject([
          { kind: 'reported_after_reversal', paymentId: payment.id, settledAt: null },
        ])
      })

      test('found by asking the bank: staff are alerted as well', async () => {
        const { account, bill, payment } = await takenBack()
        t.clock.set(new Date(Date.now() + 2 * hour))
        await askDue(t.services)
        expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
        expect(await alertsOf(account.id)).toMatchObject([{ kind: 'reported_after_reversal', paymentId: payment.id }])
      })
    })

    describe('a report that never came', () => {
      test('the sweep asks the bank and finds the payment, once', async () => {
        const { account, bill } = await openNumber()
        const money = peer.receive(account.number, fee)
        t.clock.set(new Date(Date.now() + hour))
        await askDue(t.services)
        if (subject.asking === 'hint') {
          // This payment may still be reported, so an alert is raised instead of booking it.
          expect(await alertsOf(account.id)).toMatchObject([{ kind: 'not_reported', amount: fee }])
          expect(await billOf(bill.id)).toMatchObject({ status: 'open' })
        } else expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
        accepts([await peer.report(money)])
        expect(await paymentsOn(account.number)).toHaveLength(1)
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      })

      test('an unpaid number is asked about less and less often', async () => {
        const { account } = await openNumber()
        const times: number[] = []
        for (let round = 0; round < 4; round++) {
          const { askAt } = await virtualAccountOf(account.id)
          times.push(askAt!.getTime())
          t.clock.set(new Date(askAt!.getTime() + 1_000))
          await askDue(t.services)
        }
        const gaps = times.slice(1).map((time, index) => time - times[index]!)
        expect(gaps[1]!).toBeGreaterThan(gaps[0]!)
        expect(gaps[2]!).toBeGreaterThan(gaps[1]!)
      })
    })

    describe('a bank in trouble', () => {
      /** Skips banks within the product and banks that ask the university: their numbers cannot fail to be created. */
      const onlyWhereAsked = (skip: (note: string) => void) => {
        if (!subject.outside || !subject.announced) skip('this bank is not asked for numbers')
      }

      test.for(['down', 'slow'] as const)(
        '%s: the number is promised, and there when the bank is back',
        async (trouble, { skip }) => {
          onlyWhereAsked(skip)
          const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
          peer.trouble = trouble
          const answer = await requestNumber(actor, bill.id)
          expect(answer.statusCode, answer.body).toBe(200)
          expect(answer.json().data).toMatchObject({ status: 'pending', delayed: true })
          // The bill is not blocked: another bank can still issue a number.
          const other = await actor.post(`/bills/${bill.id}/virtual-account`, { bank: subject.bank })
          expect(other.json().data).toMatchObject({ status: 'pending', id: answer.json().data.id })
          peer.trouble = 'none'
          t.clock.set(new Date(Date.now() + 10 * 60_000))
          await t.runJobs()
          const account = await virtualAccountOf(answer.json().data.id)
          expect(account).toMatchObject({ status: 'active', problem: null })
          expect(peer.account(account.number!)).toMatchObject({ open: true })
        },
      )

      test('the answer was lost: asked again, the bank has one number for it', async ({ skip }) => {
        onlyWhereAsked(skip)
        const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
        peer.trouble = 'answer_lost'
        expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'pending' })
        peer.trouble = 'none'
        t.clock.set(new Date(Date.now() + 10 * 60_000))
        const { data } = (await requestNumber(actor, bill.id)).json()
        expect(data).toMatchObject({ status: 'active' })
        accepts([await peer.report(peer.receive(data.number, fee))])
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      })

      test('cancelled while the bank was down: the bank closes the number later', async ({ skip }) => {
        onlyWhereAsked(skip)
        const { account } = await openNumber()
        peer.trouble = 'down'
        await t.db.transaction().execute((tx) => closeVirtualAccounts(tx, t.services, { id: account.id }, 'cancel'))
        await t.runJobs()
        expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'cancelled', tell: 'cancel', tellTries: 1 })
        expect(peer.account(account.number)).toMatchObject({ open: true })
        peer.trouble = 'none'
        t.clock.set(new Date(Date.now() + hour))
        await tellWaiting(t.services)
        expect(await virtualAccountOf(account.id)).toMatchObject({ tell: null })
        expect(peer.account(account.number)).toMatchObject({ open: false })
      })

      test('after several failures the bank is not called for half a minute, and no payer waits for it', async ({
        skip,
      }) => {
        onlyWhereAsked(skip)
        t.clock.set(new Date())
        const bills = await Promise.all(Array.from({ length: 6 }, () => aBill(t, academic, { amount: 250_000 })))
        peer.trouble = 'down'
        for (const { bill, actor } of bills.slice(0, 5)) await requestNumber(actor, bill.id)
        peer.trouble = 'slow'
        const startMs = performance.now()
        const { bill, actor } = bills[5]!
        expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'pending', delayed: true })
        expect(performance.now() - startMs).toBeLessThan(500)
        peer.trouble = 'none'
        t.clock.set(new Date(Date.now() + 5 * 60_000))
        expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'active' })
      })
    })
  })
}
