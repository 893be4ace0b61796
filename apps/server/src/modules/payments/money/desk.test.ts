import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import {
  aBill,
  aReport,
  assertBalanced,
  aVirtualAccount,
  type BillDetails,
  leave,
} from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf, paymentOf, requestOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

const day = 86_400_000
const tuition = { kind: 're_registration', lines: [{ description: 'Uang pangkal', amount: 4_000_000 }] } as const
const aTuitionBill = (options: BillDetails = {}) =>
  aBill(t, academic, { ...tuition, lines: [...tuition.lines], status: 'confirmed', accepted: true, ...options })

const cash = (billId: string, amount: number, more: object = {}) => ({
  billId,
  amount,
  method: 'cash',
  paidAt: new Date(t.clock.now().getTime() - day).toISOString(),
  payerName: 'Ayah Sari',
  ...more,
})
const enter = async (billId: string, amount: number, more: object = {}) => {
  const answer = await clerk.post('/pembayaran-mahasiswa', cash(billId, amount, more))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.id as string
}
const decide = (actor: TestActor, id: string, approve = true, reason = 'Sesuai bukti') =>
  actor.post(`/persetujuan/${id}/decide`, { approve, reason })
const ok = (answer: { statusCode: number; body: string; json(): { data: { id: string } } }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

/** A bill paid in cash, entered and approved; tells its payment. */
async function paidInCash(billId: string, amount: number) {
  const id = await enter(billId, amount)
  ok(await decide(second, id))
  return (await requestOf(id)).paymentId!
}

describe('money entered by hand', () => {
  test('counts once another one has approved it, with a receipt like any other', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
    ok(await decide(second, id))
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    const payment = await paymentOf((await requestOf(id)).paymentId!)
    expect(payment).toMatchObject({ provider: 'manual', channel: 'cash', payerName: 'Ayah Sari', status: 'allocated' })
    expect(payment.receiptNumber).toMatch(/^KW-\d{4}-\d{6}$/)
    expect((await actor.get(`/payments/${payment.id}/receipt.pdf`)).statusCode).toBe(200)
    const own = (await actor.get(`/pendaftaran/${bill.registrationId}/bills`)).json().data.bills
    expect(own[0].payments).toMatchObject([{ amount: 250_000, virtualAccountNumber: null, channel: 'cash' }])
  })

  test('whoever entered it does not approve it, and neither does the database let it be written', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    const refused = await decide(clerk, id)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'own_request'])
    await expect(
      t.db
        .updateTable('approvalRequests')
        .set({ status: 'approved', decidedBy: clerk.accountId, decidedAt: new Date() })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow(/check constraint/)
    expect(await billOf(bill.id)).toMatchObject({ paid: 0 })
  })

  test('approved by ten at once it is booked once', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 100_000)
    const others = await Promise.all(Array.from({ length: 10 }, () => asStaff(t, 'Keuangan')))
    const answers = await Promise.all(others.map((other) => decide(other, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
  })

  test('beside a transfer that the bank reports at the same moment, nothing is lost and the rest waits', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const account = await aVirtualAccount(actor, bill.id)
    const id = await enter(bill.id, 250_000)
    await Promise.all([
      decide(second, id),
      aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send(),
    ])
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    const payments = await t.db.selectFrom('payments').selectAll().where('billId', '=', bill.id).execute()
    expect(payments.map(({ amount }) => amount)).toEqual([250_000, 250_000])
    expect(payments.reduce((sum, { waitingAmount }) => sum + waitingAmount, 0)).toBe(250_000)
  })

  test('all that is wrong is told beside its field', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const answer = await clerk.post(
      '/pembayaran-mahasiswa',
      cash(bill.id, 250_001, { method: 'transfer', paidAt: new Date(t.clock.now().getTime() + day).toISOString() }),
    )
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['amount', 'paidAt', 'proofFileId', 'reference'])
  })

  test('the same transfer is entered once, unless its entry was rejected', async () => {
    const { bill } = await aTuitionBill()
    const proof = await aProof()
    const transfer = { method: 'transfer', reference: 'TRF-77', proofFileId: proof }
    const first = await enter(bill.id, 500_000, transfer)
    const again = await clerk.post(
      '/pembayaran-mahasiswa',
      cash(bill.id, 500_000, { ...transfer, reference: 'trf-77' }),
    )
    expect(again.json().errors.reference).toBeDefined()
    ok(await decide(second, first, false, 'Bukti tidak terbaca'))
    const next = await enter(bill.id, 500_000, transfer)
    ok(await decide(second, next))
    const third = await clerk.post('/pembayaran-mahasiswa', cash(bill.id, 500_000, transfer))
    expect(third.json().errors.reference).toBeDefined()
    // Taken back, it may be entered again for another bill.
    const { paymentId } = await requestOf(next)
    ok(
      await decide(
        second,
        ok(await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Salah tagihan' })).id,
      ),
    )
    await enter(bill.id, 500_000, transfer)
  })

  test('a proof somebody else sent is not one', async () => {
    const { bill } = await aTuitionBill()
    const proof = await aProof(second)
    const answer = await clerk.post(
      '/pembayaran-mahasiswa',
      cash(bill.id, 500_000, { method: 'transfer', reference: 'X-1', proofFileId: proof }),
    )
    expect(Object.keys(answer.json().errors)).toEqual(['proofFileId'])
  })

  async function aProof(actor = clerk) {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const form = new FormData()
    form.append('file', new Blob([png], { type: 'image/png' }), 'bukti.png')
    const encoded = new Response(form)
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/payment-proofs',
      headers: { authorization: `Bearer ${actor.token}`, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.id as string
  }
})

