import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { forgetProviders } from '#server/modules/payments/providers/index.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aProvider, providerInput } from '#server-test/factories/providers.ts'
import { aBankAccount, aCsvStatement, aMapping, anImport, sendStatement } from '#server-test/factories/statements.ts'
import { codeOf, readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
let third: TestActor

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  ;[clerk, second, third] = await Promise.all([
    asStaff(t, 'Keuangan', { name: 'Petugas Satu' }),
    asStaff(t, 'Keuangan', { name: 'Petugas Dua' }),
    asStaff(t, 'Keuangan', { name: 'Petugas Tiga' }),
  ])
})
afterAll(() => t.close())
afterEach(() => assertBalanced(t))

const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const decide = (actor: TestActor, id: string, approve = true) =>
  actor.post(`/persetujuan/${id}/decide`, { approve, reason: 'Sesuai bukti' })
const request = (id: string) =>
  t.db.selectFrom('approvalRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const reason = 'Sesuai rekening koran'

let numbers = 0
const accountInput = (changes: object = {}) => ({
  name: `Rekening ${++numbers}`,
  bank: 'Bank Rumah',
  number: String(880_000_000 + numbers),
  holder: 'Universitas Contoh',
  takesTransfers: false,
  sources: [],
  ...changes,
})

test('one clerk alone makes no money: account, columns, line and allocation each wait for somebody else', async () => {
  const { bill } = await aBill(t, academic, { lines: [{ description: 'Uang kuliah', amount: 14_550_000 }] })
  const wish = accountInput()

  const account = ok(await clerk.post('/bank-accounts', wish))
  const named = async () =>
    (ok(await clerk.get('/bank-accounts')).accounts as { id: string; number: string; version: number }[]).find(
      ({ number }) => number === wish.number,
    )
  expect(await named()).toBeUndefined()
  expect(codeOf(await decide(clerk, account.id))).toEqual([403, 'own_request'])
  ok(await decide(second, account.id))
  const { id: accountId, version } = (await named())!

  const today = bankCalendar.dayOf(t.clock.now())
  const file = aCsvStatement([[today, 'TRANSFER DARI RUMAH', 'RUMAH-1', 9_000_000]])
  const columns = ok(await clerk.put(`/bank-accounts/${accountId}/mapping`, { mapping: aMapping, version }))
  expect((await sendStatement(clerk, accountId, file)).statusCode).toBe(422)
  expect(codeOf(await decide(clerk, columns.id))).toEqual([403, 'own_request'])
  ok(await decide(second, columns.id))
  ok(await sendStatement(clerk, accountId, file))

  const line = await t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const recording = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
  const payment = () =>
    t.db.selectFrom('payments').selectAll().where('providerReference', '=', line.id).executeTakeFirst()
  expect(await payment()).toBeUndefined()
  expect(codeOf(await decide(clerk, recording.id))).toEqual([403, 'own_request'])
  ok(await decide(second, recording.id))
  const paymentId = (await payment())!.id

  const giving = ok(await give(clerk, paymentId, bill.id, 9_000_000))
  expect(await billOf(bill.id)).toMatchObject({ paid: 0, status: 'open' })
  expect(codeOf(await decide(clerk, giving.approvalId))).toEqual([403, 'own_request'])
  ok(await clerk.post(`/persetujuan/${giving.approvalId}/withdraw`, {}))

  // A colleague lends the hand: whoever said that the money came still does not decide whose it is.
  const lent = ok(await give(second, paymentId, bill.id, 9_000_000))
  expect(codeOf(await decide(clerk, lent.approvalId))).toEqual([403, 'own_statement_line'])
  expect(await billOf(bill.id)).toMatchObject({ paid: 0, status: 'open' })
  ok(await decide(third, lent.approvalId))
  expect(await billOf(bill.id)).toMatchObject({ paid: 9_000_000, status: 'partly_paid' })
})

test('the account that imported a statement decides neither that its money came nor whose it is', async () => {
  const { bill } = await aBill(t, academic, { lines: [{ description: 'Uang kuliah', amount: 2_000_000 }] })
  const { line } = await aCredit(2_000_000)
  // The clerk imported, a colleague lends the hand.
  const recording = ok(await second.post(`/statement-lines/${line.id}/record`, {}))
  expect(codeOf(await decide(clerk, recording.id))).toEqual([403, 'own_statement_line'])
  const shown = (await clerk.get('/persetujuan?status=pending&kind=statement_line')).json().data
  expect(shown.find(({ id }: { id: string }) => id === recording.id).whyNot).toBe('own_statement_line')
  ok(await decide(third, recording.id))
  const { paymentId } = await request(recording.id)
  const giving = ok(await give(third, paymentId!, bill.id, 2_000_000))
  for (const actor of [clerk, second])
    expect(codeOf(await decide(actor, giving.approvalId))).toEqual([403, 'own_statement_line'])
  await expect(
    t.db
      .updateTable('approvalRequests')
      .set({ status: 'approved', decidedBy: clerk.accountId, decidedAt: t.clock.now() })
      .where('id', '=', giving.approvalId)
      .execute(),
  ).rejects.toThrow('account that asked')
  ok(await decide(await asStaff(t, 'Keuangan'), giving.approvalId))
  expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
})

/** An approved account with the columns of the invented bank, and one credit that no bank reported. */
async function aCredit(amount = 300_000) {
  const account = await aBankAccount(t, second)
  const day = bankCalendar.dayOf(t.clock.now())
  await anImport(clerk, account.id, [[day, 'TRANSFER TANPA NAMA', `TRF-${++numbers}`, amount]])
  const line = await t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', account.id)
    .executeTakeFirstOrThrow()
  return { account, line }
}

/** Money of nobody, as a clerk asked for it and another approved it. */
async function moneyOfNobody(amount = 300_000) {
  const { line } = await aCredit(amount)
  const asked = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
  ok(await decide(second, asked.id))
  const { paymentId } = await request(asked.id)
  return { line, paymentId: paymentId! }
}

const give = (actor: TestActor, paymentId: string, billId: string, amount: number) =>
  actor.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, { billId, amount, reason })

