import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import type { ProofDetail, ProofRow, TransferProof } from '#domain/payments/proofs/endpoints.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { setSettings } from '#server-test/factories/installation/installations.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, paidAtBank } from '#server-test/factories/payments.ts'
import { aBankAccount, anImport, type Told } from '#server-test/factories/statements.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { returnStaleProofs } from './return-stale-proofs.job.ts'

let t: TestApp
let academic: AcademicFixture
let [clerk, colleague]: TestActor[] = []
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  ;[clerk, colleague] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
})
afterAll(async () => {
  await assertBalanced(t)
  await t.close()
})

let count = 0
/** Amounts differ between tests, so that no test finds the money of another. */
const anAmount = () => 300_000 + ++count * 1_000
const hourMs = 3_600_000
const hoursAgo = (hours: number) => new Date(t.clock.now().getTime() - hours * hourMs).toISOString()

async function anUpload(actor: TestActor, width = 400 + ++count) {
  const bytes = await aPicture('jpeg', { width, height: 800 })
  const answer = await actor.upload('/transfer-proof-files', { name: 'bukti.jpg', type: 'image/jpeg', bytes })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.id as string
}

const send = (actor: TestActor, billId: string, body: object) => actor.post(`/bills/${billId}/transfer-proofs`, body)
const proofOf = async (actor: TestActor, amount: number, changes: object = {}) => ({
  fileId: await anUpload(actor),
  amount,
  paidAt: hoursAgo(2),
  fromBank: 'Bank Contoh',
  ...changes,
})

async function aSentProof(amount = anAmount()) {
  const issued = await aBill(t, academic, { amount, name: 'Sari Wulandari' })
  const answer = await send(issued.actor, issued.bill.id, await proofOf(issued.actor, amount))
  expect(answer.statusCode, answer.body).toBe(200)
  return { ...issued, amount, id: answer.json().data.id as string }
}

const read = async (actor: TestActor, id: string) =>
  (await actor.get(`/bukti-transfer/${id}`)).json().data as ProofDetail
const ownProofs = async (actor: TestActor, registrationId: string) =>
  (await actor.get(`/pendaftaran/${registrationId}/transfer-proofs`)).json().data as {
    proofs: TransferProof[]
    answerHours: number
  }
const match = (actor: TestActor, id: string, body: object) => actor.post(`/bukti-transfer/${id}/match`, body)
const refuse = (actor: TestActor, id: string, version = 1) =>
  actor.post(`/bukti-transfer/${id}/refuse`, { version, reason: 'Foto menunjukkan rekening lain' })
const list = async (actor: TestActor, query = '') =>
  (await actor.get(`/bukti-transfer?${query}`)).json().data as ProofRow[]

const booksOf = async (billId: string) => {
  const bill = await t.db
    .selectFrom('bills')
    .select(['status', 'paid'])
    .where('id', '=', billId)
    .executeTakeFirstOrThrow()
  const { payments, allocations } = await t.db
    .selectNoFrom((eb) => [
      eb.selectFrom('payments').select(eb.fn.countAll<number>().as('n')).as('payments'),
      eb.selectFrom('allocations').select(eb.fn.countAll<number>().as('n')).as('allocations'),
    ])
    .executeTakeFirstOrThrow()
  return { ...bill, payments, allocations }
}

test('a proof is a line for the cashier with its picture, and no money; the applicant sees that it is looked at', async () => {
  const amount = anAmount()
  const { bill, actor, registration } = await aBill(t, academic, { amount, name: 'Sari Wulandari' })
  const before = await booksOf(bill.id)
  await setSettings(t, { proofAnswerHours: 6 })
  const sent = await send(actor, bill.id, await proofOf(actor, amount, { note: 'Lewat DANA' }))
  const { id } = sent.json().data
  const own = await ownProofs(actor, registration.id)
  expect(own).toMatchObject({ answerHours: 6, proofs: [{ id, amount, state: 'open', fromBank: 'Bank Contoh' }] })
  const proof = await read(clerk!, id)
  expect(proof).toMatchObject({ id, amount, note: 'Lewat DANA', applicantName: 'Sari Wulandari', late: false })
  const picture = await t.app.inject({ method: 'GET', url: proof.file.url })
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect(await booksOf(bill.id)).toEqual(before)
})

