import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dateTime, rupiah } from '#locales/format.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { expireVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { signedBytes, signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf, paymentsOn, virtualAccountOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
const hour = 3_600_000

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

const outcomesIn = async (table: 'bankReports' | 'unverifiedReports', body: Buffer | string) =>
  (await t.db.selectFrom(table).select('outcome').where('body', '=', Buffer.from(body)).execute())
    .map((row) => row.outcome)
    .sort()
const outcomesOf = (body: Buffer | string) => outcomesIn('bankReports', body)

async function aPayableNumber(options: BillDetails = {}) {
  const fixture = await aBill(t, academic, { amount: 250_000, ...options })
  return { ...fixture, account: await aVirtualAccount(fixture.actor, fixture.bill.id) }
}

describe('a bank reports a payment', () => {
  test('a payment in full settles bill and number, with a receipt and a message', async () => {
    const { bill, account, actor } = await aPayableNumber()
    const answer = await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect(answer.statusCode).toBe(200)
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid' })
    const [payment] = await paymentsOn(account.number)
    expect(payment).toMatchObject({ status: 'allocated', waitingAmount: 0, accountId: actor.accountId })
    expect(payment!.receiptNumber).toMatch(/^KW-\d{4}-\d{6}$/)
    const inbox = await t.db.selectFrom('messages').select('event').where('accountId', '=', actor.accountId).execute()
    expect(inbox.map((message) => message.event)).toContain('payment-received')
  })

  test('the bytes of the report are stored unchanged, with the outcome', async () => {
    const { account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
    await report.send()
    const [payment] = await paymentsOn(account.number)
    const stored = await t.db
      .selectFrom('bankReports')
      .selectAll()
      .where('id', '=', payment!.bankReportId)
      .executeTakeFirstOrThrow()
    expect(stored.body.equals(report.body)).toBe(true)
    expect(stored).toMatchObject({ provider: 'sandbox', outcome: 'booked' })
    expect(stored.answeredAt).not.toBeNull()
  })

  test('twenty identical reports at once make one payment', async () => {
    const { bill, account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 100_000 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => report.send()))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(200)
    expect(await paymentsOn(account.number)).toHaveLength(1)
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
  })

  test('the same report to two servers makes one payment', async () => {
    const second = await testApp({ sameDatabaseAs: t })
    try {
      const { account } = await aPayableNumber()
      const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
      const elsewhere = () =>
        second.app.inject({
          method: 'POST',
          url: '/api/providers/sandbox/report',
          headers: report.headers,
          payload: report.body,
        })
      const answers = await Promise.all([report.send(), elsewhere(), report.send(), elsewhere()])
      expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
      expect(await paymentsOn(account.number)).toHaveLength(1)
    } finally {
      await second.close()
    }
  })

  test('a settled bill is published once, in the transaction that settles it', async () => {
    const { bill, account } = await aPayableNumber()
    const countSettleJobs = async () => {
      const { rows } = await sql<{ name: string }>`
        SELECT name FROM pgboss.job WHERE data->>'billId' = ${bill.id} AND name = 'settle-registration-fee'`.execute(
        t.db,
      )
      return rows.length
    }
    await aReport(t, { virtualAccountNumber: account.number, amount: 100_000 }).send()
    expect(await countSettleJobs()).toBe(0)
    const rest = aReport(t, { virtualAccountNumber: account.number, amount: 150_000 })
    await Promise.all([rest.send(), rest.send(), rest.send()])
    expect(await countSettleJobs()).toBe(1)
  })

  test('two halves at the same moment settle the bill', async () => {
    const { bill, account } = await aPayableNumber()
    const half = () => aReport(t, { virtualAccountNumber: account.number, amount: 125_000 }).send()
    await Promise.all([half(), half()])
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    expect(await paymentsOn(account.number)).toHaveLength(2)
  })

  test('an underpaid number stays open for the rest', async () => {
    const { bill, account, actor, registration } = await aPayableNumber()
    await aReport(t, { virtualAccountNumber: account.number, amount: 100_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    expect(data.bills[0].virtualAccounts[0]).toMatchObject({ status: 'active', amount: 150_000 })
    expect(data.bills[0].next).toMatchObject({ amount: 150_000 })
    await aReport(t, { virtualAccountNumber: account.number, amount: 150_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
  })

  test('an overpayment is booked up to the total, and the rest waits', async () => {
    const { bill, account, actor } = await aPayableNumber()
    await aReport(t, { virtualAccountNumber: account.number, amount: 300_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    const [payment] = await paymentsOn(account.number)
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 50_000, waitingReason: 'overpaid' })
    expect(payment!.receiptNumber).not.toBeNull()
    const inbox = await t.db.selectFrom('messages').select('event').where('accountId', '=', actor.accountId).execute()
    expect(inbox.map((message) => message.event)).toContain('payment-waiting')
  })

  test('a second payment with another reference waits in full', async () => {
    const { bill, account } = await aPayableNumber()
    const pay = () => aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    const answers = await Promise.all([pay(), pay()])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200])
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    const payments = await paymentsOn(account.number)
    expect(payments.map((payment) => payment.status).sort()).toEqual(['allocated', 'waiting'])
    const waiting = payments.find((payment) => payment.status === 'waiting')
    expect(waiting).toMatchObject({ waitingAmount: 250_000, waitingReason: 'bill_settled', receiptNumber: null })
  })

  test('an expired number still pays the bill while it is owed', async () => {
    const { bill, account } = await aPayableNumber()
    t.clock.set(new Date(Date.now() + 80 * hour))
    expect(await expireVirtualAccounts(t.services)).toBeGreaterThan(0)
    expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'expired' })
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid' })
  })

  test('a replaced number still pays the bill', async () => {
    const { bill, account, actor } = await aPayableNumber()
    await t.db
      .updateTable('virtualAccounts')
      .set({ expiresAt: new Date(Date.now() - hour) })
      .where('id', '=', account.id)
      .execute()
    const fresh = await aVirtualAccount(actor, bill.id)
    expect(fresh.number).not.toBe(account.number)
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    expect(await virtualAccountOf(fresh.id)).toMatchObject({ status: 'cancelled' })
  })

  test('a payment for a cancelled bill waits', async () => {
    const { bill, account, registration } = await aPayableNumber()
    await inTransaction(t.services, systemActor, (context) => cancelBills(context, registration.id, 'withdrawn'))
    expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'cancelled' })
    const answer = await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect(answer.statusCode).toBe(200)
    expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
    const [payment] = await paymentsOn(account.number)
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 250_000, waitingReason: 'bill_closed' })
  })

  test('a payment at the same moment as the cancellation is either booked or waits', async () => {
    const { bill, account, registration } = await aPayableNumber()
    await Promise.all([
      aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send(),
      inTransaction(t.services, systemActor, (context) => cancelBills(context, registration.id, 'withdrawn')),
    ])
    const { status } = await billOf(bill.id)
    const [payment] = await paymentsOn(account.number)
    expect(payment!.status).toBe(status === 'paid' ? 'allocated' : 'waiting')
  })

  test('cancelling a partly paid bill returns its money to the waiting queue', async () => {
    const { bill, account, registration } = await aPayableNumber()
    await aReport(t, { virtualAccountNumber: account.number, amount: 90_000 }).send()
    await inTransaction(t.services, systemActor, (context) => cancelBills(context, registration.id, 'withdrawn'))
    expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
    expect((await paymentsOn(account.number))[0]).toMatchObject({ status: 'waiting', waitingAmount: 90_000 })
  })

  test('a payment on an unknown number is accepted and waits', async () => {
    const number = '990019999999999'
    const answer = await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
    expect(answer.statusCode).toBe(200)
    const [payment] = await paymentsOn(number)
    expect(payment).toMatchObject({ status: 'waiting', waitingReason: 'unknown_number', waitingAmount: 250_000 })
    expect(payment!.accountId).toBeNull()
  })

  test('a repeated report with another amount changes nothing', async () => {
    const { bill, account } = await aPayableNumber()
    const reference = `CHANGED-${account.number}`
    await aReport(t, { virtualAccountNumber: account.number, reference, amount: 100_000 }).send()
    const changed = aReport(t, { virtualAccountNumber: account.number, reference, amount: 250_000 })
    expect((await changed.send()).statusCode).toBe(409)
    expect(await outcomesOf(changed.body)).toEqual(['contradicts'])
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
    expect(await paymentsOn(account.number)).toHaveLength(1)
  })
})

