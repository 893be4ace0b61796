import { describe, expect, test } from 'vitest'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { asStaff } from '#server-test/actors.ts'
import { fee, hour, type World } from './world.ts'

/** Payments that the finance office reversed and the bank still reports. */
export function contractOfPaymentsTakenBack(world: World) {
  const { billOf, paymentsOn, alertsOf, openNumber, accepts } = world

  describe('a payment taken back by the finance office', () => {
    async function takenBack() {
      const readyBill = await openNumber()
      const money = world.peer.receive(readyBill.account.number, fee)
      accepts([await world.peer.report(money)])
      const [payment] = await paymentsOn(readyBill.account.number)
      const [clerk, approver] = [await asStaff(world.t, 'Keuangan'), await asStaff(world.t)]
      const path = `/pembayaran-mahasiswa/${payment!.id}/reversal`
      const request = await clerk.post(path, { reason: 'Menurut rekening koran tidak pernah masuk' })
      const decided = await approver.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
      expect(decided.statusCode, decided.body).toBe(200)
      return { ...readyBill, money, payment: payment! }
    }

    test('reported again, however often: it stays taken back, and staff are alerted once', async () => {
      const { account, bill, money, payment } = await takenBack()
      accepts([await world.peer.report(money), await world.peer.report(money)])
      accepts([await world.peer.report(money)])
      expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
      expect((await paymentsOn(account.number))[0]).toMatchObject({ status: 'reversed', waitingAmount: 0 })
      expect(await alertsOf(account.id)).toMatchObject([
        { kind: 'reported_after_reversal', paymentId: payment.id, settledAt: null },
      ])
    })

    test('found by asking the bank: staff are alerted as well', async () => {
      const { account, bill, payment } = await takenBack()
      world.t.clock.set(new Date(Date.now() + 2 * hour))
      await askDue(world.t.services)
      expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
      expect(await alertsOf(account.id)).toMatchObject([{ kind: 'reported_after_reversal', paymentId: payment.id }])
    })
  })
}