test('each answer changes what the proof says and nothing of the books, and the applicant is told', async () => {
  const { id, bill, actor, registration, amount } = await aSentProof()
  const before = await booksOf(bill.id)
  expect((await refuse(clerk!, id)).statusCode).toBe(200)
  const [refused] = (await ownProofs(actor, registration.id)).proofs
  expect(refused).toMatchObject({ state: 'refused', reason: 'Foto menunjukkan rekening lain' })
  expect(codeOf(await refuse(clerk!, id, 2))).toEqual([409, 'proof_answered'])
  expect((await clerk!.post(`/bukti-transfer/${id}/reopen`, { version: 2 })).statusCode).toBe(200)
  expect(await booksOf(bill.id)).toEqual(before)

  const paymentId = await paidAtBank(t, actor, bill.id, amount)
  const paid = await booksOf(bill.id)
  expect((await match(clerk!, id, { version: 3, paymentId })).statusCode).toBe(200)
  expect((await ownProofs(actor, registration.id)).proofs).toMatchObject([{ state: 'matched', reason: null }])
  expect(await booksOf(bill.id)).toEqual(paid)
  const inbox = (await actor.get('/messages')).json().data as { event: string }[]
  const events = inbox.map(({ event }) => event)
  expect(events).toEqual(expect.arrayContaining(['transfer-proof-refused', 'transfer-proof-matched']))
  const log = await t.db
    .selectFrom('auditLog')
    .select('action')
    .where('subjectType', '=', 'transfer-proof')
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute()
  expect(log.map(({ action }) => action.split('.')[1])).toEqual(['send', 'refuse', 'reopen', 'match'])
})

