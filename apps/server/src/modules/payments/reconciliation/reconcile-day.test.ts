import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { shiftDay } from '#domain/calendar.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import { anImport } from '#server-test/factories/statements.ts'
import {
  academic,
  account,
  allAtOnce,
  aReportedPayment,
  clerk,
  compute,
  dayOf,
  type Listed,
  linesOf,
  moveTo,
  ok,
  onlyLine,
  open,
  setReconciliationStage,
  t,
  takeTransfers,
  today,
} from '#server-test/stages/reconciliation-stage.ts'
import { reconcileYesterdayJob } from './reconcile.job.ts'

setReconciliationStage()

describe('a day', () => {
  test('is balanced if books, provider and statement agree', async () => {
    const { payment } = await aReportedPayment()
    await anImport(clerk, account.id, [[today, 'VA', payment.providerReference, 250_000]])
    const day = await dayOf(await compute())
    expect(day).toMatchObject({
      state: 'balanced',
      ledgerCount: 1,
      ledgerTotal: 250_000,
      reportedTotal: 250_000,
      statementTotalSen: 25_000_000,
      openDifferences: 0,
    })
  })

  test('without a statement is shown as such and has no differences', async () => {
    await aReportedPayment()
    const day = await dayOf(await compute())
    expect(day).toMatchObject({ state: 'no_statement', ledgerTotal: 250_000, statementTotalSen: 0, list: [] })
  })

  test('is balanced once each of its four differences is settled, and stays so when compared again', async () => {
    const missing = await aReportedPayment(250_000)
    const short = await aReportedPayment(400_000, { reference: `SHORT${today.replaceAll('-', '')}` })
    await anImport(clerk, account.id, [
      [today, 'TRANSFER TAK DIKENAL', 'TRF-1', 111_000],
      [today, 'VA', short.payment.providerReference, 399_000],
      [today, 'BUNGA', '', 1_234],
    ])
    const id = await compute()
    const day = await dayOf(id)
    expect(day).toMatchObject({ state: 'open', openDifferences: 4 })
    expect(open(day).toSorted()).toEqual(['amount_differs', 'not_in_ledger', 'not_in_ledger', 'not_in_statement'])
    expect(day.ledgerTotal - day.statementTotalSen / 100).toBe(250_000 + 1_000 - 111_000 - 1_234)

    const lines = await linesOf()
    const lineOf = (amount: number) => lines.find((line) => line.amountSen === amount * 100)!.id
    await approvedByAnother(t, ok(await clerk.post(`/statement-lines/${lineOf(111_000)}/record`, {})).id)
    ok(
      await clerk.post(`/statement-lines/${lineOf(1_234)}/explain`, {
        explanation: 'interest',
        reason: 'Bunga bulanan',
      }),
    )
    ok(
      await clerk.post(`/statement-lines/${lineOf(399_000)}/match`, {
        paymentId: short.payment.id,
        reason: 'Dipotong biaya bank',
      }),
    )
    const rest = (await dayOf(id)).list.filter(({ settledAt }: Listed) => !settledAt)
    expect(rest).toHaveLength(1)
    expect(rest[0]).toMatchObject({ kind: 'not_in_statement', payment: { id: missing.payment.id } })
    ok(await clerk.post(`/reconciliation-differences/${rest[0].id}/settle`, { reason: 'Masuk besok menurut bank' }))
    const settled = await dayOf(id)
    expect(settled).toMatchObject({ state: 'balanced', openDifferences: 0 })
    expect(settled.list.every(({ settledBy }: Listed) => settledBy !== null)).toBe(true)
    expect(await compute()).toBe(id)
    expect(await dayOf(id)).toMatchObject({ ...settled, computedAt: expect.any(String) })
  })

  test("lists a payment missing on the statement until the next day's statement contains it", async () => {
    await moveTo(`${today}T16:30:00Z`)
    const { payment } = await aReportedPayment()
    await anImport(clerk, account.id, [[today, 'LAIN', '', 5_000]])
    const id = await compute()
    expect(open(await dayOf(id)).toSorted()).toEqual(['not_in_ledger', 'not_in_statement'])
    const tomorrow = shiftDay(today, 1)
    await moveTo(`${tomorrow}T05:00:00Z`)
    await anImport(clerk, account.id, [[tomorrow, 'VA', payment.providerReference, 250_000]])
    const day = await dayOf(id)
    expect(open(day)).toEqual(['not_in_ledger'])
    expect(day.list.find(({ kind }: Listed) => kind === 'not_in_statement')).toMatchObject({ settledHow: 'agrees' })
    expect(day).toMatchObject({ statementTotalSen: 25_500_000, ledgerTotal: 250_000 })
    expect(await dayOf(await compute(tomorrow))).toMatchObject({ state: 'balanced', statementTotalSen: 0 })
  })

  test('lists a report that failed and one that contradicts, until the first is booked', async () => {
    const { number } = await aReportedPayment()
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const other = await aVirtualAccount(actor, bill.id)
    const lost = aReport(t, { virtualAccountNumber: other.number, amount: 250_000, paidAt: t.clock.now() })
    await sql`ALTER TABLE payments ADD CONSTRAINT nothing_works CHECK (false) NOT VALID`.execute(t.owner)
    expect((await lost.send()).statusCode).toBe(503)
    await sql`ALTER TABLE payments DROP CONSTRAINT nothing_works`.execute(t.owner)
    const payment = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('virtualAccountNumber', '=', number)
      .executeTakeFirstOrThrow()
    const changed = aReport(t, {
      virtualAccountNumber: number,
      amount: 999_000,
      reference: payment.providerReference,
      paidAt: t.clock.now(),
    })
    expect((await changed.send()).statusCode).toBe(409)
    const id = await compute()
    const day = await dayOf(id)
    expect(open(day).toSorted()).toEqual(['report_contradicts', 'reported_not_booked'])
    expect(day).toMatchObject({ state: 'open', ledgerTotal: 250_000, reportedTotal: 250_000 + 250_000 + 999_000 })
    await lost.send()
    await compute()
    expect(open(await dayOf(id))).toEqual(['report_contradicts'])
  })

  test('lists an abandoned report until the bank has repeated it', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { number } = await aVirtualAccount(actor, bill.id)
    const report = aReport(t, { virtualAccountNumber: number, amount: bill.total, paidAt: t.clock.now() })
    const headers = JSON.stringify(report.headers)
    const receivedAt = new Date(t.clock.now().getTime() - 3_600_000)
    await t.db
      .insertInto('bankReports')
      .values({ provider: 'sandbox', body: report.body, headers, receivedAt })
      .execute()
    const id = await compute()
    expect(open(await dayOf(id))).toEqual(['reported_not_booked'])
    expect((await report.send()).statusCode).toBe(200)
    await compute()
    expect(open(await dayOf(id))).toEqual([])
  })

  test("asks the provider about a statement's number that is not in the books, and books its payment", async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { number } = await aVirtualAccount(actor, bill.id)
    await t.db
      .insertInto('sandboxTransactions')
      .values({
        reference: `DIAM-${today}`,
        virtualAccountNumber: number,
        amount: 250_000,
        channel: 'atm',
        paidAt: t.clock.now(),
      })
      .execute()
    await anImport(clerk, account.id, [[today, `VA ${number}`, '', 250_000]])
    expect(await onlyLine()).toMatchObject({ state: 'new' })
    expect(await dayOf(await compute())).toMatchObject({
      state: 'balanced',
      ledgerTotal: 250_000,
      reportedTotal: 250_000,
    })
    expect(await onlyLine()).toMatchObject({ state: 'matched' })
  })

  test('has a difference again if a matched payment is reversed', async () => {
    const { payment } = await aReportedPayment()
    await anImport(clerk, account.id, [[today, 'VA', payment.providerReference, 250_000]])
    const id = await compute()
    expect(await dayOf(id)).toMatchObject({ state: 'balanced' })
    const reversalRequest = ok(
      await clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason: 'Bank menarik kembali' }),
    )
    ok(
      await (await asStaff(t, 'Keuangan')).post(`/persetujuan/${reversalRequest.id}/decide`, {
        approve: true,
        reason: 'Benar',
      }),
    )
    await compute()
    const day = await dayOf(id)
    expect(open(day)).toEqual(['not_in_ledger'])
    const { id: difference } = day.list[0]
    ok(await clerk.post(`/reconciliation-differences/${difference}/settle`, { reason: 'Ditarik bank lusa' }))
    expect(await dayOf(id)).toMatchObject({ state: 'balanced' })
  })

  test('expects a transfer entered by hand on the account that takes transfers', async () => {
    await takeTransfers()
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const { id: paymentId } = await aTransferByHand(bill.id, `TRF-${today}`)
    await anImport(clerk, account.id, [[today, 'SETORAN', `trf-${today}`, 250_000]])
    expect(await onlyLine()).toMatchObject({ state: 'matched', matchedBy: 'reference', paymentId })
    expect(await dayOf(await compute())).toMatchObject({ state: 'balanced', ledgerTotal: 250_000, reportedTotal: 0 })
  })

  test('is compared in the following night', async () => {
    const { payment } = await aReportedPayment()
    await moveTo(`${shiftDay(today, 1)}T20:15:00Z`)
    // 03.15 in Jakarta, two days after `today`: the job compares only the day between.
    await reconcileYesterdayJob.run(t.services, {})
    const days = () =>
      t.db.selectFrom('reconciliationDays').selectAll().where('bankAccountId', '=', account.id).execute()
    expect((await days()).map(({ day }) => day)).toEqual([shiftDay(today, 1)])
    await moveTo(`${today}T20:15:00Z`)
    await reconcileYesterdayJob.run(t.services, {})
    await reconcileYesterdayJob.run(t.services, {})
    expect((await days()).find(({ day }) => day === today)).toMatchObject({ ledgerTotal: payment.amount })
    expect(await days()).toHaveLength(2)
  })

  test('in the future cannot be compared', async () => {
    const answer = await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: shiftDay(today, 1) })
    expect(answer.json().errors.day).toBeDefined()
  })

  test('compared by ten at once is stored once, with each difference once', async () => {
    await anImport(clerk, account.id, [[today, 'A', '', 5_000]])
    const answers = await allAtOnce((actor) =>
      actor.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today }),
    )
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await dayOf(await compute())).list).toHaveLength(1)
  })

  test('is closed to a role limited to study programmes, with everything about it', async () => {
    const id = await compute()
    const limited = await asWithPermissions(t, ['rekonsiliasi-view', 'rekonsiliasi-update'], {
      programmeIds: [academic.programmes[0]!],
    })
    for (const url of [
      '/rekonsiliasi',
      `/rekonsiliasi/${id}`,
      '/statement-lines',
      '/statements',
      '/bank-accounts',
      '/reconciliation-differences',
    ])
      expect((await limited.get(url)).json().code, url).toBe('statements_need_whole_view')
  })

  async function aTransferByHand(billId: string, reference: string) {
    const { id: fileId } = await t.db
      .insertInto('files')
      .values({
        ownerAccountId: clerk.accountId,
        purpose: 'payment-proof',
        name: 'a.pdf',
        mime: 'application/pdf',
        bytes: 1,
        sha256: Buffer.from('a'),
        storageKey: `x-${reference}`,
        createdAt: t.clock.now(),
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = ok(
      await clerk.post('/pembayaran-mahasiswa', {
        billId,
        amount: 250_000,
        method: 'transfer',
        paidAt: new Date(t.clock.now().getTime() - 3_600_000).toISOString(),
        payerName: 'Ayah',
        reference,
        proofFileId: fileId,
      }),
    )
    ok(await (await asStaff(t, 'Keuangan')).post(`/persetujuan/${id}/decide`, { approve: true, reason: 'Sesuai' }))
    return t.db.selectFrom('payments').select('id').where('reference', '=', reference).executeTakeFirstOrThrow()
  }
})