describe('a report that is not genuine', () => {
  test('with a wrong signature gets 401 and is stored apart, and nothing is booked', async () => {
    const { bill, account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
    const answer = await report.send({ headers: { 'x-sandbox-signature': 'ab'.repeat(32) } })
    expect(answer.statusCode).toBe(401)
    expect(await outcomesOf(report.body)).toEqual([])
    expect(await outcomesIn('unverifiedReports', report.body)).toEqual(['wrong_signature'])
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
  })

  test('without a signature or with a short one gets 401', async () => {
    const { account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
    const { 'x-sandbox-signature': _, ...headers } = report.headers
    const inject = (changed: Record<string, string>) =>
      t.app.inject({ method: 'POST', url: '/api/providers/sandbox/report', headers: changed, payload: report.body })
    expect((await inject(headers)).statusCode).toBe(401)
    expect((await inject({ ...headers, 'x-sandbox-signature': 'ab' })).statusCode).toBe(401)
    expect(await paymentsOn(account.number)).toEqual([])
  })

  test('with a changed amount gets 401', async () => {
    const { account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 1_000 })
    const answer = await report.send({ body: report.body.toString().replace('1000', '250000') })
    expect(answer.statusCode).toBe(401)
    expect(await paymentsOn(account.number)).toEqual([])
  })

  test('with an added space gets 401, because the signature covers bytes', async () => {
    const { account } = await aPayableNumber()
    const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
    expect((await report.send({ body: `${report.body} ` })).statusCode).toBe(401)
  })

  test('with broken JSON is stored and refused, signed or not', async () => {
    const broken = '{"transactionId": '
    const { headers } = aReport(t, { virtualAccountNumber: '990010000000001', amount: 250_000 })
    const send = (changed: Record<string, string>) =>
      t.app.inject({ method: 'POST', url: '/api/providers/sandbox/report', headers: changed, payload: broken })
    expect((await send({ 'content-type': 'application/json' })).statusCode).toBe(401)
    const genuine = signedBytes(t.services.config.secretKey, Buffer.from(broken), new Date())
    expect((await send({ ...headers, ...genuine })).statusCode).toBe(400)
    expect(await outcomesOf(broken)).toEqual(['malformed'])
    expect(await outcomesIn('unverifiedReports', broken)).toEqual(['wrong_signature'])
  })

  test('signed text and times that no column can store are shortened or replaced, and booked, so that the bank does not repeat them', async () => {
    const { account } = await aPayableNumber()
    const payment = { virtualAccountNumber: account.number, amount: 1_000, channel: null }
    const odd = [
      { ...payment, reference: 'REF\u0000', paidAt: new Date() },
      { ...payment, reference: 'ODD-1', channel: 'ATM \ud800', paidAt: new Date() },
      { ...payment, reference: 'ODD-2', paidAt: new Date('0000-01-01T00:00:00Z') },
      { ...payment, reference: 'ODD-3', paidAt: new Date('9999-12-31T23:59:59Z') },
    ]
    for (const one of odd) {
      const { body, headers } = signedReport(t.services.config.secretKey, one, new Date())
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/providers/sandbox/report',
        headers,
        payload: body,
      })
      expect([answer.statusCode, await outcomesOf(body.toString())]).toEqual([200, ['booked']])
    }
    const booked = await paymentsOn(account.number)
    expect(booked.map(({ providerReference }) => providerReference).sort()).toEqual([
      'ODD-1',
      'ODD-2',
      'ODD-3',
      expect.stringMatching(/^REF~[0-9a-f]{16}$/),
    ])
    expect(booked.filter(({ paidAtTold }) => paidAtTold !== null)).toHaveLength(2)
  })

  test('for an unknown provider gets 404', async () => {
    const answer = await t.app.inject({ method: 'POST', url: '/api/providers/nobody/report', payload: {} })
    expect(answer.statusCode).toBe(404)
  })
})

