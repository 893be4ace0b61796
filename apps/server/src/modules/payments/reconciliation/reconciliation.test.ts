import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aBankAccount, aCsvStatement, aMapping, anImport, sendStatement } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { reconcileYesterday } from './reconcile.job.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let account: { id: string; number: string }
let today: string
beforeAll(async () => {
  // Two clerks send the same file many times at once.
  t = await testApp({ config: { uploads: { perAccount: 10, patienceMs: 15_000, leastBytes: 8_192 } } })
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
/** Moves the clock and signs a clerk in anew: nobody stays signed in for days. */
async function moveTo(at: string) {
  t.clock.set(new Date(at))
  clerk = await asStaff(t, 'Keuangan')
}
beforeEach(async () => {
  // Every test has a day of its own, so that money of another is not on it.
  await moveTo(new Date(Date.parse('2026-12-01T05:00:00Z') + 10 * 86_400_000 * ++tests).toISOString())
  today = bankCalendar.dayOf(t.clock.now())
  await letGoOfBanks()
  account = await aBankAccount(t, clerk, { sources: ['sandbox-a'] })
})
let tests = 0
/** Transfer numbers of a bank pay into one account: those of the tests before let go of them. */
async function letGoOfBanks() {
  const { accounts } = ok(await clerk.get('/bank-accounts'))
  for (const { id, lastDay: _, mapping: __, pending: ___, ...values } of accounts)
    if (values.sources.length > 0 || values.takesTransfers) {
      const asked = await clerk.put(`/bank-accounts/${id}`, { ...values, sources: [], takesTransfers: false })
      await approvedByAnother(t, ok(asked).id)
    }
}
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const linesOf = (accountId = account.id) =>
  t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', accountId)
    .orderBy('day')
    .orderBy('lineNumber')
    .execute()
const onlyLine = async () => (await linesOf())[0]!

/** A payment through a transfer number, as the bank reported it. */
async function aReportedPayment(amount = 250_000, options: { reference?: string } = {}) {
  const { bill, actor } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount }] })
  const { number } = await aVirtualAccount(actor, bill.id)
  const report = aReport(t, { virtualAccountNumber: number, amount, paidAt: t.clock.now(), ...options })
  expect((await report.send()).statusCode).toBe(200)
  const payment = await t.db
    .selectFrom('payments')
    .selectAll()
    .where('virtualAccountNumber', '=', number)
    .executeTakeFirstOrThrow()
  return { bill, actor, number, payment }
}

const compute = async (day = today) =>
  ok(await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day })).id as string
const dayOf = async (id: string) => ok(await clerk.get(`/rekonsiliasi/${id}`))
type Listed = {
  id: string
  kind: string
  settledAt: string | null
  settledHow: string | null
  settledBy: string | null
}
const open = (day: { list: Listed[] }) => day.list.filter(({ settledAt }) => !settledAt).map(({ kind }) => kind)
const allAtOnce = (send: (actor: TestActor) => Promise<{ statusCode: number }>, times = 10) =>
  Promise.all(Array.from({ length: times }, () => send(clerk)))