test('payments and statement lines of the amount around the day are suggested, and never those of another applicant', async () => {
  const { id, amount, actor, bill } = await aSentProof()
  const other = await aBill(t, academic, { amount })
  await paidAtBank(t, other.actor, other.bill.id, amount)
  const unknown = await aReport(t, { virtualAccountNumber: '99001000999', amount }).send()
  expect(unknown.statusCode).toBe(200)
  const { number } = await aVirtualAccount(actor, bill.id)
  await aReport(t, { virtualAccountNumber: number, amount: amount - 50_000 }).send()
  const account = await aBankAccount(t, clerk!)
  const day = bankCalendar.dayOf(t.clock.now())
  const early = bankCalendar.dayOf(new Date(t.clock.now().getTime() - 8 * 24 * hourMs))
  await anImport(clerk!, account.id, [
    [early, 'TERLALU AWAL', 'A1', amount],
    [day, 'TRSF SARI', 'A2', amount],
    [day, 'JUMLAH LAIN', 'A3', amount + 1],
    [day, 'MILIK ORANG LAIN', 'A4', amount],
  ])
  const [theirPayment, theirLine] = [
    await t.db.selectFrom('payments').select('id').where('billId', '=', other.bill.id).executeTakeFirstOrThrow(),
    await t.db
      .selectFrom('statementLines')
      .select('id')
      .where('description', '=', 'MILIK ORANG LAIN')
      .executeTakeFirstOrThrow(),
  ]
  const theirs = await clerk!.post(`/statement-lines/${theirLine.id}/match`, { paymentId: theirPayment.id })
  expect(theirs.statusCode, theirs.body).toBe(200)
  const { payments, lines } = await read(clerk!, id)
  expect(payments.map((payment) => [payment.amount, payment.label, payment.why])).toEqual([
    [amount, '99001000999', ['amount', 'day']],
    [amount - 50_000, expect.stringContaining('KW'), ['bill', 'day']],
  ])
  expect(lines.map(({ label, why }) => [label, why])).toEqual([['TRSF SARI', ['amount', 'day']]])
  const withoutStatements = await asWithPermissions(t, ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update'])
  expect((await read(withoutStatements, id)).lines).toEqual([])
  const line = lines[0]!.id
  expect((await match(withoutStatements, id, { version: 1, statementLineId: line })).statusCode).toBe(404)
  const before = await booksOf(bill.id)
  expect((await match(clerk!, id, { version: 1, statementLineId: line })).statusCode).toBe(200)
  expect(await booksOf(bill.id)).toEqual(before)
  const stored = await t.db.selectFrom('statementLines').select(['state', 'paymentId']).where('id', '=', line).execute()
  expect(stored).toEqual([{ state: 'new', paymentId: null }])
})

test('money answers one proof, of its own payer', async () => {
  const { id, actor, bill, amount } = await aSentProof()
  const paymentId = await paidAtBank(t, actor, bill.id, amount)
  const stranger = await aSentProof()
  const theirs = await match(clerk!, stranger.id, { version: 1, paymentId })
  expect(theirs.json().errors).toHaveProperty('paymentId')
  expect(codeOf(await match(clerk!, id, { version: 1 }))).toEqual([422, 'invalid_input'])
  expect((await match(clerk!, id, { version: 1, paymentId })).statusCode).toBe(200)
  const second = await aSentProof()
  await t.db.updateTable('bills').set({ accountId: bill.accountId }).where('id', '=', second.bill.id).execute()
  expect(codeOf(await match(clerk!, second.id, { version: 1, paymentId }))).toEqual([409, 'proof_money_taken'])
  await t.db.updateTable('bills').set({ accountId: second.bill.accountId }).where('id', '=', second.bill.id).execute()
})

test('of two cashiers who answer one proof at once, the second gets 409 with the first answer kept', async () => {
  const { id, actor, registration } = await aSentProof()
  const lock = sql`SELECT FROM transfer_proofs WHERE id = ${id} FOR UPDATE`
  const answers = await raceBehind(t, lock, 2, () => Promise.all([refuse(clerk!, id), refuse(colleague!, id)]))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('stale_version')
  expect((await ownProofs(actor, registration.id)).proofs).toMatchObject([{ state: 'refused' }])
  const log = await t.db
    .selectFrom('auditLog')
    .select('id')
    .where('subjectId', '=', id)
    .where('action', '=', 'transfer-proof.refuse')
    .execute()
  expect(log).toHaveLength(1)
})

/** Events of the inbox, newest last, and what the page says about the only proof. */
async function toldAbout(actor: TestActor, registrationId: string) {
  const inbox = (await actor.get('/messages')).json().data as { event: string }[]
  const [proof] = (await ownProofs(actor, registrationId)).proofs
  return { proof, returned: inbox.filter(({ event }) => event === 'transfer-proof-returned').length }
}

test('an answer that is taken back is told to the applicant, with the reason on the page', async () => {
  const { id, actor, registration } = await aSentProof()
  await refuse(clerk!, id)
  expect((await clerk!.post(`/bukti-transfer/${id}/reopen`, { version: 2 })).statusCode).toBe(200)
  const { proof, returned } = await toldAbout(actor, registration.id)
  expect(proof).toMatchObject({ state: 'open', reason: null, returnedBecause: 'answer_taken_back' })
  expect(returned).toBe(1)
  expect((await refuse(clerk!, id, 3)).statusCode).toBe(200)
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ state: 'refused', returnedBecause: null })
})

test('a proof waits again once its payment is reversed, however often the job runs', async () => {
  const { id, actor, bill, registration, amount } = await aSentProof()
  const paymentId = await paidAtBank(t, actor, bill.id, amount)
  expect((await match(clerk!, id, { version: 1, paymentId })).statusCode).toBe(200)
  const request = await clerk!.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' })
  await t.runJobs()
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ state: 'matched' })
  await approvedByAnother(t, request.json().data.id)
  await t.runJobs()
  await Promise.all([1, 2, 3].map(() => returnStaleProofs(t.services, { paymentId })))
  const { proof, returned } = await toldAbout(actor, registration.id)
  expect(proof).toMatchObject({ state: 'open', returnedBecause: 'payment_reversed' })
  expect(returned).toBe(1)
  expect(await read(clerk!, id)).toMatchObject({ state: 'open', paymentId: null, returnedBecause: 'payment_reversed' })
  expect((await list(clerk!, 'state=open&per_page=100')).map((row) => row.id)).toContain(id)
})

test('a proof waits again once its payment is given to another bill, and not while a part stays on its own', async () => {
  const { id, actor, bill, registration, amount } = await aSentProof()
  const other = await aBill(t, academic, { amount, actor, trackId: academic.tracks.achievement })
  const paymentId = await paidAtBank(t, actor, bill.id, amount)
  expect((await match(clerk!, id, { version: 1, paymentId })).statusCode).toBe(200)
  const give = (part: number) =>
    clerk!.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, {
      billId: other.bill.id,
      amount: part,
      reason: 'Diminta pendaftar',
    })
  expect(codeOf(await give(1_000))).toEqual([200, undefined])
  await t.runJobs()
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ state: 'matched' })
  expect(codeOf(await give(amount - 1_000))).toEqual([200, undefined])
  await t.runJobs()
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ returnedBecause: 'payment_moved' })
})