describe('deciding', () => {
  test('ends at the limit of the role', async () => {
    const { bill } = await aTuitionBill({ lines: [{ description: 'Uang pangkal', amount: 20_000_000 }] })
    const id = await enter(bill.id, 10_000_001)
    const refused = await decide(second, id)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'above_approval_limit'])
    ok(await decide(await asStaff(t, 'Administrator'), id))
  })

  test('needs a limit of the role at all, and the permission', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 1000)
    const other = await asWithPermissions(t, ['persetujuan-view', 'persetujuan-update'])
    expect((await decide(other, id)).json().code).toBe('no_approval_limit')
    const reader = await asWithPermissions(t, ['persetujuan-view'])
    expect((await decide(reader, id)).json().code).toBe('forbidden')
    const row = (await reader.get('/persetujuan?status=pending'))
      .json()
      .data.find((one: { id: string }) => one.id === id)
    expect(row.whyNot).toBe('no_permission')
  })

  test('a rejection needs a reason, changes nothing else, and is final', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    expect((await second.post(`/persetujuan/${id}/decide`, { approve: false })).json().errors.reason).toBeDefined()
    ok(await decide(second, id, false, 'Uang belum diterima'))
    expect((await decide(second, id)).statusCode).toBe(409)
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
  })

  test('an own request is taken back by whoever asked, and by nobody else', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    expect((await second.post(`/persetujuan/${id}/withdraw`)).json().code).toBe('not_own_request')
    ok(await clerk.post(`/persetujuan/${id}/withdraw`))
    expect((await decide(second, id)).statusCode).toBe(409)
  })

  test('of other study programmes there is nothing to see or decide', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    const elsewhere = await asWithPermissions(
      t,
      ['persetujuan-view', 'persetujuan-update', 'pembayaran-mahasiswa-view'],
      { programmeIds: [academic.programmes[1]!] },
    )
    expect((await elsewhere.get('/persetujuan')).json().data.map((row: { id: string }) => row.id)).not.toContain(id)
    expect((await decide(elsewhere, id)).statusCode).toBe(404)
    expect((await elsewhere.get('/bills')).json().data.map((row: { id: string }) => row.id)).not.toContain(bill.id)
  })
})

