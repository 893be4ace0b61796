import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, asWithPermissions } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import {
  aBill,
  aPayableRegistration,
  aReport,
  assertBalanced,
  aVirtualAccount,
} from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { billSummary } from './bill-summary.ts'
import { reissueBill } from './change/reissue-bill.ts'
import { registrationFeeFor, tuitionFor } from './prices/prices.ts'
import { unlockReached } from './unlock.ts'

let t: TestApp
let academic: AcademicFixture

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

const reRegistration = {
  kind: 're_registration' as const,
  lines: [
    { description: 'Dana pengembangan', amount: 9_000_000 },
    { description: 'SPP', amount: 4_500_000 },
  ],
}

describe('prices', () => {
  const question = () => ({
    waveId: academic.wave,
    trackId: academic.tracks.regular,
    entryLevelId: academic.entryLevel,
    classProgrammeId: academic.classProgramme,
  })

  test('the registration fee that names the most criteria wins', async () => {
    expect(await registrationFeeFor(t.db, question())).toBe(250_000)
    await t.db
      .insertInto('registrationFees')
      .values([
        { waveId: academic.wave, classProgrammeId: academic.classProgramme, amount: 300_000 },
        { waveId: academic.wave, trackId: academic.tracks.regular, amount: 350_000 },
      ])
      .execute()
    expect(await registrationFeeFor(t.db, question())).toBe(350_000)
    await t.db
      .insertInto('registrationFees')
      .values({
        waveId: academic.wave,
        entryLevelId: academic.entryLevel,
        classProgrammeId: academic.classProgramme,
        amount: 400_000,
      })
      .execute()
    expect(await registrationFeeFor(t.db, question())).toBe(400_000)
  })
  test('a track free of fee costs nothing, and so does a wave without a fee row', async () => {
    expect(await registrationFeeFor(t.db, { ...question(), trackId: academic.tracks.achievement })).toBe(0)
    const { id } = await t.db
      .insertInto('waves')
      .values({
        code: 'G9',
        academicYear: '2026/2027',
        name: 'Gelombang 9',
        semesterCode: '20261',
        opensAt: new Date(),
        closesAt: new Date(Date.now() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await registrationFeeFor(t.db, { ...question(), waveId: id })).toBe(0)
  })
  test('for each component, tuition of the track wins over tuition for any track', async () => {
    const of = (trackId: string) =>
      tuitionFor(t.db, {
        programmeId: academic.programmes[0],
        waveId: academic.wave,
        classProgrammeId: academic.classProgramme,
        trackId,
      })
    expect((await of(academic.tracks.regular)).total).toBe(13_500_000)
    await t.db
      .insertInto('tuitionFees')
      .values({
        programmeId: academic.programmes[0],
        waveId: academic.wave,
        classProgrammeId: academic.classProgramme,
        trackId: academic.tracks.achievement,
        feeComponentId: academic.feeComponents.development,
        amount: 5_000_000,
        installmentsAllowed: false,
      })
      .execute()
    expect((await of(academic.tracks.regular)).total).toBe(13_500_000)
    const achievement = await of(academic.tracks.achievement)
    expect(achievement.total).toBe(9_500_000)
    const allowed = Object.fromEntries(achievement.lines.map((line) => [line.amount, line.installmentsAllowed]))
    expect(allowed).toEqual({ 5000000: false, 4500000: true })
  })
})

describe('bills', () => {
  test('a bill of zero rupiah is paid at once', async () => {
    const { bill, registration } = await aBill(t, academic, { lines: [] })
    expect(bill).toMatchObject({ status: 'paid', total: 0 })
    const summary = (await billSummary(t.db, [registration.id])).get(registration.id)!
    expect(summary.registrationFee).toMatchObject({ status: 'paid', next: null })
    expect(summary.reRegistration).toBeNull()
  })

  test('the total is the sum of the lines', async () => {
    const { bill } = await aBill(t, academic, {
      lines: [
        { description: 'Biaya pendaftaran', amount: 250_000 },
        { description: 'Jaket almamater', amount: 150_000 },
      ],
    })
    expect(bill.total).toBe(400_000)
  })

  test('a registration has one bill of each kind', async () => {
    const { registration, bill } = await aBill(t, academic, { amount: 250_000 })
    await expect(
      t.db
        .insertInto('bills')
        .values({ ...bill, id: undefined as never, number: 'X-1' })
        .execute(),
    ).rejects.toThrow(/bills_one_of_kind|duplicate/)
    expect((await billSummary(t.db, [registration.id])).size).toBe(1)
  })

  test('the first instalment unlocks the student number, and a part of the instalment does not', async () => {
    const { bill, registration, actor } = await aBill(t, academic, {
      ...reRegistration,
      installmentPlanId: academic.plan,
    })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 5_000_000 }).send()
    expect(await unlockReached(t.db, registration.id, t.clock.now())).toBe(false)
    await aReport(t, { virtualAccountNumber: account.number, amount: 400_000 }).send()
    expect(await unlockReached(t.db, registration.id, t.clock.now())).toBe(true)
  })

  test('a bill reissued with other lines takes the paid money along', async () => {
    const { bill, actor } = await aBill(t, academic, { ...reRegistration, installmentPlanId: academic.plan })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 5_400_000 }).send()
    const newBill = await inTransaction(t.services, systemActor, (context) =>
      reissueBill(context, bill.id, {
        lines: [{ description: 'SPP', amount: 4_000_000 }],
        dueAt: new Date(),
        reason: 'another programme',
      }),
    )
    expect(newBill).toMatchObject({ status: 'paid', paid: 4_000_000 })
    const payment = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('virtualAccountNumber', '=', account.number)
      .executeTakeFirstOrThrow()
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 1_400_000, waitingReason: 'overpaid' })
  })
})