test('a proof waits again once its statement line is explained as something else', async () => {
  const { id, actor, registration, amount } = await aSentProof()
  const line = await aCredit(amount)
  expect((await match(clerk!, id, { version: 1, statementLineId: line.id })).statusCode).toBe(200)
  const said = { explanation: 'interest', reason: 'Bunga bulan ini' }
  expect(codeOf(await clerk!.post(`/statement-lines/${line.id}/explain`, said))).toEqual([200, undefined])
  await t.runJobs()
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ returnedBecause: 'line_changed' })
})

test('a proof matched while its payment is being reversed waits again', async () => {
  const { id, actor, bill, registration, amount } = await aSentProof()
  const paymentId = await paidAtBank(t, actor, bill.id, amount)
  const request = await clerk!.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' })
  await Promise.all([approvedByAnother(t, request.json().data.id), match(clerk!, id, { version: 1, paymentId })])
  await t.runJobs()
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ state: 'open' })
})

test('two cashiers who match two proofs with the same money at once: one is refused', async () => {
  const amount = anAmount()
  const [first, second] = [await aSentProof(amount), await aSentProof(amount)]
  await aReport(t, { virtualAccountNumber: '99001000998', amount }).send()
  const { id: paymentId } = await t.db
    .selectFrom('payments')
    .select('id')
    .where('virtualAccountNumber', '=', '99001000998')
    .executeTakeFirstOrThrow()
  const lock = sql`LOCK TABLE transfer_proofs IN SHARE MODE`
  const answers = await raceBehind(t, lock, 2, () =>
    Promise.all([
      match(clerk!, first.id, { version: 1, paymentId }),
      match(colleague!, second.id, { version: 1, paymentId }),
    ]),
  )
  expect(answers.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [409, 'proof_money_taken'],
  ])
})

/** A line of a statement with this amount; `book` records it as a payment of nobody. */
async function aCredit(amount: number) {
  const { id: accountId } = await aBankAccount(t, clerk!)
  const description = `SETORAN ${amount}`
  const values: Told = [bankCalendar.dayOf(t.clock.now()), description, `R${amount}`, amount]
  await anImport(clerk!, accountId, [values])
  const line = await t.db
    .selectFrom('statementLines')
    .select('id')
    .where('description', '=', description)
    .executeTakeFirstOrThrow()
  const book = async () => {
    const answer = await clerk!.post(`/statement-lines/${line.id}/record`, {})
    expect(answer.statusCode, answer.body).toBe(200)
    await approvedByAnother(t, answer.json().data.id)
    return t.db
      .selectFrom('payments')
      .select(['id', 'accountId'])
      .where('providerReference', '=', line.id)
      .executeTakeFirstOrThrow()
  }
  return { id: line.id, accountId, values, book }
}

test('a line and the payment booked from it are one transfer, which answers one proof', async () => {
  const amount = anAmount()
  const [first, second] = [await aSentProof(amount), await aSentProof(amount)]
  const line = await aCredit(amount)
  expect((await match(clerk!, first.id, { version: 1, statementLineId: line.id })).statusCode).toBe(200)
  const payment = await line.book()
  expect(payment.accountId).toBeNull()
  const offered = async (id: string) => {
    const { payments, lines } = await read(clerk!, id)
    return [...payments, ...lines].map((money) => money.id)
  }
  expect(await offered(second.id)).toEqual([])
  expect(await offered(first.id)).toEqual([payment.id, line.id])
  const refusal = [409, 'proof_money_taken']
  expect(codeOf(await match(clerk!, second.id, { version: 1, paymentId: payment.id }))).toEqual(refusal)
  expect(codeOf(await match(clerk!, second.id, { version: 1, statementLineId: line.id }))).toEqual(refusal)

  expect((await clerk!.post(`/bukti-transfer/${first.id}/reopen`, { version: 2 })).statusCode).toBe(200)
  expect((await match(clerk!, second.id, { version: 1, paymentId: payment.id })).statusCode).toBe(200)
  expect(await offered(first.id)).toEqual([])
  expect(codeOf(await match(clerk!, first.id, { version: 3, statementLineId: line.id }))).toEqual(refusal)
})