describe('a statement that comes in', () => {
  test('keeps every line as the bank wrote it, in and out', async () => {
    const data = await anImport(clerk, account.id, [
      [today, 'SETORAN TUNAI  LOKET', 'REF-1', 250_000],
      [today, 'BIAYA ADM', '', -15_000],
    ])
    expect(data).toMatchObject({ lines: 2, fresh: 2, matched: 0, known: false })
    const [credit, debit] = await linesOf()
    expect(credit).toMatchObject({
      amountSen: 25_000_000,
      reference: 'REF-1',
      description: 'SETORAN TUNAI LOKET',
      state: 'new',
    })
    expect(credit!.raw).toContain('SETORAN TUNAI  LOKET')
    expect(debit).toMatchObject({ amountSen: -1_500_000, balanceSen: 123_500_000, state: 'new' })
    const [kept] = (await clerk.get(`/statements?bankAccountId=${account.id}`)).json().data
    expect(kept).toMatchObject({ lines: 2, linesNew: 2, open: 1, creditsSen: 25_000_000, debitsSen: -1_500_000 })
  })

  test('twice changes nothing, ten times at once neither', async () => {
    const bytes = aCsvStatement([[today, 'A', 'R1', 100_000]])
    const answers = await allAtOnce((actor) => sendStatement(actor, account.id, bytes))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    expect(ok(await sendStatement(clerk, account.id, bytes))).toMatchObject({ fresh: 0, known: true })
    expect(await linesOf()).toHaveLength(1)
    expect((await clerk.get(`/statements?bankAccountId=${account.id}`)).json().meta.total).toBe(1)
  })

  test('with two equal transfers on one day counts both, and an overlapping later file adds only what is new', async () => {
    const twin: [string, string, string, number] = [today, 'TRF SARI', '', 100_000]
    const yesterday = shiftDay(today, -1)
    expect(await anImport(clerk, account.id, [[yesterday, 'LAIN', '', 5_000], twin, twin])).toMatchObject({ fresh: 3 })
    // Exported again at the end of the day: a third one has come, and the file begins later.
    const later = await anImport(clerk, account.id, [twin, twin, twin, [today, 'BARU', '', 7_000]], 1_005_000)
    expect(later).toMatchObject({ lines: 4, fresh: 2 })
    expect((await linesOf()).map(({ occurrence, amountSen }) => [amountSen / 100, occurrence])).toEqual([
      [5_000, 1],
      [100_000, 1],
      [100_000, 2],
      [100_000, 3],
      [7_000, 1],
    ])
  })

  test('that is not understood is refused whole, with everything that is wrong and where', async () => {
    const good = aCsvStatement([[today, 'A', '', 100_000]]).toString()
    const wrong = good.replace(
      /Total.*/,
      [
        '31/02/2026;B;;;5.000,00;0',
        `${today.split('-').toReversed().join('/')};C;;;5.000,505;0`,
        `${today.split('-').toReversed().join('/')};D;;5,000.00;;0`,
      ].join('\r\n'),
    )
    const answer = await sendStatement(clerk, account.id, Buffer.from(wrong))
    expect(answer.statusCode).toBe(422)
    const { file } = answer.json().errors
    expect(file).toHaveLength(3)
    expect(file.map((sentence: string) => /^Line (\d+)/.exec(sentence)![1])).toEqual(['4', '5', '6'])
    expect(await linesOf()).toEqual([])
    const preview = ok(
      await clerk.upload(
        `/bank-accounts/${account.id}/statements/preview`,
        { name: 'a.csv', type: 'text/csv', bytes: Buffer.from(wrong) },
        { mapping: JSON.stringify(aMapping) },
      ),
    )
    expect(preview.problems.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6])
  })

  test('is told from a picture or a PDF by its content', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF')
    expect((await sendStatement(clerk, account.id, pdf, 'koran.csv')).json().errors.file).toBeDefined()
    expect(
      (await sendStatement(clerk, account.id, Buffer.from([1, 0, 2]), 'koran.csv')).json().errors.file,
    ).toBeDefined()
    const large = await sendStatement(clerk, account.id, Buffer.alloc(40_000_001, 'a'))
    expect(large.json().errors.file[0]).toContain('40 MB')
  })

  test('whose bank moved its columns is refused', async () => {
    const moved = aCsvStatement([[today, 'A', '', 100_000]])
      .toString()
      .replace('Debet;Kredit', 'Kredit;Debet')
    expect((await sendStatement(clerk, account.id, Buffer.from(moved))).json().errors.file).toHaveLength(2)
  })

  test('as MT940 is read without a mapping, and refused when it is of another account', async () => {
    const yymmdd = today.slice(2).replaceAll('-', '')
    const file = (number: string) =>
      Buffer.from(
        [
          ':20:STMT1',
          `:25:008/${number}`,
          ':28C:1/1',
          `:60F:C${yymmdd}IDR1000000,00`,
          `:61:${yymmdd}${yymmdd.slice(2)}C250000,00NTRFNONREF//BANKREF77`,
          ':86:SETORAN SARI',
          `:62F:C${yymmdd}IDR1250000,00`,
          '-',
        ].join('\r\n'),
      )
    const other = await sendStatement(clerk, account.id, file('123'), 'a.sta')
    expect(other.json().errors.file[0]).toContain('another account')
    expect(ok(await sendStatement(clerk, account.id, file(account.number), 'a.sta'))).toMatchObject({ fresh: 1 })
    expect(await onlyLine()).toMatchObject({
      reference: 'BANKREF77',
      description: 'SETORAN SARI',
      amountSen: 25_000_000,
    })
  })

  test('read with another mapping later warns of lines that stand here in other words', async () => {
    await anImport(clerk, account.id, [[today, 'TRF SARI', 'R1', 100_000]])
    const { data } = (
      await clerk.upload(
        `/bank-accounts/${account.id}/statements/preview`,
        { name: 'a.csv', type: 'text/csv', bytes: aCsvStatement([[today, 'TRF SARI', 'R1', 100_000]]) },
        { mapping: JSON.stringify({ ...aMapping, description: [2], reference: null }) },
      )
    ).json()
    expect(data).toMatchObject({ count: 1, fresh: 1, lookalikes: 1 })
  })

  test('cannot be rewritten, not even by the owner of the tables', async () => {
    await anImport(clerk, account.id, [[today, 'A', '', 100_000]])
    await expect(sql`UPDATE statement_lines SET amount_sen = 5`.execute(t.owner)).rejects.toThrow(
      'keeps what was written',
    )
    await expect(sql`DELETE FROM statement_lines`.execute(t.owner)).rejects.toThrow('keeps what was written')
  })
})