describe('a payment taken back', () => {
  test('makes the bill owed again, and its receipt says so', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const paymentId = await paidInCash(bill.id, 250_000)
    const { id } = ok(await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' }))
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    ok(await decide(second, id))
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0, paidAt: null })
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'reversed', waitingAmount: 0 })
    const inbox = await t.db.selectFrom('messages').select('event').where('accountId', '=', actor.accountId).execute()
    expect(inbox.map(({ event }) => event)).toContain('payment-reversed')
    const detail = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}`)).json().data
    expect(detail.allocations.map(({ amount }: { amount: number }) => amount).sort()).toEqual([-250_000, 250_000])
    const twice = await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Sekali lagi' })
    expect(twice.statusCode).toBe(409)
  })

  test('is asked about once at a time', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const paymentId = await paidInCash(bill.id, 250_000)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409])
  })
})

describe('exceptions about a bill', () => {
  const ask = (billId: string, body: object) => clerk.post(`/bills/${billId}/exceptions`, body)

  test('a waiver makes the bill smaller by a line of its own, the last instalments first', async () => {
    const { bill } = await aTuitionBill({ installmentPlanId: await aPlan() })
    const before = await partsOf(bill.id)
    ok(await decide(second, ok(await ask(bill.id, { kind: 'waiver', amount: 1_500_000, reason: 'Anak yatim' })).id))
    expect(await billOf(bill.id)).toMatchObject({ total: 2_500_000, status: 'open' })
    const after = await partsOf(bill.id)
    expect(after[0]).toBe(before[0])
    expect(after.reduce((sum, amount) => sum + amount, 0)).toBe(2_500_000)
    const lines = await t.db.selectFrom('billLines').select('amount').where('billId', '=', bill.id).execute()
    expect(lines.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-1_500_000, 4_000_000])
  })

  test('a waiver of all that is left settles the bill', async () => {
    const { bill } = await aTuitionBill()
    await paidInCash(bill.id, 3_000_000)
    expect(
      (await ask(bill.id, { kind: 'waiver', amount: 1_000_001, reason: 'Terlalu besar' })).json().errors.amount,
    ).toBeDefined()
    ok(await decide(second, ok(await ask(bill.id, { kind: 'waiver', amount: 1_000_000, reason: 'Prestasi' })).id))
    expect(await billOf(bill.id)).toMatchObject({ total: 3_000_000, paid: 3_000_000, status: 'paid' })
  })

  test('a sponsor guarantees: nothing more is asked, and money that comes anyway waits', async () => {
    const { bill, actor } = await aTuitionBill()
    const account = await aVirtualAccount(actor, bill.id)
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh', reason: 'Beasiswa penuh' })).id,
      ),
    )
    expect(await billOf(bill.id)).toMatchObject({ status: 'guaranteed', paid: 0 })
    await aReport(t, { virtualAccountNumber: account.number, amount: 4_000_000 }).send()
    const [payment] = await t.db.selectFrom('payments').selectAll().where('billId', '=', bill.id).execute()
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 4_000_000 })
    expect(payment!.waitingSince).not.toBeNull()
  })

  test('another plan is a new version of the bill, and what was paid comes along', async () => {
    const { bill } = await aTuitionBill()
    await paidInCash(bill.id, 1_000_000)
    const plan = await aPlan()
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'installment_plan', installmentPlanId: plan, reason: 'Orang tua sakit' })).id,
      ),
    )
    expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
    const next = await t.db
      .selectFrom('bills')
      .selectAll()
      .where('registrationId', '=', bill.registrationId)
      .where('status', '<>', 'cancelled')
      .executeTakeFirstOrThrow()
    expect(next).toMatchObject({ total: 4_000_000, paid: 1_000_000, installmentPlanId: plan, status: 'partly_paid' })
  })

  test('a later due date is one, for the bill or one instalment', async () => {
    const { bill } = await aTuitionBill({ installmentPlanId: await aPlan() })
    const [part] = await t.db
      .selectFrom('installments')
      .selectAll()
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    const dueOn = new Date(t.clock.now().getTime() + 200 * day).toISOString().slice(0, 10)
    expect(
      (await ask(bill.id, { kind: 'due_date', dueOn: '2020-01-01', reason: 'Sudah lewat' })).json().errors.dueOn,
    ).toBeDefined()
    ok(
      await decide(
        second,
        ok(await ask(bill.id, { kind: 'due_date', installmentId: part!.id, dueOn, reason: 'Panen' })).id,
      ),
    )
    const now = await t.db
      .selectFrom('installments')
      .select('dueAt')
      .where('id', '=', part!.id)
      .executeTakeFirstOrThrow()
    expect(now.dueAt.toISOString().slice(0, 10)).toBe(dueOn)
  })

  test('a discount given by hand follows the rules of stacking; of two who want its last use one gets it', async () => {
    const discountId = await aDiscount({ maxUses: 1 })
    const [one, two] = [await aTuitionBill(), await aTuitionBill()]
    const asked = [one, two].map(
      async ({ bill }) => ok(await ask(bill.id, { kind: 'discount', discountId, reason: 'Kakak beradik' })).id,
    )
    const ids = await Promise.all(asked)
    const answers = await Promise.all(ids.map((id) => decide(second, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const { uses } = await t.db
      .selectFrom('discounts')
      .select('uses')
      .where('id', '=', discountId)
      .executeTakeFirstOrThrow()
    expect(uses).toBe(1)
    const lost = ids[answers.findIndex(({ statusCode }) => statusCode === 409)]!
    expect(await requestOf(lost)).toMatchObject({ status: 'pending' })
  })

  test('whoever pays is told what was approved, of the bill that stands then, and nothing of what was refused', async () => {
    const { bill, actor } = await aTuitionBill()
    const plan = await aPlan()
    const decideOn = async (billId: string, wish: object, approve: boolean) =>
      ok(await decide(second, ok(await ask(billId, { ...wish, reason: 'Diminta orang tua' })).id, approve))
    await decideOn(bill.id, { kind: 'waiver', amount: 500_000 }, false)
    await decideOn(bill.id, { kind: 'installment_plan', installmentPlanId: plan }, true)
    const made = await t.db
      .selectFrom('bills')
      .select(['id', 'number'])
      .where('registrationId', '=', bill.registrationId)
      .where('status', '=', 'open')
      .where('kind', '=', bill.kind)
      .executeTakeFirstOrThrow()
    await decideOn(made.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh' }, true)
    const told = await t.db
      .selectFrom('messages')
      .select(['event', 'subject'])
      .where('accountId', '=', actor.accountId)
      .where('channel', '=', 'inbox')
      .where('event', 'in', ['bill-changed', 'bill-let-off'])
      .orderBy('id')
      .execute()
    expect(told.map(({ event }) => event).toSorted()).toEqual(['bill-changed', 'bill-let-off'])
    for (const { subject } of told) expect(subject).toContain(made.number)
  })

  test('one question of a kind about a bill at a time, none about a bill that is settled', async () => {
    const { bill } = await aTuitionBill()
    ok(await ask(bill.id, { kind: 'waiver', amount: 1000, reason: 'Pertama' }))
    expect((await ask(bill.id, { kind: 'waiver', amount: 2000, reason: 'Kedua' })).json().code).toBe(
      'already_requested',
    )
    await paidInCash(bill.id, 4_000_000)
    expect((await ask(bill.id, { kind: 'guarantee', sponsor: 'Yayasan', reason: 'Terlambat' })).json().code).toBe(
      'wrong_status',
    )
  })

  const partsOf = async (billId: string) =>
    (
      await t.db.selectFrom('installments').select('amount').where('billId', '=', billId).orderBy('position').execute()
    ).map(({ amount }) => amount)

  let made = 0
  async function aPlan() {
    const { id } = await t.db
      .insertInto('installmentPlans')
      .values({ code: `MEJA-${++made}`, name: 'Empat kali' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('installmentTerms')
      .values([30, 60, 90, 120].map((dueDays, at) => ({ planId: id, shareBps: 2500, dueDays, sortOrder: at + 1 })))
      .execute()
    return id
  }

  async function aDiscount(values: { maxUses: number }) {
    const { id } = await t.db
      .insertInto('discounts')
      .values({
        code: `TANGAN-${++made}`,
        name: 'Potongan saudara',
        kind: 'fixed',
        value: '500000',
        appliesTo: 'fee_component',
        condition: 'manual',
        stackable: true,
        ...values,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
})

describe('money given back', () => {
  const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
  const ask = (paymentId: string, amount: number) =>
    clerk.post(`/pembayaran-mahasiswa/${paymentId}/refund`, { amount, ...account, reason: 'Mengundurkan diri' })
  const policy = (shareBps: number, days: number) =>
    t.db
      .insertInto('refundPolicies')
      .values({
        code: `ATUR-${shareBps}-${days}`,
        name: `${shareBps / 100} %`,
        waveId: academic.wave,
        lastDay: new Date(t.clock.now().getTime() + days * day).toISOString().slice(0, 10),
        shareBps,
      })
      .execute()
  const withdraw = (id: string) => leave(t, id)

  test('by the policy of the day: the bill shrinks by what goes back, the rest stays paid', async () => {
    await policy(7500, 30)
    await policy(5000, 60)
    const { bill, actor } = await aTuitionBill()
    const paymentId = await paidInCash(bill.id, 4_000_000)
    expect((await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json().data.most).toBe(0)
    await withdraw(bill.registrationId)
    const { data } = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json()
    expect(data).toMatchObject({ waiting: 0, byPolicy: 3_000_000, most: 3_000_000, policy: { share: 7500 } })
    expect((await ask(paymentId, 3_000_001)).json().errors.amount).toBeDefined()
    const { id } = ok(await ask(paymentId, 3_000_000))
    ok(await decide(second, id))
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', total: 1_000_000, paid: 1_000_000 })
    expect(await paymentOf(paymentId)).toMatchObject({
      refundedAmount: 3_000_000,
      waitingAmount: 0,
      status: 'allocated',
    })
    const after = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json().data
    expect(after.most).toBe(0)
    const statement = (await actor.get(`/pendaftaran/${bill.registrationId}/statement`)).json().data
    expect(statement.balance).toBe(0)
    expect(statement.lines.map(({ what }: { what: string }) => what)).toEqual(['bill', 'payment', 'refund'])
    expect((await actor.get(`/pendaftaran/${bill.registrationId}/statement.pdf`)).statusCode).toBe(200)

    const [refund] = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}`)).json().data.refunds
    expect(refund).toMatchObject({ amount: 3_000_000, paidOutAt: null, number: expect.stringMatching(/^RF-/) })
    ok(await clerk.post(`/refunds/${refund.id}/paid-out`, { reference: 'TRF-OUT-1' }))
    ok(await clerk.post(`/refunds/${refund.id}/paid-out`, { reference: 'TRF-OUT-1' }))
    expect((await clerk.post(`/refunds/${refund.id}/paid-out`, { reference: 'TRF-OUT-2' })).json().code).toBe(
      'refund_paid_out',
    )
  })

  test('what was moved to another place of the same person stays there', async () => {
    await policy(10_000, 10)
    const { bill, actor } = await aTuitionBill()
    const other = await aTuitionBill({ actor, trackId: academic.tracks.achievement })
    const paymentId = await paidInCash(bill.id, 4_000_000)
    ok(
      await clerk.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, {
        billId: other.bill.id,
        amount: 1_000_000,
        reason: 'Diminta pendaftar',
      }),
    )
    await paidInCash(bill.id, 1_000_000)
    await withdraw(bill.registrationId)
    expect((await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json().data.most).toBe(3_000_000)
    ok(await decide(second, ok(await ask(paymentId, 3_000_000)).id))
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', total: 1_000_000, paid: 1_000_000 })
    expect(await billOf(other.bill.id)).toMatchObject({ status: 'partly_paid', total: 4_000_000, paid: 1_000_000 })
  })

  test('too much goes back whole, whatever the policy', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const number = (await aVirtualAccount(actor, bill.id)).number
    await aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send()
    const payment = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('billId', '=', bill.id)
      .executeTakeFirstOrThrow()
    expect((await ask(payment.id, 50_001)).json().errors.amount).toBeDefined()
    ok(await decide(second, ok(await ask(payment.id, 50_000)).id))
    expect(await paymentOf(payment.id)).toMatchObject({ refundedAmount: 50_000, waitingAmount: 0, status: 'allocated' })
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    // What was given back cannot be taken back as well.
    expect(
      (await clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason: 'Sekaligus' })).json().code,
    ).toBe('already_refunded')
  })
})