test('a line with the sum and day of an open proof suggests its bill, and booking it there answers the proof', async () => {
  const { id, bill, actor, registration, amount } = await aSentProof()
  const line = await aCredit(amount)
  const [first] = (await clerk!.get(`/statement-lines/${line.id}/bills`)).json().data
  expect(first).toMatchObject({ id: bill.id, proofId: id, why: ['proof', 'amount'] })
  const wrong = await clerk!.post(`/statement-lines/${line.id}/record`, { proofId: id })
  expect(wrong.statusCode).toBe(422)
  const request = await clerk!.post(`/statement-lines/${line.id}/record`, { billId: bill.id, proofId: id })
  expect(codeOf(request)).toEqual([200, undefined])
  await approvedByAnother(t, request.json().data.id)
  await t.runJobs()
  expect(await booksOf(bill.id)).toMatchObject({ status: 'paid', paid: amount })
  expect((await toldAbout(actor, registration.id)).proof).toMatchObject({ state: 'matched' })
  expect(await read(clerk!, id)).toMatchObject({ paymentId: expect.any(String), answeredBy: expect.any(String) })
})

test('a line that another proof of its bill was matched with meanwhile does not answer the proof it was booked for', async () => {
  const first = await aSentProof()
  const { bill, actor, amount } = first
  const second = (await send(actor, bill.id, await proofOf(actor, amount))).json().data.id as string
  const line = await aCredit(amount)
  const request = await clerk!.post(`/statement-lines/${line.id}/record`, { billId: bill.id, proofId: first.id })
  expect((await match(clerk!, second, { version: 1, statementLineId: line.id })).statusCode).toBe(200)
  await approvedByAnother(t, request.json().data.id)
  await t.runJobs()
  expect(await booksOf(bill.id)).toMatchObject({ status: 'paid', paid: amount })
  expect(await read(clerk!, first.id)).toMatchObject({ state: 'open', paymentId: null })
  expect(await read(clerk!, second)).toMatchObject({ state: 'matched', statementLineId: line.id })
})

test('a proof waits again once its statement line is booked for another applicant, whose own proof it answers', async () => {
  for (const withProof of [false, true]) {
    const amount = anAmount()
    const [wrong, right] = [await aSentProof(amount), await aSentProof(amount)]
    const line = await aCredit(amount)
    expect((await match(clerk!, wrong.id, { version: 1, statementLineId: line.id })).statusCode).toBe(200)
    const request = await clerk!.post(`/statement-lines/${line.id}/record`, {
      billId: right.bill.id,
      ...(withProof && { proofId: right.id }),
    })
    expect(codeOf(request)).toEqual([200, undefined])
    await t.runJobs()
    expect((await toldAbout(wrong.actor, wrong.registration.id)).proof).toMatchObject({ state: 'matched' })
    await approvedByAnother(t, request.json().data.id)
    await t.runJobs()
    const { proof, returned } = await toldAbout(wrong.actor, wrong.registration.id)
    expect(proof).toMatchObject({ state: 'open', returnedBecause: 'line_changed' })
    expect(returned).toBe(1)
    expect(await read(clerk!, right.id)).toMatchObject({ state: withProof ? 'matched' : 'open' })
  }
})

test('a match names a payment or a line, not both and not neither', async () => {
  const { id } = await aSentProof()
  for (const body of [{}, { paymentId: crypto.randomUUID(), statementLineId: crypto.randomUUID() }]) {
    const answer = await match(clerk!, id, { version: 1, ...body })
    expect([answer.statusCode, answer.json().errors]).toEqual([422, { paymentId: ['Fill in exactly one of the two.'] }])
  }
})

test('two cashiers who match a line and the payment booked from it at once: one is refused', async () => {
  const amount = anAmount()
  const [first, second] = [await aSentProof(amount), await aSentProof(amount)]
  const line = await aCredit(amount)
  const { id: paymentId } = await line.book()
  const lock = sql`LOCK TABLE transfer_proofs IN SHARE MODE`
  const answers = await raceBehind(t, lock, 2, () =>
    Promise.all([
      match(clerk!, first.id, { version: 1, statementLineId: line.id }),
      match(colleague!, second.id, { version: 1, paymentId }),
    ]),
  )
  expect(answers.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [409, 'proof_money_taken'],
  ])
})

