import { describe, expect, test } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aBill, aReport } from '#server-test/factories/payments.ts'
import {
  academic,
  aTuitionBill,
  billOf,
  clerk,
  decide,
  ok,
  paidInCash,
  paymentOf,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'

setDeskStage()

describe('lists', () => {
  test('a period starts at midnight in Jakarta and ends with the last day', async () => {
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

  test('totals and exports cover only the filtered rows', async () => {
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

  test('the preview of reminders lists the bills to remind, and a reason for each other bill', async () => {
    const [owes, settled, reminded] = [await aTuitionBill(), await aTuitionBill(), await aTuitionBill()]
    await paidInCash(settled.bill.id, 4_000_000)
    await clerk.post('/bills/remind', { ids: [reminded.bill.id] })
    const ids = [owes, settled, reminded].map(({ bill }) => bill.id)
    const { allowed, refused } = (await clerk.post('/bills/remind/preview', { ids })).json().data
    expect(allowed.map(({ id }: { id: string }) => id)).toEqual([owes.bill.id])
    expect(new Set(refused.map(({ id }: { id: string }) => id))).toEqual(new Set([settled.bill.id, reminded.bill.id]))
    expect(refused.every(({ reason }: { reason: string }) => reason.length > 0)).toBe(true)
    const elsewhere = await asWithPermissions(t, ['pembayaran-mahasiswa-update'], {
      programmeIds: [academic.programmes[1]!],
    })
    expect((await elsewhere.post('/bills/remind/preview', { ids })).json().data).toEqual({ allowed: [], refused: [] })
  })

  test('a bill listed seven times is reminded and counted once', async () => {
    const { bill } = await aTuitionBill()
    const ids = Array.from({ length: 7 }, () => bill.id)
    expect((await clerk.post('/bills/remind', { ids })).json().data).toEqual({ reminded: 1, left: 0 })
    expect((await clerk.post('/bills/remind', { ids })).json().data).toEqual({ reminded: 0, left: 1 })
  })

  test('payers are reminded once a day, even if several clerks ask at once', async () => {
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

describe('waiting money', () => {
  let strangers = 0
  /** A payment on a number that the portal never issued. */
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

  test('is listed until it is allocated, and can be split over the bills of one account', async () => {
    const { id, number } = await unknownMoney(4_250_000)
    const found = (await clerk.get(`/uang-menunggu?q=${number}`)).json().data
    expect(found).toMatchObject([{ id, waitingAmount: 4_250_000, waitingReason: 'unknown_number', owner: null }])
    ok(await clerk.put(`/uang-menunggu/${id}`, { mine: true, note: 'Sudah ditelepon' }))
    const mine = (await clerk.get('/uang-menunggu?owner=me')).json().data
    expect(mine).toMatchObject([{ id, owner: { id: clerk.accountId }, note: 'Sudah ditelepon' }])

    const fee = await aBill(t, academic, { amount: 250_000 })
    const tuitionBill = await aTuitionBill({ actor: fee.actor, trackId: academic.tracks.achievement })
    expect((await allocate(clerk, id, fee.bill.id, 250_001)).json().errors.amount).toBeDefined()
    // Another account approves the owner; afterwards a single clerk allocates to bills of that owner.
    ok(await decide(second, (await allocate(clerk, id, fee.bill.id, 250_000)).json().data.approvalId))
    ok(await allocate(clerk, id, tuitionBill.bill.id, 4_000_000))
    expect(await billOf(fee.bill.id)).toMatchObject({ status: 'paid' })
    expect(await billOf(tuitionBill.bill.id)).toMatchObject({ status: 'paid' })
    const payment = await paymentOf(id)
    expect(payment).toMatchObject({ status: 'allocated', waitingAmount: 0, waitingSince: null, waitingOwner: null })
    expect(payment.receiptNumber).toMatch(/^KW-/)
    expect((await clerk.put(`/uang-menunggu/${id}`, { mine: true })).json().code).toBe('nothing_waits')
  })

  test('is never allocated twice by two clerks at once', async () => {
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

  test('with a payer stays with that payer and can move from a wrong bill to the right one', async () => {
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

  test('without a payer is refunded once another account has approved', async () => {
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

  test('without a payer is invisible to a role limited to study programmes', async () => {
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