describe('matching by itself', () => {
  test('goes by the bank’s reference, wherever in the line it stands', async () => {
    const first = await aReportedPayment(250_000, { reference: `TRX${today.replaceAll('-', '')}A` })
    const second = await aReportedPayment(250_000, { reference: `TRX${today.replaceAll('-', '')}B` })
    const data = await anImport(clerk, account.id, [
      [today, 'VA CREDIT', first.payment.providerReference, 250_000],
      [today, `VA CREDIT/${second.payment.providerReference}/SARI`, 'OTHER77', 250_000],
    ])
    expect(data.matched).toBe(2)
    expect((await linesOf()).map(({ paymentId, matchedBy }) => [paymentId, matchedBy])).toEqual([
      [first.payment.id, 'reference'],
      [second.payment.id, 'reference'],
    ])
  })

  test('goes by our number, the amount and the day, give or take one', async () => {
    const { number, payment } = await aReportedPayment()
    const spaced = number.replace(/(\d{4})(?=\d)/g, '$1 ')
    await anImport(clerk, account.id, [[shiftDay(today, -1), `SETORAN ${spaced} SARI`, '', 250_000]])
    expect(await onlyLine()).toMatchObject({ state: 'matched', matchedBy: 'number', paymentId: payment.id })
  })

  test('does not guess: other amount, other day, or two that fit stay for a person', async () => {
    const amount = await aReportedPayment()
    const day = await aReportedPayment()
    const twice = await aReportedPayment()
    await aReport(t, { virtualAccountNumber: twice.number, amount: 250_000, paidAt: t.clock.now() }).send()
    const data = await anImport(clerk, account.id, [
      [shiftDay(today, -3), `VA ${day.number}`, '', 250_000],
      [today, `VA ${amount.number}`, '', 249_000],
      [today, `VA ${twice.number}`, '', 250_000],
    ])
    expect(data.matched).toBe(0)
    expect((await linesOf()).map(({ state }) => state)).toEqual(['new', 'new', 'new'])
  })

  test('never takes a payment for a line of an account it does not arrive on', async () => {
    const elsewhere = await aBankAccount(t, clerk)
    const { payment } = await aReportedPayment()
    await anImport(clerk, elsewhere.id, [[today, 'X', payment.providerReference, 250_000]])
    expect((await linesOf(elsewhere.id))[0]).toMatchObject({ state: 'new' })
  })
})