test('lines that are held or explained are neither offered nor matched, also if explained meanwhile', async () => {
  const amount = anAmount()
  const { id } = await aSentProof(amount)
  const line = await aCredit(amount)
  const [day, description, , sum] = line.values
  await anImport(clerk!, line.accountId, [[day, `${description} ULANG`, `R${amount}`, sum]])
  const held = await t.db
    .selectFrom('statementLines')
    .select('id')
    .where('bankAccountId', '=', line.accountId)
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  expect((await read(clerk!, id)).lines.map((offered) => offered.id)).toEqual([line.id])
  expect(codeOf(await match(clerk!, id, { version: 1, statementLineId: held.id }))).toEqual([409, 'line_held'])

  const lock = sql`SELECT FROM statement_lines WHERE id = ${line.id} FOR UPDATE`
  const explained = sql`UPDATE statement_lines SET state = 'explained', explanation = 'other', reason = 'Bunga bank',
    settled_by = ${clerk!.accountId}, settled_at = now() WHERE id = ${line.id}`
  const press = () => match(clerk!, id, { version: 1, statementLineId: line.id })
  expect(codeOf(await raceBehind(t, lock, 1, press, explained))).toEqual([409, 'line_settled'])
  expect((await read(clerk!, id)).lines).toEqual([])
  expect(codeOf(await press())).toEqual([409, 'line_settled'])
})

test('one picture sent for two bills at once is the proof of one', async () => {
  const amount = anAmount()
  const { bill, actor } = await aBill(t, academic, { amount })
  const other = await aBill(t, academic, { amount, actor, trackId: academic.tracks.achievement })
  const body = await proofOf(actor, amount)
  const lock = sql`SELECT FROM files WHERE id = ${body.fileId} FOR UPDATE`
  const answers = await raceBehind(t, lock, 2, () =>
    Promise.all([send(actor, bill.id, body), send(actor, other.bill.id, body)]),
  )
  expect(answers.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [422, 'invalid_input'],
  ])
})

test('an account sends twenty pictures in ten minutes, and others can still send theirs', async () => {
  const actor = await asApplicant(t)
  const text = { name: 'bukti.jpg', type: 'image/jpeg', bytes: Buffer.from('bukan gambar') }
  const statuses: number[] = []
  for (let sent = 0; sent < 21; sent++) statuses.push((await actor.upload('/transfer-proof-files', text)).statusCode)
  expect(statuses).toEqual([...Array(20).fill(422), 429])
  await anUpload(await asApplicant(t))
})