describe('lists', () => {
  test('up to a day means up to its end in Jakarta, and from a day from its midnight', async () => {
    const [early, late, next] = await Promise.all([aTuitionBill(), aTuitionBill(), aTuitionBill()])
    const moments = ['2025-03-09T17:00:00Z', '2025-03-10T16:59:59.500Z', '2025-03-10T17:00:00Z']
    for (const [at, { bill }] of [early, late, next].entries())
      await t.db
        .updateTable('bills')
        .set({ issuedAt: new Date(moments[at]!) })
        .where('id', '=', bill.id)
        .execute()
    const { data } = (await clerk.get('/bills?from=2025-03-10&to=2025-03-10&sort=issuedAt')).json()
    expect(data.map(({ id }: { id: string }) => id)).toEqual([early.bill.id, late.bill.id])
  })

  test('add up what a filter finds, and leave the sums of others out', async () => {
    const { bill } = await aTuitionBill({ name: 'Jumlah Unik' })
    await paidInCash(bill.id, 1_000_000)
    const bills = (await clerk.get('/bills?q=jumlah unik')).json().meta
    expect(bills).toMatchObject({ total: 1, sums: { total: 4_000_000, paid: 1_000_000, rest: 3_000_000 } })
    const payments = (await clerk.get('/pembayaran-mahasiswa?q=jumlah unik')).json().meta
    const sums = { amount: 1_000_000, allocated: 1_000_000, waiting: 0, refunded: 0 }
    expect(payments).toMatchObject({ total: 1, sums })
    for (const path of ['/bills', '/pembayaran-mahasiswa']) {
      const csv = await clerk.get(`${path}/export?format=csv&q=jumlah unik`)
      expect([path, csv.statusCode, csv.body.includes('Jumlah Unik')]).toEqual([path, 200, true])
    }
  })

  test('who would be reminded, and who not and why, is said before', async () => {
    const [owes, settled, told] = [await aTuitionBill(), await aTuitionBill(), await aTuitionBill()]
    await paidInCash(settled.bill.id, 4_000_000)
    await clerk.post('/bills/remind', { ids: [told.bill.id] })
    const ids = [owes, settled, told].map(({ bill }) => bill.id)
    const { allowed, refused } = (await clerk.post('/bills/remind/preview', { ids })).json().data
    expect(allowed.map(({ id }: { id: string }) => id)).toEqual([owes.bill.id])
    expect(new Set(refused.map(({ id }: { id: string }) => id))).toEqual(new Set([settled.bill.id, told.bill.id]))
    expect(refused.every(({ reason }: { reason: string }) => reason.length > 0)).toBe(true)
    const elsewhere = await asWithPermissions(t, ['pembayaran-mahasiswa-update'], {
      programmeIds: [academic.programmes[1]!],
    })
    expect((await elsewhere.post('/bills/remind/preview', { ids })).json().data).toEqual({ allowed: [], refused: [] })
  })

  test('remind whoever owes, once a day, however often and by how many it is asked', async () => {
    const [one, two] = [await aTuitionBill(), await aTuitionBill()]
    await paidInCash(two.bill.id, 4_000_000)
    const ids = [one.bill.id, two.bill.id]
    const answers = await Promise.all([clerk, second, clerk].map((who) => who.post('/bills/remind', { ids })))
    expect(answers.reduce((sum, answer) => sum + answer.json().data.reminded, 0)).toBe(1)
    const inbox = await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', one.actor.accountId)
      .where('channel', '=', 'inbox')
      .where('event', '=', 'payment-reminder')
      .execute()
    expect(inbox).toHaveLength(1)
  })
})