describe('transfer numbers', () => {
  test('five requests at once get the same number', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const accounts = await Promise.all(Array.from({ length: 5 }, () => aVirtualAccount(actor, bill.id)))
    expect(new Set(accounts.map((account) => account.number)).size).toBe(1)
    const active = await t.db
      .selectFrom('virtualAccounts')
      .select('id')
      .where('billId', '=', bill.id)
      .where('status', '=', 'active')
      .execute()
    expect(active).toHaveLength(1)
  })
  test('each bank has its own number', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const a = await aVirtualAccount(actor, bill.id)
    const b = await aVirtualAccount(actor, bill.id, { bank: 'sandbox-b' })
    expect(a.number.slice(0, 5)).toBe('99001')
    expect(b.number.slice(0, 5)).toBe('99002')
  })
  test('a request for another instalment replaces the number', async () => {
    const { bill, actor } = await aBill(t, academic, { ...reRegistration, installmentPlanId: academic.plan })
    const first = await aVirtualAccount(actor, bill.id)
    const parts = await t.db
      .selectFrom('installments')
      .select('id')
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const second = await aVirtualAccount(actor, bill.id, { installmentId: parts[1]!.id })
    expect(second.number).not.toBe(first.number)
    const old = await t.db.selectFrom('virtualAccounts').select('status').where('id', '=', first.id).executeTakeFirst()
    expect(old).toEqual({ status: 'replaced' })
  })
  test('an expired number is not issued again', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const first = await aVirtualAccount(actor, bill.id)
    t.clock.set(new Date(new Date(first.expiresAt).getTime() + 1))
    const second = await aVirtualAccount(actor, bill.id)
    expect(second.number).not.toBe(first.number)
    expect(new Date(second.expiresAt) > new Date(first.expiresAt)).toBe(true)
  })
  test('a paid bill, an unknown bank and an instalment of another bill get no number', async () => {
    const { bill, actor } = await aBill(t, academic, { lines: [] })
    expect((await actor.post(`/bills/${bill.id}/virtual-account`, { bank: 'sandbox-a' })).statusCode).toBe(409)
    const other = await aBill(t, academic, { amount: 250_000 })
    const wrongBank = await other.actor.post(`/bills/${other.bill.id}/virtual-account`, { bank: 'bca' })
    expect(wrongBank.statusCode).toBe(422)
    const foreign = await aBill(t, academic, { ...reRegistration, installmentPlanId: academic.plan })
    const part = await t.db
      .selectFrom('installments')
      .select('id')
      .where('billId', '=', foreign.bill.id)
      .executeTakeFirstOrThrow()
    const answer = await other.actor.post(`/bills/${other.bill.id}/virtual-account`, {
      bank: 'sandbox-a',
      installmentId: part.id,
    })
    expect(answer.statusCode).toBe(404)
  })
})