describe('a statement line that is asked for', () => {
  test('waits: nobody matches, explains or asks for it again meanwhile, and taken back it is free', async () => {
    const { line } = await aCredit()
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { payerName: 'Ibu Sari' }))
    const { actor, bill } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 300_000 }] })
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send()
    const { id: paymentId } = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', number)
      .executeTakeFirstOrThrow()
    for (const [url, body] of [
      ['match', { paymentId }],
      ['explain', { explanation: 'other', reason }],
    ] as const) {
      const answer = await second.post(`/statement-lines/${line.id}/${url}`, body)
      expect(codeOf(answer)).toEqual([409, 'line_waits_for_approval'])
      expect(answer.json().message).toContain('Petugas Satu')
    }
    expect(codeOf(await second.post(`/statement-lines/${line.id}/record`, {}))).toEqual([409, 'already_requested'])
    expect(codeOf(await second.post(`/persetujuan/${id}/withdraw`, {}))).toEqual([403, 'not_own_request'])
    ok(await clerk.post(`/persetujuan/${id}/withdraw`, {}))
    ok(await second.post(`/statement-lines/${line.id}/explain`, { explanation: 'other', reason }))
    expect(codeOf(await decide(third, id))).toEqual([409, 'wrong_status'])
  })

  test('is told with the file it stands in and who imported it', async () => {
    const { line, account } = await aCredit(123_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { payerName: 'Ibu Sari' }))
    const [row] = ok(await third.get('/persetujuan?status=pending&kind=statement_line'))
    expect(row).toMatchObject({ id, amount: 123_000, registrationId: null, whyNot: null })
    expect((await request(id)).effect).toEqual({
      amount: 123_000,
      account: `${account.name} · Bank Contoh ${account.number}`,
      day: line.day,
      statementWords: `${line.reference} · TRANSFER TANPA NAMA`,
      statementFile: 'koran.csv',
      importedBy: 'Petugas Satu',
      payer: 'Ibu Sari',
    })
    ok(await decide(third, id, false))
  })

  test('which the bank reports meanwhile is that payment, and the request makes no second one', async () => {
    const { actor, bill } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 410_000 }] })
    const { number } = await aVirtualAccount(actor, bill.id)
    const account = await aBankAccount(t, second, { sources: ['sandbox-a'] })
    const day = bankCalendar.dayOf(t.clock.now())
    await anImport(clerk, account.id, [[day, `VA ${number}`, '', 410_000]])
    const line = await t.db
      .selectFrom('statementLines')
      .selectAll()
      .where('bankAccountId', '=', account.id)
      .executeTakeFirstOrThrow()
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    await aReport(t, { virtualAccountNumber: number, amount: 410_000 }).send()
    ok(await second.post('/rekonsiliasi/compute', { bankAccountId: account.id, day }))
    expect(codeOf(await decide(third, id))).toEqual([409, 'line_settled'])
    expect((await request(id)).status).toBe('pending')
    ok(await decide(third, id, false))
  })

  test('approved by ten at once is booked once', async () => {
    const { line } = await aCredit(77_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    // As many as there are connections: none waits for an eleventh, not even to read the providers anew.
    forgetProviders(t.services)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => decide(at % 2 ? second : third, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const booked = await t.db.selectFrom('payments').select('id').where('providerReference', '=', line.id).execute()
    expect(booked).toHaveLength(1)
  })

  test('above what a role decides about is left to another role', async () => {
    const { line } = await aCredit(10_000_001)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    expect(codeOf(await decide(second, id))).toEqual([403, 'above_approval_limit'])
    ok(await decide(await asStaff(t, 'Administrator'), id))
  })
})