describe('money that waits', () => {
  let strangers = 0
  /** Somebody paid a number of the bank that we never gave out. */
  async function unknownMoney(amount: number) {
    const number = `88990999${String(++strangers).padStart(8, '0')}`
    await aReport(t, { virtualAccountNumber: number, amount }).send()
    const { id } = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', number)
      .executeTakeFirstOrThrow()
    return { id, number }
  }
  const allocate = (actor: TestActor, id: string, billId: string, amount: number) =>
    actor.post(`/pembayaran-mahasiswa/${id}/allocate`, { billId, amount, reason: 'Sesuai bukti transfer' })

  test('is listed with its clock until it has a home, and split over the bills of one person', async () => {
    const { id, number } = await unknownMoney(4_250_000)
    const found = (await clerk.get(`/uang-menunggu?q=${number}`)).json().data
    expect(found).toMatchObject([{ id, waitingAmount: 4_250_000, waitingReason: 'unknown_number', owner: null }])
    ok(await clerk.put(`/uang-menunggu/${id}`, { mine: true, note: 'Sudah ditelepon' }))
    const mine = (await clerk.get('/uang-menunggu?owner=me')).json().data
    expect(mine).toMatchObject([{ id, owner: { id: clerk.accountId }, note: 'Sudah ditelepon' }])

    const fee = await aBill(t, academic, { amount: 250_000 })
    const tuitionBill = await aTuitionBill({ actor: fee.actor, trackId: academic.tracks.achievement })
    expect((await allocate(clerk, id, fee.bill.id, 250_001)).json().errors.amount).toBeDefined()
    // Whose it is, another approves; from then on one person gives it to bills of that owner.
    ok(await decide(second, (await allocate(clerk, id, fee.bill.id, 250_000)).json().data.approvalId))
    ok(await allocate(clerk, id, tuitionBill.bill.id, 4_000_000))
    expect(await billOf(fee.bill.id)).toMatchObject({ status: 'paid' })
    expect(await billOf(tuitionBill.bill.id)).toMatchObject({ status: 'paid' })
    const payment = await paymentOf(id)
    expect(payment).toMatchObject({ status: 'allocated', waitingAmount: 0, waitingSince: null, waitingOwner: null })
    expect(payment.receiptNumber).toMatch(/^KW-/)
    expect((await clerk.put(`/uang-menunggu/${id}`, { mine: true })).json().code).toBe('nothing_waits')
  })

  test('given to two bills by two clerks at once is never given twice', async () => {
    const { id } = await unknownMoney(4_000_000)
    const one = await aTuitionBill()
    ok(await decide(second, (await allocate(clerk, id, one.bill.id, 100)).json().data.approvalId))
    const two = await aTuitionBill({ actor: one.actor, trackId: academic.tracks.achievement })
    const answers = await Promise.all([
      allocate(clerk, id, one.bill.id, 3_999_900),
      allocate(second, id, two.bill.id, 3_999_900),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0)
    const bills = [await billOf(one.bill.id), await billOf(two.bill.id)]
    expect(bills.reduce((sum, { paid }) => sum + paid, 0)).toBe(4_000_000)
    expect(await paymentOf(id)).toMatchObject({ waitingAmount: 0 })
  })

  test('of somebody goes to nobody else; booked on the wrong bill it moves to the right one', async () => {
    const fee = await aBill(t, academic, { amount: 250_000 })
    const paymentId = await paidInCash(fee.bill.id, 250_000)
    const stranger = await aTuitionBill()
    expect((await allocate(clerk, paymentId, stranger.bill.id, 1000)).json().errors.billId).toBeDefined()
    const own = await aTuitionBill({ actor: fee.actor, trackId: academic.tracks.achievement })
    expect((await allocate(clerk, paymentId, own.bill.id, 250_001)).json().errors.amount).toBeDefined()
    ok(await allocate(clerk, paymentId, own.bill.id, 100_000))
    expect(await billOf(fee.bill.id)).toMatchObject({ status: 'partly_paid', paid: 150_000, paidAt: null })
    expect(await billOf(own.bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'allocated', waitingAmount: 0 })
  })

  test('of nobody goes back to where it came from, once another has approved', async () => {
    const { id } = await unknownMoney(300_000)
    const request = ok(
      await clerk.post(`/pembayaran-mahasiswa/${id}/refund`, {
        amount: 300_000,
        bank: 'Bank Contoh',
        accountNumber: '555-0001',
        accountHolder: 'Pengirim',
        reason: 'Salah kirim, diminta kembali',
      }),
    )
    ok(await decide(second, request.id))
    expect(await paymentOf(id)).toMatchObject({ refundedAmount: 300_000, waitingAmount: 0 })
  })

  test('of nobody is seen by those who see the whole university', async () => {
    const { id, number } = await unknownMoney(1000)
    const limited = await asWithPermissions(t, ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update'], {
      programmeIds: [academic.programmes[0]!],
    })
    expect((await limited.get(`/uang-menunggu?q=${number}`)).json().data).toEqual([])
    expect((await limited.put(`/uang-menunggu/${id}`, { mine: true })).statusCode).toBe(404)
    const { bill } = await aTuitionBill()
    expect((await allocate(limited, id, bill.id, 1000)).statusCode).toBe(404)
  })
})
