import { describe, expect, test } from 'vitest'
import { receiptCode } from '#server/modules/payments/money/receipts.ts'
import { textOf } from '#server-test/factories/evidence.ts'
import { aBill, aReport, aVirtualAccount, leave } from '#server-test/factories/payments.ts'
import {
  academic,
  aTuitionBill,
  billOf,
  clerk,
  day,
  decide,
  ok,
  paidInCash,
  paymentOf,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'

setDeskStage()

describe('a reversal', () => {
  test('makes the bill owed again and marks the payment as reversed', async () => {
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

  test('has one pending request per payment', async () => {
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

describe('a refund', () => {
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

  test('follows the policy of the day: the bill is reduced by the refund and stays paid', async () => {
    await policy(7500, 30)
    await policy(5000, 60)
    const { bill, actor } = await aTuitionBill()
    const paymentId = await paidInCash(bill.id, 4_000_000)
    expect((await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json().data.most).toBe(0)
    await withdraw(bill.registrationId)
    const { data } = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}/refundable`)).json()
    expect(data).toMatchObject({ waiting: 0, byPolicy: 3_000_000, most: 3_000_000, policy: { share: 7500 } })
    expect((await ask(paymentId, 3_000_001)).json()).toHaveProperty('errors.amount')
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
    const code = receiptCode(t.services.config.secretKey, paymentId)
    const receipt = (await t.app.inject(`/api/verifikasi-kuitansi/${code}`)).json().data
    expect(receipt).toMatchObject({ amount: 1_000_000, refunded: 3_000_000, reversedAt: null })
    const printed = textOf((await actor.get(`/payments/${paymentId}/receipt.pdf?language=en`)).rawPayload)
    expect(printed).toMatch(/Amount \D*1[.,]000[.,]000 /)
    expect(printed).toMatch(/Refunded \D*3[.,]000[.,]000 /)
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

  test('leaves money that was moved to another bill of the same applicant', async () => {
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

  test('returns an overpayment in full, whatever the policy', async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    const number = (await aVirtualAccount(actor, bill.id)).number
    await aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send()
    const payment = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('billId', '=', bill.id)
      .executeTakeFirstOrThrow()
    expect((await ask(payment.id, 50_001)).json()).toHaveProperty('errors.amount')
    ok(await decide(second, ok(await ask(payment.id, 50_000)).id))
    expect(await paymentOf(payment.id)).toMatchObject({ refundedAmount: 50_000, waitingAmount: 0, status: 'allocated' })
    expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    // Refunded money cannot be reversed as well.
    expect(
      (await clerk.post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason: 'Sekaligus' })).json().code,
    ).toBe('already_refunded')
  })
})