describe('a morning with fifty lines', () => {
  test('is approved together: each on its own, the own ones and those that changed stay with a reason', async () => {
    const account = await aBankAccount(t, second)
    const day = bankCalendar.dayOf(t.clock.now())
    await anImport(
      clerk,
      account.id,
      Array.from({ length: 50 }, (_, at) => [day, `SETORAN ${at}`, `PAGI-${at}`, 10_000 + at]),
    )
    const lines = await t.db
      .selectFrom('statementLines')
      .select('id')
      .where('bankAccountId', '=', account.id)
      .orderBy('lineNumber')
      .execute()
    const asked: string[] = []
    for (const [at, { id }] of lines.entries())
      asked.push(ok(await (at === 0 ? third : clerk).post(`/statement-lines/${id}/record`, {})).id)
    ok(await clerk.post(`/persetujuan/${asked[1]}/withdraw`, {}))
    const approve = (ids: readonly string[]) => third.post('/persetujuan/bulk/approve', { ids, reason: 'Sesuai' })
    const { done, refused } = ok(await approve(asked))
    expect(done.toSorted()).toEqual(asked.slice(2).toSorted())
    expect(refused).toEqual([
      { id: asked[0], reason: expect.stringContaining('Whoever asks') },
      { id: asked[1], reason: expect.any(String) },
    ])
    const settings = ok(await clerk.post('/bank-accounts', accountInput()))
    expect((await approve([settings.id])).json().errors.ids).toBeDefined()
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const waiver = ok(await clerk.post(`/bills/${bill.id}/exceptions`, { kind: 'waiver', amount: 1_000, reason }))
    expect((await approve([asked[0]!, waiver.id])).json().errors.ids).toBeDefined()
    for (const id of [asked[0]!, settings.id, waiver.id]) ok(await decide(second, id, false))
  })
})