test('sent twice at once, or with the same picture again, a proof is one; three may be open', async () => {
  const amount = anAmount()
  const { bill, actor, registration } = await aBill(t, academic, { amount })
  const body = await proofOf(actor, amount)
  const key = { 'idempotency-key': 'satu-bukti-saja' }
  const press = () => actor.post(`/bills/${bill.id}/transfer-proofs`, body, key)
  const lock = sql`SELECT FROM bills WHERE id = ${bill.id} FOR UPDATE`
  const presses = await raceBehind(t, lock, 1, () => Promise.all([press(), press()]))
  expect(presses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const withoutKeys = await Promise.all([send(actor, bill.id, body), send(actor, bill.id, body)])
  expect(withoutKeys.map(codeOf)).toEqual([
    [422, 'invalid_input'],
    [422, 'invalid_input'],
  ])
  const width = 390
  const [one, again] = [await anUpload(actor, width), await anUpload(actor, width)]
  const pictures = await raceBehind(t, lock, 2, () =>
    Promise.all([one, again].map((fileId) => send(actor, bill.id, { ...body, fileId }))),
  )
  expect(pictures.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  await send(actor, bill.id, await proofOf(actor, amount))
  expect(codeOf(await send(actor, bill.id, await proofOf(actor, amount)))).toEqual([409, 'proofs_open'])
  expect((await ownProofs(actor, registration.id)).proofs).toHaveLength(3)
})

test('the same picture of another applicant is pointed out', async () => {
  const [first, second] = [await aSentProof(), await aSentProof()]
  const width = 377
  const third = await send(
    second.actor,
    second.bill.id,
    await proofOf(second.actor, second.amount, { fileId: await anUpload(second.actor, width) }),
  )
  const body = await proofOf(first.actor, first.amount, { fileId: await anUpload(first.actor, width) })
  const { id } = (await send(first.actor, first.bill.id, body)).json().data
  expect((await read(clerk!, id)).samePicture.map((same) => same.id)).toEqual([third.json().data.id])
})

test('wrong statements are refused beside their fields, and a paid bill takes no proof', async () => {
  const { bill, actor, amount } = await aSentProof()
  const tomorrow = new Date(t.clock.now().getTime() + 24 * hourMs).toISOString()
  const wrong = await send(actor, bill.id, { fileId: bill.id, amount: 0, paidAt: tomorrow, fromBank: '' })
  expect(Object.keys(wrong.json().errors).toSorted()).toEqual(['amount', 'fromBank', 'paidAt'])
  const missing = await send(actor, bill.id, { fileId: bill.id, amount, paidAt: hoursAgo(1), fromBank: 'BRI' })
  expect(Object.keys(missing.json().errors)).toEqual(['fileId'])
  const text = { name: 'bukti.jpg', type: 'image/jpeg', bytes: Buffer.from('bukan gambar') }
  expect((await actor.upload('/transfer-proof-files', text)).statusCode).toBe(422)
  const foreign = await anUpload(await asApplicant(t))
  const stolen = await send(actor, bill.id, { fileId: foreign, amount, paidAt: hoursAgo(1), fromBank: 'BRI' })
  expect(stolen.statusCode).toBe(422)
  await paidAtBank(t, actor, bill.id, amount)
  expect(codeOf(await send(actor, bill.id, await proofOf(actor, amount)))).toEqual([409, 'wrong_status'])
})

test('applicants see their own proofs only, staff those of their study programmes, and answering needs its permission', async () => {
  const { id, bill, registration, amount } = await aSentProof()
  const stranger = await asApplicant(t)
  expect((await stranger.get(`/pendaftaran/${registration.id}/transfer-proofs`)).statusCode).toBe(404)
  expect((await send(stranger, bill.id, await proofOf(stranger, amount))).statusCode).toBe(404)
  expect((await clerk!.post(`/bills/${bill.id}/transfer-proofs`, {})).statusCode).toBe(403)
  const reader = await asWithPermissions(t, ['pembayaran-mahasiswa-view'])
  expect((await refuse(reader, id)).statusCode).toBe(403)
  const slugs = ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update', 'rekonsiliasi-view']
  const elsewhere = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]!] })
  expect((await elsewhere.get(`/bukti-transfer/${id}`)).statusCode).toBe(404)
  expect((await refuse(elsewhere, id)).statusCode).toBe(404)
  expect(await list(elsewhere)).toEqual([])
  const here = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]!] })
  expect((await read(here, id)).lines).toEqual([])
  expect((await list(here, 'per_page=100')).map((row) => row.id)).toContain(id)
})

test('the list finds by name, state and day, sorts, pages and exports', async () => {
  const amount = 9_900_000 + ++count
  const { bill, actor } = await aBill(t, academic, { amount, name: 'Zulaikha Rahmah' })
  const ids: string[] = []
  for (const part of [1, 2, 3])
    ids.push((await send(actor, bill.id, await proofOf(actor, amount - part))).json().data.id)
  await refuse(clerk!, ids[0]!)
  const amounts = async (query: string) => (await list(clerk!, `q=zulaikha&${query}`)).map((row) => row.amount)
  expect(await amounts('sort=amount')).toEqual([amount - 3, amount - 2, amount - 1])
  expect(await amounts('sort=-amount&per_page=1&page=2')).toEqual([amount - 2])
  expect(await amounts('state=open&sort=amount')).toEqual([amount - 3, amount - 2])
  const day = bankCalendar.dayOf(new Date(t.clock.now().getTime() + 48 * hourMs))
  expect(await amounts(`from=${day}`)).toEqual([])
  const file = await clerk!.get('/bukti-transfer/export?format=csv&q=zulaikha')
  expect(file.body.split('\n').filter((line) => line.includes('Zulaikha'))).toHaveLength(3)
  await setSettings(t, { proofAnswerHours: 1 })
  t.clock.set(new Date(Date.now() + 2 * hourMs))
  expect((await list(clerk!, 'q=zulaikha&sort=amount')).map(({ late }) => late)).toEqual([true, true, false])
  t.clock.reset()
})
