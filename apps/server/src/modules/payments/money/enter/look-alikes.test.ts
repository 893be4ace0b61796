import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { cashEntry, idOf, aTuitionBill as makeTuitionBill } from '#server-test/factories/desk.ts'
import { aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { aBankAccount } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(async () => {
  await assertBalanced(t)
  await t.close()
})
beforeEach(async () => {
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})

const dayMs = 86_400_000
const png = await aPicture('png')
let proofs = 0
const aProof = async (bytes = Buffer.from(`%PDF-1.4\n% ${++proofs}\n%%EOF`), type = 'application/pdf') => {
  const answer = await clerk.upload('/payment-proofs', { name: 'bukti.pdf', type, bytes })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.id as string
}
const aTuitionBill = (options?: BillDetails) => makeTuitionBill(t, academic, 9_000_000, options)
const cash = (billId: string, amount: number, more?: object) => cashEntry(t, billId, amount, more)
const enter = (body: object, who = clerk) => who.post('/pembayaran-mahasiswa', body)
const approve = (id: string) => idOf(second.post(`/persetujuan/${id}/decide`, { approve: true }))
type Found = {
  id: string
  type: string
  why: string[]
  visible: boolean
  applicantName: string | null
  expected: boolean
}
const lookAlikesOf = async (pendingAnswer: ReturnType<TestActor['post']>) => {
  const answer = await pendingAnswer
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'look_alikes'])
  return answer.json().data.lookAlikes as Found[]
}
const paymentOfRequest = async (id: string) =>
  (await t.db.selectFrom('approvalRequests').select('paymentId').where('id', '=', id).executeTakeFirstOrThrow())
    .paymentId