describe('who may see bills', () => {
  test('other applicants get 404 for a bill', async () => {
    const { bill, registration, actor } = await aBill(t, academic, { amount: 250_000 })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    const stranger = await asApplicant(t)
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    const payment = data.bills[0].payments[0].id
    for (const answer of [
      await stranger.get(`/pendaftaran/${registration.id}/bills`),
      await stranger.post(`/bills/${bill.id}/virtual-account`, { bank: 'sandbox-a' }),
      await stranger.post(`/virtual-accounts/${account.id}/check`, {}),
      await stranger.get(`/payments/${payment}/receipt.pdf`),
      await stranger.get(`/pendaftaran/${registration.id}/re-registration/quote`),
    ])
      expect(answer.statusCode).toBe(404)
  })

  test('staff limited to another study programme see neither bill nor payment', async () => {
    const { bill, registration, actor } = await aBill(t, academic, { amount: 250_000 })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    const slugs = ['pendaftaran-view', 'pembayaran-mahasiswa-view']
    const other = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]] })
    expect((await other.get(`/pendaftaran/${registration.id}/bills`)).statusCode).toBe(404)
    expect((await other.get('/pembayaran-mahasiswa')).json().data).toEqual([])
    const own = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]] })
    expect((await own.get(`/pendaftaran/${registration.id}/bills`)).statusCode).toBe(200)
  })

  test('the quote reveals nothing before the result is published', async () => {
    const { id, actor } = await aPayableRegistration(t, academic, { status: 'decided', accepted: true })
    const ask = () => actor.get(`/pendaftaran/${id}/re-registration/quote`)
    const before = await ask()
    expect(before.statusCode).toBe(409)
    const undecided = await aPayableRegistration(t, academic, { status: 'verified' })
    const compared = await undecided.actor.get(`/pendaftaran/${undecided.id}/re-registration/quote`)
    expect({ ...compared.json(), request_id: 0 }).toEqual({ ...before.json(), request_id: 0 })

    await t.db
      .insertInto('resultPublications')
      .values({ waveId: academic.wave, trackId: academic.tracks.regular, publishAt: new Date(Date.now() - 1000) })
      .execute()
    const { data } = (await ask()).json()
    expect(data.total).toBe(13_500_000)
    expect(data.plans[0].installments.map((part: { amount: number }) => part.amount)).toEqual([
      5_400_000, 4_050_000, 4_050_000,
    ])
  })
})

describe('staff list', () => {
  test('search, status, paging and an exact total', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const fixtures = []
    for (let index = 0; index < 3; index++) {
      const one = await aBill(t, academic, { amount: 250_000, name: 'Wayan Paging' })
      const account = await aVirtualAccount(one.actor, one.bill.id)
      await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 + index }).send()
      fixtures.push(account.number)
    }
    const first = (await staff.get('/pembayaran-mahasiswa?per_page=2&q=wayan')).json()
    expect(first.meta).toMatchObject({ total: 3, total_is_estimate: false })
    expect(first.data.map((row: { virtualAccountNumber: string }) => row.virtualAccountNumber)).toEqual([
      fixtures[2],
      fixtures[1],
    ])
    const next = (await staff.get(`/pembayaran-mahasiswa?per_page=2&q=wayan&after=${first.meta.next}`)).json()
    expect(next.data.map((row: { virtualAccountNumber: string }) => row.virtualAccountNumber)).toEqual([fixtures[0]])
    expect(next.meta.next).toBeNull()
    const waiting = (await staff.get('/pembayaran-mahasiswa?q=wayan&status=waiting')).json()
    expect(waiting.data).toHaveLength(2)
    expect((await staff.get(`/pembayaran-mahasiswa?q=${fixtures[1]}`)).json().data).toHaveLength(1)
    expect((await staff.get('/pembayaran-mahasiswa?after=nonsense')).statusCode).toBe(422)
  })
  test('an applicant gets 403', async () => {
    const actor = await asApplicant(t)
    expect((await actor.get('/pembayaran-mahasiswa')).statusCode).toBe(403)
  })
})

describe('the page of a bill', () => {
  test('shows the finance office a bill with its payments, a cancelled one too, and nobody else', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000, name: 'Sari Wulandari' })
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 100_000 }).send()
    const clerk = await asStaff(t, 'Keuangan')
    const { data } = (await clerk.get(`/bills/${bill.id}`)).json()
    expect(data).toMatchObject({
      registration: { applicantName: 'Sari Wulandari' },
      bill: { id: bill.id, status: 'partly_paid', paid: 100_000, payments: [{ amount: 100_000 }] },
    })
    const ended = await aBill(t, academic, { amount: 250_000 })
    await t.db.updateTable('bills').set({ status: 'cancelled' }).where('id', '=', ended.bill.id).execute()
    expect((await clerk.get(`/bills/${ended.bill.id}`)).json().data.bill).toMatchObject({ status: 'cancelled' })
    expect((await actor.get(`/bills/${bill.id}`)).statusCode).toBe(403)
    const slugs = ['pembayaran-mahasiswa-view']
    const elsewhere = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]!] })
    expect((await elsewhere.get(`/bills/${bill.id}`)).statusCode).toBe(404)
  })
})