describe('a credit nobody matched', () => {
  const aLine = async (amount = 300_000) => {
    await anImport(clerk, account.id, [[today, 'TRANSFER ORANG TUA', 'TRF-555777', amount]])
    return onlyLine()
  }

  test('recorded as received waits for another, then becomes money that waits, once, however many record it', async () => {
    const line = await aLine()
    const answers = await allAtOnce((actor) =>
      actor.post(`/statement-lines/${line.id}/record`, { payerName: 'Ibu Sari' }),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const { id } = (answers as { statusCode: number; json(): any }[]).find((one) => one.statusCode === 200)!.json().data
    const [listed] = ok(await clerk.get(`/statement-lines?bankAccountId=${account.id}`))
    expect(listed).toMatchObject({ state: 'new', pending: { id, requestedBy: { id: clerk.accountId } } })
    const second = await approvedByAnother(t, id)
    const payments = await t.db.selectFrom('payments').selectAll().where('providerReference', '=', line.id).execute()
    expect(payments).toHaveLength(1)
    expect(payments[0]).toMatchObject({
      provider: 'statement',
      amount: 300_000,
      billId: null,
      status: 'waiting',
      waitingAmount: 300_000,
      waitingReason: 'unknown_number',
      payerName: 'Ibu Sari',
      reference: 'TRF-555777',
    })
    expect(payments[0]).toMatchObject({ approvalRequestId: id })
    expect(await onlyLine()).toMatchObject({
      state: 'matched',
      matchedBy: 'recorded',
      paymentId: payments[0]!.id,
      settledBy: second.accountId,
    })
    expect((await clerk.post(`/statement-lines/${line.id}/reopen`, { reason: 'Salah baris' })).json().code).toBe(
      'line_recorded',
    )
  })

  /** A transfer that was entered by hand and approved. */
  async function anEntry(reference: string, amount: number, paidAt = t.clock.now()) {
    const { bill } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 900_000 }] })
    const bytes = Buffer.from(`%PDF-1.4\n% ${reference}\n%%EOF`)
    const proof = ok(await clerk.upload('/payment-proofs', { name: 'b.pdf', type: 'application/pdf', bytes }))
    const wish = { billId: bill.id, amount, method: 'transfer', payerName: 'Ayah', reference, proofFileId: proof.id }
    const { id } = ok(await clerk.post('/pembayaran-mahasiswa', { ...wish, paidAt: paidAt.toISOString() }))
    return { id, bill }
  }

  test('that was matched with a transfer entered by hand and opened again is not recorded beside it', async () => {
    const { id } = await anEntry('TRF901', 300_000)
    await approvedByAnother(t, id)
    await anImport(clerk, account.id, [[today, 'SETORAN', 'TRF901', 300_000]])
    const line = await onlyLine()
    expect(line).toMatchObject({ state: 'matched' })
    ok(await clerk.post(`/statement-lines/${line.id}/reopen`, { reason: 'Salah cocok' }))
    const refused = await clerk.post(`/statement-lines/${line.id}/record`, {})
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'line_in_books'])
    ok(await clerk.post(`/statement-lines/${line.id}/match`, { paymentId: line.paymentId }))
  })

  test('is not recorded beside a transfer of its reference that was approved meanwhile', async () => {
    await anImport(clerk, account.id, [[today, 'SETORAN', 'TRF-902', 310_000]])
    const line = await onlyLine()
    const { id } = await anEntry('trf 902', 305_000)
    const asked = await clerk.post(`/statement-lines/${line.id}/record`, {})
    expect([asked.statusCode, asked.json().code]).toEqual([409, 'look_alikes'])
    expect(asked.json().data.lookAlikes).toMatchObject([{ type: 'request', id, why: ['reference'] }])
    const another = { seen: [id], reason: 'Dua setoran yang berbeda' }
    const request = ok(await clerk.post(`/statement-lines/${line.id}/record`, { another }))
    await approvedByAnother(t, id)
    const second = await asStaff(t, 'Keuangan')
    const late = await second.post(`/persetujuan/${request.id}/decide`, { approve: true })
    expect([late.statusCode, late.json().code]).toEqual([409, 'line_in_books'])
    ok(await second.post(`/persetujuan/${request.id}/decide`, { approve: false, reason: 'Sudah dicatat' }))
  })

  test('of the sum and day of a payment without a line is recorded with a reason, which whoever decides reads', async () => {
    const { id } = await anEntry('LAIN-1', 320_000)
    await approvedByAnother(t, id)
    const paymentId = (
      await t.db.selectFrom('approvalRequests').select('paymentId').where('id', '=', id).executeTakeFirstOrThrow()
    ).paymentId!
    await anImport(clerk, account.id, [[today, 'SETORAN', 'LAIN-2', 320_000]])
    const line = await onlyLine()
    const asked = await clerk.post(`/statement-lines/${line.id}/record`, {})
    expect(asked.json().data.lookAlikes).toMatchObject([{ type: 'payment', id: paymentId, why: ['sum'] }])
    const another = { seen: [paymentId], reason: 'Pengirimnya orang lain' }
    const request = ok(await clerk.post(`/statement-lines/${line.id}/record`, { another }))
    const state = ok(await (await asStaff(t, 'Keuangan')).get(`/persetujuan/${request.id}/state`))
    expect(state.lookAlikes).toMatchObject([{ id: paymentId }])
    const [row] = ok(await clerk.get('/persetujuan?status=pending&kind=statement_line'))
    expect(row).toMatchObject({ id: request.id, details: { another } })
    await approvedByAnother(t, request.id)
  })

  test('is recorded only by whoever may enter payments', async () => {
    const line = await aLine()
    const other = await asWithPermissions(t, ['rekonsiliasi-view', 'rekonsiliasi-update'])
    expect((await other.post(`/statement-lines/${line.id}/record`, {})).statusCode).toBe(403)
    const reader = await asWithPermissions(t, ['rekonsiliasi-view'])
    const body = { explanation: 'other', reason: 'Bukan mahasiswa' }
    expect((await reader.post(`/statement-lines/${line.id}/explain`, body)).statusCode).toBe(403)
    expect(await onlyLine()).toMatchObject({ state: 'new' })
  })

  test('is matched by hand with one payment; where the amounts differ, with a reason', async () => {
    const { payment } = await aReportedPayment(250_000)
    const line = await aLine(245_000)
    const candidates = ok(await clerk.get(`/statement-lines/${line.id}/candidates`))
    expect(candidates.map(({ id }: { id: string }) => id)).toContain(payment.id)
    const match = (more = {}) => clerk.post(`/statement-lines/${line.id}/match`, { paymentId: payment.id, ...more })
    expect((await match()).json().errors.reason).toBeDefined()
    ok(await match({ reason: 'Bank memotong biaya' }))
    ok(await match({ reason: 'Bank memotong biaya' }))
    expect(await onlyLine()).toMatchObject({ state: 'matched', matchedBy: 'hand', paymentId: payment.id })
    const [entry] = await t.db
      .selectFrom('auditLog')
      .selectAll()
      .where('subjectId', '=', line.id)
      .where('action', '=', 'statement-line.match')
      .execute()
    expect(entry).toMatchObject({ reason: 'Bank memotong biaya' })
  })

  test('of two lines that want the same payment at once one gets it', async () => {
    const { payment } = await aReportedPayment(300_000)
    await anImport(clerk, account.id, [
      [today, 'SATU', '', 300_000],
      [today, 'DUA', '', 300_000],
    ])
    const lines = await linesOf()
    const answers = await Promise.all(
      lines.flatMap(({ id }) =>
        [1, 2].map(() => clerk.post(`/statement-lines/${id}/match`, { paymentId: payment.id })),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 409, 409])
    expect((await linesOf()).map(({ state }) => state).toSorted()).toEqual(['matched', 'new'])
  })

  test('explained, recorded and matched at the same moment ends as one of them', async () => {
    const { payment } = await aReportedPayment(300_000)
    const line = await aLine()
    await Promise.all([
      clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'interest', reason: 'Bunga bulan ini' }),
      clerk.post(`/statement-lines/${line.id}/record`, {}),
      clerk.post(`/statement-lines/${line.id}/match`, { paymentId: payment.id }),
    ])
    const { state, explanation } = await onlyLine()
    const asked = await t.db
      .selectFrom('approvalRequests')
      .select('id')
      .where('statementLineId', '=', line.id)
      .where('status', '=', 'pending')
      .execute()
    expect([state === 'explained', state === 'matched', asked.length === 1].filter(Boolean)).toHaveLength(1)
    expect(explanation !== null).toBe(state === 'explained')
  })

  test('explained by mistake is opened again, with a reason, and the log keeps both', async () => {
    const line = await aLine()
    ok(await clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'own_transfer', reason: 'Pindah buku' }))
    const again = await clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'fee', reason: 'Biaya bank' })
    expect(again.json().code).toBe('line_settled')
    ok(await clerk.post(`/statement-lines/${line.id}/reopen`, { reason: 'Ternyata mahasiswa' }))
    expect(await onlyLine()).toMatchObject({ state: 'new', explanation: null })
    const log = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', line.id)
      .orderBy('at')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['statement-line.explain', 'statement-line.reopen'])
  })

  test('that went out is no payment', async () => {
    await anImport(clerk, account.id, [[today, 'BIAYA ADM', '', -15_000]])
    const line = await onlyLine()
    expect((await clerk.post(`/statement-lines/${line.id}/record`, {})).json().code).toBe('line_is_debit')
    ok(await clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'fee', reason: 'Biaya bulanan' }))
  })
})

