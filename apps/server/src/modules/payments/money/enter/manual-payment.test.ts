import { describe, expect, test } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  academic,
  aTuitionBill,
  billOf,
  cash,
  clerk,
  day,
  decide,
  enter,
  ok,
  paymentOf,
  requestOf,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'

setDeskStage()

describe('money entered by hand', () => {
  test('counts once another account has approved it, with a normal receipt', async () => {
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

  test('cannot be approved by the account that entered it, not even directly in the database', async () => {
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

  test('is booked once when ten accounts approve it at once', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 100_000)
    const others = await Promise.all(Array.from({ length: 10 }, () => asStaff(t, 'Keuangan')))
    const answers = await Promise.all(others.map((other) => decide(other, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
  })

  test('at the same moment as a bank transfer loses nothing: the bill is paid and the rest waits', async () => {
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

  test('is refused with every error beside its field', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const answer = await clerk.post(
      '/pembayaran-mahasiswa',
      cash(bill.id, 250_001, { method: 'transfer', paidAt: new Date(t.clock.now().getTime() + day).toISOString() }),
    )
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['amount', 'paidAt', 'proofFileId', 'reference'])
  })

  test('above what is owed is entered once its rest is confirmed to wait, and booked once by twenty at once', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 300_000, { restWaits: true })
    const others = await Promise.all(Array.from({ length: 20 }, () => asStaff(t, 'Keuangan')))
    const answers = await Promise.all(others.map((other) => decide(other, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    expect(await paymentOf((await requestOf(id)).paymentId!)).toMatchObject({
      amount: 300_000,
      waitingAmount: 50_000,
      waitingReason: 'overpaid',
    })
  })

  test('with the same transfer is refused, unless the earlier entry was rejected or reversed', async () => {
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
    // After the reversal, the reference may be entered again.
    const { paymentId } = await requestOf(next)
    ok(
      await decide(
        second,
        ok(await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Salah tagihan' })).id,
      ),
    )
    await enter(bill.id, 500_000, transfer)
  })

  test('is refused with a proof uploaded by another account', async () => {
    const { bill } = await aTuitionBill()
    const proof = await aProof(second)
    const answer = await clerk.post(
      '/pembayaran-mahasiswa',
      cash(bill.id, 500_000, { method: 'transfer', reference: 'X-1', proofFileId: proof }),
    )
    expect(Object.keys(answer.json().errors)).toEqual(['proofFileId'])
  })

  async function aProof(actor = clerk) {
    const png = new Uint8Array(await aPicture('png'))
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