describe('money of nobody', () => {
  test('is given whole to one owner, so the whole of it is what the limit is about', async () => {
    const { paymentId } = await moneyOfNobody(8_000_000)
    const { bill, actor } = await aBill(t, academic, { amount: 250_000, name: 'Dewi Lestari' })
    const { approvalId } = ok(await give(clerk, paymentId, bill.id, 1_000))
    const asked = await request(approvalId)
    expect(asked).toMatchObject({ amount: 8_000_000, details: { amount: 1_000 } })
    expect(asked.effect).toMatchObject({
      toBill: 1_000,
      bill: bill.number,
      owner: expect.stringContaining('Dewi Lestari'),
    })
    ok(await decide(third, approvalId))
    // From now on it has an owner, and one person gives the rest to bills of that owner.
    expect(ok(await give(clerk, paymentId, bill.id, 2_000))).toEqual({ id: paymentId, approvalId: null })
    expect(await billOf(bill.id)).toMatchObject({ paid: 3_000 })
    const other = await aBill(t, academic, { amount: 250_000 })
    expect((await give(clerk, paymentId, other.bill.id, 1_000)).json().errors.billId).toBeDefined()
    expect(actor.accountId).toBe(bill.accountId)
  })

  test('reported by a bank on an unknown number needs a second person as well', async () => {
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

  test('is asked for once at a time, and of two bills at once one gets it', async () => {
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

  test('is not given to a bill that was paid meanwhile', async () => {
    const { paymentId } = await moneyOfNobody(250_000)
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { approvalId } = ok(await give(clerk, paymentId, bill.id, 250_000))
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
    expect((await decide(third, approvalId)).statusCode).toBe(409)
    expect(await billOf(bill.id)).toMatchObject({ paid: 250_000 })
    ok(await decide(third, approvalId, false))
  })

  test('and payments of the bill at the same moment never stand in each other’s way', async () => {
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

describe('a bank account', () => {
  test('stays as it is until its change is approved, and shows who asked and who may approve', async () => {
    const { id } = await aBankAccount(t, clerk)
    const before = await accountNow(id)
    const wish = { ...inputOf(before), number: '111222333', reason: 'Rekening pindah cabang' }
    const asked = ok(await clerk.put(`/bank-accounts/${id}`, wish))
    expect(await accountNow(id)).toMatchObject({
      number: before.number,
      version: before.version,
      pending: {
        id: asked.id,
        action: 'edit',
        requestedBy: { id: clerk.accountId, name: 'Petugas Satu' },
        deciders: expect.any(Array),
      },
    })
    const { deciders } = (await accountNow(id)).pending
    expect(deciders).toHaveLength(5)
    expect(deciders).not.toContain('Petugas Satu')
    expect(await request(asked.id)).toMatchObject({
      reason: 'Rekening pindah cabang',
      effect: { amount: 0, changes: [{ field: 'number', before: before.number, after: '111222333' }] },
    })
    // One change at a time, of the columns as well.
    expect(codeOf(await second.put(`/bank-accounts/${id}`, wish))).toEqual([409, 'already_requested'])
    const mapping = { ...aMapping, balance: null }
    expect(codeOf(await second.put(`/bank-accounts/${id}/mapping`, { mapping, version: before.version }))).toEqual([
      409,
      'already_requested',
    ])
    ok(await clerk.post(`/persetujuan/${asked.id}/withdraw`, {}))
    expect(await accountNow(id)).toMatchObject({ number: before.number, pending: null })
  })

  test('asked for without a change, or twice, is refused', async () => {
    const { id } = await aBankAccount(t, clerk)
    expect(codeOf(await clerk.put(`/bank-accounts/${id}`, inputOf(await accountNow(id))))).toEqual([
      409,
      'nothing_changes',
    ])
    const wish = accountInput()
    const asked = await Promise.all(Array.from({ length: 5 }, () => clerk.post('/bank-accounts', wish)))
    expect(asked.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  test('whose number another one got meanwhile is not added', async () => {
    const wish = accountInput({ name: 'Pertama' })
    const other = accountInput({ name: 'Kedua', number: `${wish.number}9` })
    const [first, late] = [ok(await clerk.post('/bank-accounts', wish)), ok(await clerk.post('/bank-accounts', other))]
    ok(await decide(second, late.id))
    const { id } = await t.db
      .selectFrom('bankAccounts')
      .select('id')
      .where('number', '=', other.number)
      .executeTakeFirstOrThrow()
    const taking = ok(
      await clerk.put(`/bank-accounts/${id}`, { ...inputOf(await accountNow(id)), number: wish.number }),
    )
    ok(await decide(second, taking.id))
    expect(codeOf(await decide(third, first.id))).toEqual([409, 'already_exists'])
  })

  const accountNow = async (id: string) =>
    ok(await clerk.get('/bank-accounts')).accounts.find((account: { id: string }) => account.id === id)
  const inputOf = ({ id: _, lastDay: __, mapping: ___, pending: ____, ...values }: Record<string, unknown>) => values
})

describe('who sees and decides', () => {
  test('a role limited to some study programmes meets no request without a registration', async () => {
    const limited = await asWithPermissions(
      t,
      ['persetujuan-view', 'persetujuan-update', 'pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update'],
      { programmeIds: [academic.programmes[0]!] },
    )
    const { line } = await aCredit(55_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    const account = ok(await clerk.post('/bank-accounts', accountInput()))
    const listed = ok(await limited.get('/persetujuan?status=pending&per_page=100')) as {
      registrationId: string | null
    }[]
    expect(listed.filter(({ registrationId }) => registrationId === null)).toEqual([])
    for (const one of [id, account.id]) {
      expect((await decide(limited, one)).statusCode).toBe(404)
      expect((await limited.post(`/persetujuan/${one}/withdraw`, {})).statusCode).toBe(404)
      ok(await decide(second, one, false))
    }
    // Nor does such a role find the money.
    const { paymentId } = await moneyOfNobody(60_000)
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    expect((await give(limited, paymentId, bill.id, 60_000)).statusCode).toBe(404)
  })

  test('a role decides about settings only where a limit says so', async () => {
    const role = await asWithPermissions(t, ['persetujuan-view', 'persetujuan-update'])
    const { id } = ok(await clerk.post('/bank-accounts', accountInput()))
    expect(codeOf(await decide(role, id))).toEqual([403, 'no_approval_limit'])
    const admin = await asStaff(t, 'Administrator')
    const { limits } = ok(await admin.get('/settings/approval-limits'))
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', role.accountId)
      .executeTakeFirstOrThrow()
    ok(
      await admin.put('/settings/approval-limits', {
        limits: [...limits, { roleId, kind: 'bank_account', most: null }],
      }),
    )
    ok(await decide(role, id))
  })
})

describe('the database itself', () => {
  const refused = (work: (tx: Tx) => Promise<unknown>) =>
    expect(t.owner.transaction().execute(work)).rejects.toThrow(/nobody has approved/)
  const aPayment = (values: object) => ({
    providerReference: crypto.randomUUID(),
    amount: 5_000,
    status: 'waiting' as const,
    waitingAmount: 5_000,
    waitingReason: 'unknown_number' as const,
    waitingSince: t.clock.now(),
    paidAt: t.clock.now(),
    receivedAt: t.clock.now(),
    ...values,
  })

  test('refuses money that no bank reported and nobody approved', async () => {
    for (const provider of ['manual', 'statement'])
      await refused((tx) =>
        tx
          .insertInto('payments')
          .values(aPayment({ provider }) as never)
          .execute(),
      )
    // A request makes one payment, of its own sum.
    const { paymentId } = await moneyOfNobody(45_000)
    const { approvalRequestId, providerReference } = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const again = aPayment({ provider: 'statement', approvalRequestId, providerReference: `${providerReference} ` })
    await expect(
      t.db
        .insertInto('payments')
        .values(again as never)
        .execute(),
    ).rejects.toThrow('payments_approval')
    await expect(
      t.db.updateTable('payments').set({ approvalRequestId: null }).where('id', '=', paymentId).execute(),
    ).rejects.toThrow('keeps what was written')
  })

  test('refuses an owner for money of nobody that nobody approved, or whoever recorded it', async () => {
    const { paymentId } = await moneyOfNobody(46_000)
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const owned = (tx: Tx) =>
      tx
        .updateTable('payments')
        .set({ accountId: bill.accountId, billId: bill.id })
        .where('id', '=', paymentId)
        .execute()
    await refused(owned)
    const { approvalId } = ok(await give(second, paymentId, bill.id, 46_000))
    await refused(async (tx) => {
      await tx
        .updateTable('approvalRequests')
        .set({ status: 'approved', decidedBy: clerk.accountId, decidedAt: t.clock.now() })
        .where('id', '=', approvalId)
        .execute()
      await owned(tx)
    })
  })

  test('refuses accounts and connections that change without an approved request of their own', async () => {
    const { id } = await aBankAccount(t, clerk)
    const { id: other } = await aBankAccount(t, clerk)
    const { approvalRequestId } = await t.db
      .selectFrom('bankAccounts')
      .select('approvalRequestId')
      .where('id', '=', other)
      .executeTakeFirstOrThrow()
    const values = { name: 'X', bank: 'X', number: '1', holder: 'X', createdAt: t.clock.now() }
    await refused((tx) => tx.insertInto('bankAccounts').values(values).execute())
    await refused((tx) => tx.updateTable('bankAccounts').set({ number: '9' }).where('id', '=', id).execute())
    await refused(async (tx) => {
      await tx.updateTable('bankAccounts').set({ approvalRequestId: null }).where('id', '=', other).execute()
      await tx.updateTable('bankAccounts').set({ number: '9', approvalRequestId }).where('id', '=', id).execute()
    })
    const provider = await aProvider(t, providerInput('xendit', { code: 'dijaga', name: 'Dijaga', banks: [] }))
    const of = (tx: Tx) => tx.updateTable('providerAccounts').where('id', '=', provider.id)
    await refused((tx) => of(tx).set({ baseUrl: 'https://elsewhere.example.com' }).execute())
    await refused((tx) => of(tx).set({ active: true }).execute())
    await refused((tx) =>
      tx
        .insertInto('providerSecrets')
        .values({
          providerAccountId: provider.id,
          name: 'callbackToken',
          sealed: 'x',
          lastFour: 'x',
          setAt: t.clock.now(),
        })
        .execute(),
    )
    await of(t.owner as never)
      .set({ name: 'Nama lain' })
      .execute()
  })
})