describe('a day', () => {
  test('on which books, provider and statement agree is balanced', async () => {
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

  test('without its statement says so and blames no payment', async () => {
    await aReportedPayment()
    const day = await dayOf(await compute())
    expect(day).toMatchObject({ state: 'no_statement', ledgerTotal: 250_000, statementTotalSen: 0, list: [] })
  })

  test('with three differences is balanced once each is settled, and stays so when computed again', async () => {
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

  test('lists what is missing on the statement until the statement of the next day brings it', async () => {
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

  test('lists a report that could not be booked and one that contradicts, and forgets the first once it is booked', async () => {
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

  test('lists a report nobody finished, until the bank has told it again', async () => {
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

  test('asks the provider about a number on the statement that is not in the books, and books what it knows', async () => {
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

  test('a payment taken back after it was matched is a difference again', async () => {
    const { payment } = await aReportedPayment()
    await anImport(clerk, account.id, [[today, 'VA', payment.providerReference, 250_000]])
    const id = await compute()
    expect(await dayOf(id)).toMatchObject({ state: 'balanced' })
    const asked = ok(
      await clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason: 'Bank menarik kembali' }),
    )
    ok(await (await asStaff(t, 'Keuangan')).post(`/persetujuan/${asked.id}/decide`, { approve: true, reason: 'Benar' }))
    await compute()
    const day = await dayOf(id)
    expect(open(day)).toEqual(['not_in_ledger'])
    const { id: difference } = day.list[0]
    ok(await clerk.post(`/reconciliation-differences/${difference}/settle`, { reason: 'Ditarik bank lusa' }))
    expect(await dayOf(id)).toMatchObject({ state: 'balanced' })
  })

  test('a transfer entered by hand is looked for on the account that takes transfers', async () => {
    account = await aBankAccount(t, clerk, { takesTransfers: true })
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const { id: paymentId } = await aTransferByHand(bill.id, `TRF-${today}`)
    await anImport(clerk, account.id, [[today, 'SETORAN', `trf-${today}`, 250_000]])
    expect(await onlyLine()).toMatchObject({ state: 'matched', matchedBy: 'reference', paymentId })
    expect(await dayOf(await compute())).toMatchObject({ state: 'balanced', ledgerTotal: 250_000, reportedTotal: 0 })
  })

  test('is computed every night for the day before', async () => {
    const { payment } = await aReportedPayment()
    await moveTo(`${shiftDay(today, 1)}T20:15:00Z`)
    // 03.15 in Jakarta of the day after tomorrow: the night looks at tomorrow only.
    await reconcileYesterday.run(t.services, {})
    const days = () =>
      t.db.selectFrom('reconciliationDays').selectAll().where('bankAccountId', '=', account.id).execute()
    expect((await days()).map(({ day }) => day)).toEqual([shiftDay(today, 1)])
    await moveTo(`${today}T20:15:00Z`)
    await reconcileYesterday.run(t.services, {})
    await reconcileYesterday.run(t.services, {})
    expect((await days()).find(({ day }) => day === today)).toMatchObject({ ledgerTotal: payment.amount })
    expect(await days()).toHaveLength(2)
  })

  test('in the future is refused', async () => {
    const answer = await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: shiftDay(today, 1) })
    expect(answer.json().errors.day).toBeDefined()
  })

  test('computed by many at once stays one, with each difference once', async () => {
    await anImport(clerk, account.id, [[today, 'A', '', 5_000]])
    const answers = await allAtOnce((actor) =>
      actor.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today }),
    )
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await dayOf(await compute())).list).toHaveLength(1)
  })

  test('and everything about it is closed to whoever sees only some study programmes', async () => {
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

describe('the accounts of the university', () => {
  test('a bank’s transfer numbers pay into one account, ordinary transfers too', async () => {
    const other = {
      name: 'Lain',
      bank: 'Bank Peraga',
      number: '55 66-77',
      holder: 'Universitas',
      takesTransfers: false,
      sources: ['sandbox-a'],
    }
    expect((await clerk.post('/bank-accounts', other)).json().errors.sources[0]).toContain('Rekening')
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        clerk.post('/bank-accounts', {
          ...other,
          number: `${tests}00${n}`,
          takesTransfers: true,
          sources: ['sandbox-b'],
        }),
      ),
    )
    const asked = answers.map((answer) => ok(answer).id as string)
    // All three may be asked for; whoever approves a second one is told which account has the money already.
    const seconds = await Promise.all(asked.map(() => asStaff(t, 'Administrator')))
    const decided = await Promise.all(
      asked.map((id, at) => seconds[at]!.post(`/persetujuan/${id}/decide`, { approve: true })),
    )
    expect(decided.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(decided.map((answer) => answer.json().code).filter(Boolean)).toEqual([
      'bank_of_other_account',
      'bank_of_other_account',
    ])
  })

  test('a mapping somebody else has changed meanwhile is not written over', async () => {
    const answer = await clerk.put(`/bank-accounts/${account.id}/mapping`, { mapping: aMapping, version: 1 })
    expect(answer.json().code).toBe('stale_version')
  })
})

test('what is listed is exported, in words', async () => {
  await anImport(clerk, account.id, [[today, 'A', '', 5_000]])
  for (const url of ['/rekonsiliasi/export', '/reconciliation-differences/export', '/statement-lines/export']) {
    const answer = await clerk.get(`${url}?format=csv&bankAccountId=${account.id}`, { 'accept-language': 'id' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.body).toContain(today)
    expect(answer.body).not.toContain('reconciliation:')
  }
})
