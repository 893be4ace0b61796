import { describe, expect, test } from 'vitest'
import { shiftDay } from '#domain/calendar.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill } from '#server-test/factories/payments.ts'
import { aBankAccount, anImport } from '#server-test/factories/statements.ts'
import {
  academic,
  account,
  allAtOnce,
  aReportedPayment,
  clerk,
  linesOf,
  ok,
  onlyLine,
  setReconciliationStage,
  t,
  today,
} from '#server-test/stages/reconciliation-stage.ts'

setReconciliationStage()

describe('a credit without a match', () => {
  const aLine = async (amount = 300_000) => {
    await anImport(clerk, account.id, [[today, 'TRANSFER ORANG TUA', 'TRF-555777', amount]])
    return onlyLine()
  }

  test('recorded by ten at once makes one request, and its approval makes one waiting payment', async () => {
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

  test('is booked and given to the bill its text names with one approval, once by two and by twenty; more waits', async () => {
    for (const [many, sum] of [
      [2, 411_000],
      [20, 432_000],
    ] as const) {
      const { bill, registration } = await aBill(t, academic, { amount: 401_000 })
      await anImport(clerk, account.id, [[today, `TRSF ${bill.number} SARI`, `REF-${sum}`, sum]])
      const line = (await linesOf()).find(({ reference }) => reference === `REF-${sum}`)!
      const [first] = ok(await clerk.get(`/statement-lines/${line.id}/bills`))
      expect(first).toMatchObject({ id: bill.id, rest: 401_000, why: ['number'] })
      const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { billId: bill.id }))
      const own = await clerk.post(`/persetujuan/${id}/decide`, { approve: true })
      expect([own.statusCode, own.json().code]).toEqual([403, 'own_request'])
      const others = await Promise.all(Array.from({ length: many }, () => asStaff(t, 'Keuangan')))
      const state = ok(await others[0]!.get(`/persetujuan/${id}/state`))
      expect(JSON.stringify(state)).toContain(bill.number)
      const answers = await Promise.all(
        others.map((other) => other.post(`/persetujuan/${id}/decide`, { approve: true })),
      )
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(many - 1).fill(409)])
      const payments = await t.db.selectFrom('payments').selectAll().where('providerReference', '=', line.id).execute()
      expect(payments).toMatchObject([{ billId: bill.id, amount: sum, waitingAmount: sum - 401_000 }])
      const paid = await t.db.selectFrom('bills').select(['status', 'paid']).where('id', '=', bill.id).execute()
      expect(paid).toEqual([{ status: 'paid', paid: 401_000 }])
      const { data } = (await clerk.get(`/pendaftaran/${registration.id}/bills`)).json()
      expect(data.bills[0].payments).toHaveLength(1)
    }
  })

  const requestAbout = (lineId: string) =>
    t.db
      .selectFrom('approvalRequests')
      .selectAll()
      .where('statementLineId', '=', lineId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()

  test('that names a bill and pays exactly what is left of it is requested by the import, and may be withdrawn', async () => {
    const { bill } = await aBill(t, academic, { amount: 471_000 })
    const { bill: twice } = await aBill(t, academic, { amount: 472_000 })
    await anImport(clerk, account.id, [
      [today, `TRSF ${bill.number} SARI`, 'SURE-1', 471_000],
      [today, `TRSF ${twice.number} SARI`, 'TWICE-1', 472_000],
      [today, `TRSF ${twice.number} SARI`, 'TWICE-2', 472_000],
    ])
    const lines = await linesOf()
    const line = lines.find(({ reference }) => reference === 'SURE-1')!
    const request = await requestAbout(line.id)
    expect(request).toMatchObject({ requestedBy: clerk.accountId, amount: 471_000, details: { billId: bill.id } })
    const pending = await t.db
      .selectFrom('approvalRequests')
      .select('statementLineId')
      .where('status', '=', 'pending')
      .execute()
    for (const other of lines.filter(({ reference }) => reference.startsWith('TWICE')))
      expect(pending.map(({ statementLineId }) => statementLineId)).not.toContain(other.id)
    ok(await clerk.post(`/persetujuan/${request.id}/withdraw`, {}))
    expect((await linesOf()).find(({ id }) => id === line.id)).toMatchObject({ state: 'new' })
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { billId: bill.id }))
    await approvedByAnother(t, id)
    const paid = await t.db.selectFrom('bills').select(['status', 'paid']).where('id', '=', bill.id).execute()
    expect(paid).toEqual([{ status: 'paid', paid: 471_000 }])
  })

  test('that the bank took back within a week is not requested, whichever of both lines arrived first', async () => {
    const names = ['BY-REF', 'BY-BILL', 'BEFORE', 'LONG-AGO', 'OTHER-SUM']
    const bills = await Promise.all(names.map((_, at) => aBill(t, academic, { amount: 476_000 + at })))
    const [byReference, byBill, before, longAgo, otherSum] = bills.map(({ bill }) => bill.number)
    const other = await aBankAccount(t, clerk)
    await anImport(clerk, account.id, [[shiftDay(today, -7), `PENGEMBALIAN ${before}`, 'RETUR-1', -476_002]])
    await anImport(clerk, other.id, [[today, `PENGEMBALIAN ${otherSum}`, 'RETUR-4', -476_004]])
    await anImport(clerk, account.id, [
      [shiftDay(today, -8), `PENGEMBALIAN ${longAgo}`, 'RETUR-2', -476_003],
      [shiftDay(today, -1), `TRSF ${byReference}`, 'BY-REF', 476_000],
      [shiftDay(today, -1), `TRSF ${byBill}`, 'BY-BILL', 476_001],
      [today, 'KOREKSI', 'by ref', -476_000],
      [today, `KOREKSI ${byBill!.toLowerCase()}`, 'RETUR-3', -476_001],
      [today, `TRSF ${before}`, 'BEFORE', 476_002],
      [today, `TRSF ${longAgo}`, 'LONG-AGO', 476_003],
      [today, `KOREKSI ${otherSum}`, 'OTHER-SUM', -470_000],
      [today, `TRSF ${otherSum}`, 'OTHER-SUM', 476_004],
    ])
    const requested = await t.db
      .selectFrom('approvalRequests as q')
      .innerJoin('statementLines as l', 'l.id', 'q.statementLineId')
      .select('l.reference')
      .where('q.status', '=', 'pending')
      .where('l.reference', 'in', names)
      .orderBy('l.reference')
      .execute()
    expect(requested.map(({ reference }) => reference)).toEqual(['LONG-AGO', 'OTHER-SUM'])
  })

  test('is not given to a bill that was paid meanwhile without the approver being told', async () => {
    const { bill } = await aBill(t, academic, { amount: 441_000 })
    await anImport(clerk, account.id, [[today, `TRSF ${bill.number}`, 'REF-441', 441_000]])
    const line = await onlyLine()
    const { id } = await requestAbout(line.id)
    const { id: entry } = ok(
      await clerk.post('/pembayaran-mahasiswa', {
        billId: bill.id,
        amount: 441_000,
        method: 'cash',
        payerName: 'Ayah',
        paidAt: new Date(t.clock.now().getTime() - 3 * 86_400_000).toISOString(),
      }),
    )
    await approvedByAnother(t, entry)
    const late = await (await asStaff(t, 'Keuangan')).post(`/persetujuan/${id}/decide`, { approve: true })
    expect(late.statusCode).toBe(409)
    expect(await onlyLine()).toMatchObject({ state: 'new' })
  })

  test('offers bills by number, then proof, then name with the sum, then the same sender before', async () => {
    const [numbered, named, stranger] = await Promise.all(
      ['Dewi Anggraini', 'Maya Kusumaningrum', 'Orang Lain'].map((name) =>
        aBill(t, academic, { amount: 451_000, name }),
      ),
    )
    await anImport(clerk, account.id, [[today, `TRSF MAYA KUSUMANINGRUM ${numbered!.bill.number}`, 'REF-451', 451_000]])
    const found = ok(await clerk.get(`/statement-lines/${(await onlyLine()).id}/bills`)) as {
      id: string
      why: string[]
    }[]
    expect(found.slice(0, 2)).toMatchObject([
      { id: numbered!.bill.id, why: ['number', 'amount'] },
      { id: named!.bill.id, why: ['name', 'amount'] },
    ])
    expect(found.map(({ id }) => id)).not.toContain(stranger!.bill.id)
  })

  test('keeps the words of the bank once it is booked, and no id of ours stands as its reference', async () => {
    await anImport(clerk, account.id, [[today, 'TRSF E-BANKING CR BUDI SANTOSO', '', 318_000]])
    const line = await onlyLine()
    await approvedByAnother(t, ok(await clerk.post(`/statement-lines/${line.id}/record`, {})).id)
    const { paymentId } = await onlyLine()
    const seen = ok(await clerk.get(`/pembayaran-mahasiswa/${paymentId}`))
    expect(seen).toMatchObject({
      reference: null,
      statement: { day: today, description: 'TRSF E-BANKING CR BUDI SANTOSO', raw: expect.stringContaining('BUDI') },
    })
    const [row] = ok(await clerk.get(`/statement-lines?bankAccountId=${account.id}`))
    expect(row).toMatchObject({
      description: 'TRSF E-BANKING CR BUDI SANTOSO',
      payment: { id: paymentId, label: '' },
    })
    const waiting = ok(await clerk.get('/uang-menunggu?per_page=100')) as { id: string; reference: string | null }[]
    expect(waiting.find(({ id }) => id === paymentId)).toMatchObject({ reference: null })
    const listed = ok(await clerk.get('/pembayaran-mahasiswa?per_page=100')) as {
      id: string
      paymentReference: string
    }[]
    expect(listed.find(({ id }) => id === paymentId)).toMatchObject({ paymentReference: null })
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

  test('with the number of a bill and the exact sum of its transfer is matched by itself, and may be opened again', async () => {
    const { id, bill } = await anEntry('LAIN-9', 461_000)
    await approvedByAnother(t, id)
    await anImport(clerk, account.id, [
      [today, `TRSF ${bill.number.toLowerCase()} BUDI`, 'ANEH-1', 461_000],
      [today, `TRSF ${bill.number} BUDI`, 'ANEH-2', 460_000],
    ])
    const [line, other] = ['ANEH-1', 'ANEH-2'].map(
      async (reference) => (await linesOf()).find((one) => one.reference === reference)!,
    )
    expect(await line).toMatchObject({ state: 'matched', matchedBy: 'bill', settledAt: expect.any(Date) })
    expect(await other).toMatchObject({ state: 'new' })
    ok(await clerk.post(`/statement-lines/${(await line)!.id}/reopen`, { reason: 'Salah cocok' }))
    expect((await linesOf()).find(({ reference }) => reference === 'ANEH-1')).toMatchObject({ state: 'new' })
  })

  test('that was matched with a transfer entered by hand and reopened is not recorded beside it', async () => {
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

  test('is not recorded beside a transfer with the same reference that was approved meanwhile', async () => {
    await anImport(clerk, account.id, [[today, 'SETORAN', 'TRF-902', 310_000]])
    const line = await onlyLine()
    const { id } = await anEntry('trf 902', 305_000)
    const answer = await clerk.post(`/statement-lines/${line.id}/record`, {})
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'look_alikes'])
    expect(answer.json().data.lookAlikes).toMatchObject([{ type: 'request', id, why: ['reference'] }])
    const another = { seen: [id], reason: 'Dua setoran yang berbeda' }
    const request = ok(await clerk.post(`/statement-lines/${line.id}/record`, { another }))
    await approvedByAnother(t, id)
    const second = await asStaff(t, 'Keuangan')
    const late = await second.post(`/persetujuan/${request.id}/decide`, { approve: true })
    expect([late.statusCode, late.json().code]).toEqual([409, 'line_in_books'])
    ok(await second.post(`/persetujuan/${request.id}/decide`, { approve: false, reason: 'Sudah dicatat' }))
  })

  test('with the sum and day of a payment without a line is recorded with a reason, which the decider sees', async () => {
    const { id } = await anEntry('LAIN-1', 320_000)
    await approvedByAnother(t, id)
    const paymentId = (
      await t.db.selectFrom('approvalRequests').select('paymentId').where('id', '=', id).executeTakeFirstOrThrow()
    ).paymentId!
    await anImport(clerk, account.id, [[today, 'SETORAN', 'LAIN-2', 320_000]])
    const line = await onlyLine()
    const answer = await clerk.post(`/statement-lines/${line.id}/record`, {})
    expect(answer.json().data.lookAlikes).toMatchObject([{ type: 'payment', id: paymentId, why: ['sum'] }])
    const another = { seen: [paymentId], reason: 'Pengirimnya orang lain' }
    const request = ok(await clerk.post(`/statement-lines/${line.id}/record`, { another }))
    const state = ok(await (await asStaff(t, 'Keuangan')).get(`/persetujuan/${request.id}/state`))
    expect(state.lookAlikes).toMatchObject([{ id: paymentId }])
    const [row] = ok(await clerk.get('/persetujuan?status=pending&kind=statement_line'))
    expect(row).toMatchObject({ id: request.id, details: { another } })
    await approvedByAnother(t, request.id)
  })

  test('is recorded only by a role that may enter payments', async () => {
    const line = await aLine()
    const other = await asWithPermissions(t, ['rekonsiliasi-view', 'rekonsiliasi-update'])
    expect((await other.post(`/statement-lines/${line.id}/record`, {})).statusCode).toBe(403)
    const reader = await asWithPermissions(t, ['rekonsiliasi-view'])
    const body = { explanation: 'other', reason: 'Bukan mahasiswa' }
    expect((await reader.post(`/statement-lines/${line.id}/explain`, body)).statusCode).toBe(403)
    expect(await onlyLine()).toMatchObject({ state: 'new' })
  })

  test('is matched by hand with one payment, with a reason if the amounts differ', async () => {
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

  test('matched with a payment at the same moment as another credit: one of them is matched', async () => {
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

  test('explained, recorded and matched at once ends in one of these states', async () => {
    const { payment } = await aReportedPayment(300_000)
    const line = await aLine()
    await Promise.all([
      clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'interest', reason: 'Bunga bulan ini' }),
      clerk.post(`/statement-lines/${line.id}/record`, {}),
      clerk.post(`/statement-lines/${line.id}/match`, { paymentId: payment.id }),
    ])
    const { state, explanation } = await onlyLine()
    const answer = await t.db
      .selectFrom('approvalRequests')
      .select('id')
      .where('statementLineId', '=', line.id)
      .where('status', '=', 'pending')
      .execute()
    expect([state === 'explained', state === 'matched', answer.length === 1].filter(Boolean)).toHaveLength(1)
    expect(explanation !== null).toBe(state === 'explained')
  })

  test('explained by mistake is reopened with a reason, and the log has both', async () => {
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

  test('a debit cannot be recorded as received', async () => {
    await anImport(clerk, account.id, [[today, 'BIAYA ADM', '', -15_000]])
    const line = await onlyLine()
    expect((await clerk.post(`/statement-lines/${line.id}/record`, {})).json().code).toBe('line_is_debit')
    ok(await clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'fee', reason: 'Biaya bulanan' }))
  })
})