describe('an entry that resembles a known payment', () => {
  test('of the same payer, sum and day is refused with the look-alike until it names it with a reason', async () => {
    const { bill } = await aTuitionBill()
    const first = await idOf(enter(cash(bill.id, 500_000)))
    const waiting = await lookAlikesOf(enter(cash(bill.id, 500_000), second))
    expect(waiting).toMatchObject([{ type: 'request', id: first, why: ['sum'], visible: true }])
    await approve(first)
    const [booked] = await lookAlikesOf(enter(cash(bill.id, 500_000), second))
    expect(booked).toMatchObject({ type: 'payment', id: await paymentOfRequest(first), why: ['sum'] })
    const another = { seen: [booked!.id], reason: 'Ibu dan ayah masing-masing menyetor' }
    const sent = await idOf(enter(cash(bill.id, 500_000, { another })))
    const { data } = (await second.get(`/persetujuan/${sent}/state`)).json()
    expect(data).toMatchObject({ changed: false, lookAlikes: [{ id: booked!.id }] })
    const [row] = (await second.get('/persetujuan?status=pending')).json().data
    expect(row).toMatchObject({ id: sent, details: { another } })
  })

  test('is refused again if another look-alike was entered meanwhile', async () => {
    const { bill } = await aTuitionBill()
    const old = await idOf(enter(cash(bill.id, 300_000)))
    const another = { seen: [old], reason: 'Dua setoran yang sama' }
    const both = await Promise.all([clerk, second].map((who) => enter(cash(bill.id, 300_000, { another }), who)))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('is accepted if day, sum or payer differ, or if the other entry was withdrawn or reversed', async () => {
    const { bill } = await aTuitionBill()
    const stranger = await aTuitionBill()
    const id = await idOf(enter(cash(bill.id, 400_000)))
    await idOf(enter(cash(stranger.bill.id, 400_000)))
    await idOf(enter(cash(bill.id, 400_001)))
    const earlier = new Date(t.clock.now().getTime() - 3 * dayMs).toISOString()
    await idOf(enter(cash(bill.id, 400_000, { paidAt: earlier })))
    await idOf(clerk.post(`/persetujuan/${id}/withdraw`))
    const next = await idOf(enter(cash(bill.id, 400_000)))
    await approve(next)
    const back = { reason: 'Salah catat' }
    await approve(await idOf(clerk.post(`/pembayaran-mahasiswa/${await paymentOfRequest(next)}/reversal`, back)))
    await idOf(enter(cash(bill.id, 400_000)))
  })

  test("is found by the bank's own reference in any spelling", async () => {
    const { bill, actor } = await aTuitionBill()
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 700_000, reference: 'BankRef-4711' }).send()
    const other = await aTuitionBill()
    const wish = { method: 'transfer', reference: 'bankref-4711', proofFileId: await aProof() }
    const [found] = await lookAlikesOf(enter(cash(other.bill.id, 100_000, wish)))
    expect(found).toMatchObject({ type: 'payment', why: ['reference'], applicantName: 'Sari Wulandari' })
  })

  test.each(['TRX 777', 'TRX777', 'TRX-777\u200b', 'ＴＲＸ-７７７', 'TRX‑777', '0TRX-777', 'trx-777.', '00 trx 777'])(
    'a reference spelled %j is the one that was entered before',
    async (reference) => {
      const { bill } = await aTuitionBill()
      const transfer = async (more: object) => ({ method: 'transfer', proofFileId: await aProof(), ...more })
      const before = await t.db
        .selectFrom('approvalRequests')
        .select('id')
        .where('details', '@>', JSON.stringify({ reference: 'TRX-777' }) as never)
        .executeTakeFirst()
      if (!before) await approve(await idOf(enter(cash(bill.id, 500_000, await transfer({ reference: 'TRX-777' })))))
      const again = await enter(cash(bill.id, 123_456, await transfer({ reference })))
      expect(again.json().errors).toMatchObject({ reference: [expect.stringContaining('already entered')] })
    },
  )

  test('with the same reference for two bills at once is accepted once', async () => {
    for (let round = 0; round < 5; round++) {
      const bills = await Promise.all([aTuitionBill(), aTuitionBill()])
      const proofs = [await aProof(), await aProof()]
      const wishes = bills.map(({ bill }, at) =>
        cash(bill.id, 500_000, {
          ...{ method: 'transfer', reference: at ? `serentak ${round}` : `SERENTAK-${round}`, proofFileId: proofs[at] },
        }),
      )
      const answers = await Promise.all(wishes.map((wish) => enter(wish)))
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422])
    }
  })

  test('more than 400 days old is refused beside the field', async () => {
    const { bill } = await aTuitionBill()
    for (const [days, errors] of [
      [399, undefined],
      [401, { paidAt: [expect.stringContaining('400 days')] }],
    ] as const) {
      const paidAt = new Date(t.clock.now().getTime() - days * dayMs).toISOString()
      expect((await enter(cash(bill.id, 1_000 + days, { paidAt }))).json().errors).toEqual(errors)
    }
  })

  test('is found by the same proof, even if the file was uploaded again', async () => {
    const [one, two] = [await aTuitionBill(), await aTuitionBill()]
    const transfer = async (reference: string) => ({
      method: 'transfer',
      reference,
      proofFileId: await aProof(png, 'image/png'),
    })
    const first = await idOf(enter(cash(one.bill.id, 100_000, await transfer('BUKTI-1'))))
    expect(await lookAlikesOf(enter(cash(two.bill.id, 200_000, await transfer('BUKTI-2'))))).toMatchObject([
      { type: 'request', id: first, why: ['proof'] },
    ])
    await approve(first)
    expect(await lookAlikesOf(enter(cash(two.bill.id, 200_000, await transfer('BUKTI-2'))))).toMatchObject([
      { type: 'payment', id: await paymentOfRequest(first), why: ['proof'] },
    ])
  })

  test('is confirmed by an unmatched statement line and warned about by an explained one', async () => {
    const { bill } = await aTuitionBill()
    const line = await aStatementLine('MUTASI-99')
    const wish = { method: 'transfer', reference: 'MUTASI-99', proofFileId: await aProof() }
    const sent = await idOf(enter(cash(bill.id, 150_000, wish)))
    const { data } = (await second.get(`/persetujuan/${sent}/state`)).json()
    expect(data.lookAlikes).toMatchObject([{ type: 'statement_line', id: line, expected: true }])
    await idOf(clerk.post(`/persetujuan/${sent}/withdraw`))
    await t.db
      .updateTable('statementLines')
      .set({
        state: 'explained',
        explanation: 'other',
        reason: 'Milik unit lain',
        settledBy: second.accountId,
        settledAt: t.clock.now(),
      })
      .where('id', '=', line)
      .execute()
    const again = { ...wish, proofFileId: await aProof() }
    expect(await lookAlikesOf(enter(cash(bill.id, 150_000, again)))).toMatchObject([
      { id: line, why: ['reference'], expected: false },
    ])
  })

  test('of another study programme is shown without details', async () => {
    const { bill, actor } = await aTuitionBill()
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 700_000, reference: 'JAUH-1' }).send()
    const programmeId = academic.programmes[1]!
    const limited = await asWithPermissions(t, ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-create'], {
      programmeIds: [programmeId],
    })
    const own = await aTuitionBill()
    await t.db.updateTable('registrations').set({ programmeId }).where('id', '=', own.bill.registrationId).execute()
    clerk = limited
    const wish = { method: 'transfer', reference: 'JAUH-1', proofFileId: await aProof() }
    const [found] = await lookAlikesOf(enter(cash(own.bill.id, 100_000, wish)))
    const nothing = { applicantName: null, registrationCode: null, payerName: null, amount: null, at: null }
    expect(found).toMatchObject({ ...nothing, visible: false, reference: null, why: ['reference'] })
  })

  async function aStatementLine(reference: string) {
    const account = await aBankAccount(t, await asStaff(t))
    const fileId = await aProof()
    const day = '2026-01-05'
    const brought = await t.db
      .insertInto('statementImports')
      .values({
        bankAccountId: account.id,
        fileId,
        fileName: 'mutasi.csv',
        format: 'csv',
        sha256: Buffer.from(reference),
        firstDay: day,
        lastDay: day,
        lines: 1,
        linesNew: 1,
        creditsSen: 150_000 * 100,
        debitsSen: 0,
        importedBy: clerk.accountId,
        importedAt: t.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await t.db
      .insertInto('statementLines')
      .values({
        bankAccountId: account.id,
        importId: brought.id,
        lineNumber: 1,
        day,
        amountSen: 150_000 * 100,
        reference,
        description: 'TRSF',
        occurrence: 1,
        raw: reference,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
})