describe('receipts', () => {
  test('a receipt is a PDF named after its number, and its code verifies it', async () => {
    const { bill, actor, registration } = await aBill(t, academic, { amount: 250_000, name: 'Sari Wulandari' })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    const [payment] = data.bills[0].payments
    const answer = await actor.get(`/payments/${payment.id}/receipt.pdf?language=id`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toContain(`${payment.receiptNumber}.pdf`)
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')

    const { receiptCode } = await import('#server/modules/payments/money/receipts.ts')
    const code = receiptCode(t.services.config.secretKey, payment.id)
    const verified = await t.app.inject(`/api/verifikasi-kuitansi/${code}`)
    expect(verified.json().data).toMatchObject({
      number: payment.receiptNumber,
      amount: 250_000,
      payer: 'S*** W********',
    })
    const forged = `${code.slice(0, -4)}AAAA`
    expect((await t.app.inject(`/api/verifikasi-kuitansi/${forged}`)).statusCode).toBe(404)
  })
  test('money that only waits has no receipt', async () => {
    const { bill, actor, registration } = await aBill(t, academic, { amount: 250_000 })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    const { data } = (await actor.get(`/pendaftaran/${registration.id}/bills`)).json()
    const waiting = data.bills[0].payments.find((payment: { status: string }) => payment.status === 'waiting')
    expect(waiting.receiptNumber).toBeNull()
    expect((await actor.get(`/payments/${waiting.id}/receipt.pdf`)).statusCode).toBe(404)
  })
})

describe('demo bank', () => {
  test('a payment is booked through the signed report', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { number, id } = await aVirtualAccount(actor, bill.id)
    const pay = (body: object) => t.app.inject({ method: 'POST', url: `/api/sandbox-bank/${number}`, payload: body })
    const answer = await t.app.inject(`/api/sandbox-bank/${number}`)
    expect(answer.json().data).toMatchObject({ amount: 250_000, bankName: 'Bank Contoh', transactions: [] })
    const paid = (await pay({ action: 'pay', amount: 250_000 })).json().data
    expect(paid.answers).toMatchObject([{ status: 200 }])
    expect(paid.account).toMatchObject({ amount: 0, status: 'paid' })
    const repeated = (await pay({ action: 'repeat' })).json().data
    expect(repeated.answers).toMatchObject([{ status: 200 }])
    expect(repeated.account.transactions).toMatchObject([{ reports: 2 }])
    expect(await t.db.selectFrom('payments').select('id').where('virtualAccountId', '=', id).execute()).toHaveLength(1)
  })
  test('asking the bank finds a lost report once', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const { number, id } = await aVirtualAccount(actor, bill.id)
    const url = `/api/sandbox-bank/${number}`
    await t.app.inject({ method: 'POST', url, payload: { action: 'pay', amount: 250_000, silent: true } })
    const check = () => actor.post(`/virtual-accounts/${id}/check`, {})
    const asks = () => t.db.selectFrom('virtualAccounts').select('asks').where('id', '=', id).executeTakeFirstOrThrow()
    const before = await asks()
    expect((await check()).json().data).toEqual({ found: 1 })
    expect(await asks()).toEqual(before)
    expect((await check()).json().data).toEqual({ found: 0 })
    await t.app.inject({ method: 'POST', url, payload: { action: 'repeat' } })
    expect(await t.db.selectFrom('payments').select('id').where('virtualAccountId', '=', id).execute()).toHaveLength(1)
  })
  test('the demo bank answers 404 outside the demo', async () => {
    const real = await testApp({ config: { demo: false }, sameDatabaseAs: t })
    try {
      expect((await real.app.inject('/api/sandbox-bank/990010000000001')).statusCode).toBe(404)
      const report = aReport(t, { virtualAccountNumber: '990010000000001', amount: 250_000 })
      const answer = await real.app.inject({
        method: 'POST',
        url: '/api/providers/sandbox/report',
        headers: report.headers,
        payload: report.body,
      })
      expect(answer.statusCode).toBe(404)
    } finally {
      await real.close()
    }
  })
})