describe('instalments', () => {
  const reRegistration = {
    kind: 're_registration' as const,
    lines: [
      { description: 'Dana pengembangan', amount: 9_000_000 },
      { description: 'SPP', amount: 4_500_000 },
    ],
  }

  test('an overpayment of the second instalment goes to the next one', async () => {
    const { bill, actor, registration, account } = await aPayableNumber({
      ...reRegistration,
      installmentPlanId: academic.plan,
    })
    expect(account.amount).toBe(5_400_000)
    await aReport(t, { virtualAccountNumber: account.number, amount: 5_400_000 }).send()
    expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid' })
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 5_400_000 })

    const [, next] = await t.db
      .selectFrom('installments')
      .select('dueAt')
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const partial = await t.db
      .selectFrom('messages')
      .select('body')
      .where('accountId', '=', actor.accountId)
      .where('event', '=', 'payment-partial')
      .executeTakeFirstOrThrow()
    for (const text of [rupiah(4_050_000), dateTime(next!.dueAt!, 'en'), rupiah(8_100_000)])
      expect(partial.body).toContain(text)

    const second = await aVirtualAccount(actor, bill.id)
    expect(second.amount).toBe(4_050_000)
    await aReport(t, { virtualAccountNumber: second.number, amount: 5_000_000 }).send()
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    const paid = data.bills[0].installments.map((part: { paid: number }) => part.paid)
    expect(paid).toEqual([5_400_000, 4_050_000, 950_000])
    const third = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: third.number, amount: 3_100_000 }).send()
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 13_500_000 })
  })

  test('a number for a later instalment pays that instalment first', async () => {
    const { bill, actor, registration } = await aBill(t, academic, {
      ...reRegistration,
      installmentPlanId: academic.plan,
    })
    const parts = await t.db
      .selectFrom('installments')
      .select('id')
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const account = await aVirtualAccount(actor, bill.id, { installmentId: parts[2]!.id })
    await aReport(t, { virtualAccountNumber: account.number, amount: 4_050_000 }).send()
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    expect(data.bills[0].installments.map((part: { paid: number }) => part.paid)).toEqual([0, 0, 4_050_000])
  })

  test('two instalments paid at once on two numbers are both booked', async () => {
    const { bill, actor } = await aBill(t, academic, { ...reRegistration, installmentPlanId: academic.plan })
    const parts = await t.db
      .selectFrom('installments')
      .select(['id', 'amount'])
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const first = await aVirtualAccount(actor, bill.id, { installmentId: parts[0]!.id })
    const second = await aVirtualAccount(actor, bill.id, { bank: 'sandbox-b', installmentId: parts[1]!.id })
    await Promise.all([
      aReport(t, { virtualAccountNumber: first.number, amount: parts[0]!.amount }).send(),
      aReport(t, { virtualAccountNumber: second.number, amount: parts[1]!.amount }).send(),
    ])
    expect(await billOf(bill.id)).toMatchObject({ paid: 9_450_000, status: 'partly_paid' })
  })
})

test('receipt numbers have no gaps when payments arrive at once', async () => {
  const ready20 = await Promise.all(Array.from({ length: 12 }, () => aPayableNumber()))
  await Promise.all(
    ready20.flatMap(({ account }, index) => {
      const report = aReport(t, { virtualAccountNumber: account.number, amount: 250_000 })
      // Some reports are repeated and some are refused; neither may use up a receipt number.
      return index % 3 === 0 ? [report.send(), report.send()] : [report.send(), report.send({ body: 'x' })]
    }),
  )
  const rows = await t.db
    .selectFrom('payments')
    .select('receiptNumber')
    .where('receiptNumber', 'is not', null)
    .execute()
  const numbers = rows.map((row) => Number(row.receiptNumber!.slice(-6))).sort((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})
