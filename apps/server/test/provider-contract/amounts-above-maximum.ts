import { describe, expect, test } from 'vitest'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { asStaff } from '#server-test/actors.ts'
import { fee, hour, type World } from './world.ts'

/** Reports of more than the connection may book. */
export function contractOfAmountsAboveMaximum(world: World) {
  const { billOf, paymentsOn, alertsOf, heldAlertsOf, runInvariants, decideAbout, openNumber, accepts } = world

  describe('above the maximum of the connection', () => {
    const tooMuch = 2_000_000_000

    test('the report is refused, or the money is held with one alert, however often it is reported', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, tooMuch)
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => world.peer.report(money)))
      expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(
        new Set([world.subject.moved ? 'accepted' : 'refused']),
      )
      expect(await paymentsOn(account.number)).toEqual([])
      expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
      const alerts = await heldAlertsOf(money.reference)
      expect(alerts).toHaveLength(world.subject.moved ? 1 : 0)
      if (!world.subject.moved) return expect(verdicts[0]!.body).toContain('4042513')
      expect(await runInvariants()).toMatchObject([
        { check: 'amount-held', label: `${world.subject.code} ${money.reference}` },
      ])
      expect((await decideAbout(alerts[0]!.id, 'dismiss')).statusCode).toBe(200)
      accepts([await world.peer.report(money)])
      expect(await paymentsOn(account.number)).toEqual([])
    })

    test('an amount no number holds is in no total and breaks none', async () => {
      const { account } = await openNumber()
      const clerk = await asStaff(world.t, 'Keuangan')
      const totals = async () => [
        (await clerk.get('/pembayaran-mahasiswa?per_page=1')).json().meta,
        (await clerk.get('/uang-menunggu')).json().meta,
        (await clerk.get(`/transaksi-va?q=${account.number}`)).json().meta,
      ]
      const totalsBefore = await totals()
      const money = world.peer.receive(account.number, 10_000_000_000_000_000)
      const verdicts = await world.peer.report(money)
      expect(verdicts.verdict).toBe(world.subject.moved ? 'accepted' : 'refused')
      expect(verdicts.status).toBeLessThan(500)
      expect(await totals()).toEqual(totalsBefore)
      if (!world.subject.moved) return
      const [alert] = await heldAlertsOf(money.reference)
      expect(alert).toMatchObject({ amount: null, told: { amountTold: expect.stringMatching(/^1?[09]/) } })
      const listed = (await clerk.get('/payment-alerts/held')).json().data
      expect(listed).toMatchObject([{ id: alert!.id, number: account.number, amount: null, asked: false }])
      const request = await clerk.post(`/payment-alerts/${alert!.id}/decision`, { decision: 'book', reason: 'Benar' })
      expect([request.statusCode, request.json().code]).toEqual([409, 'amount_beyond_books'])
      const settled = await (await asStaff(world.t)).post(`/payment-alerts/${alert!.id}/settle`, { note: 'Keliru' })
      expect([settled.statusCode, settled.json().code]).toEqual([409, 'needs_second_person'])
      expect((await decideAbout(alert!.id, 'dismiss')).statusCode).toBe(200)
    })

    test('booked by two people at once: one payment, and the rest of it waits', async ({ skip }) => {
      if (!world.subject.moved) skip('nothing is held')
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, tooMuch)
      await world.peer.report(money)
      const [alert] = await heldAlertsOf(money.reference)
      const clerk = await asStaff(world.t, 'Keuangan')
      const request = await clerk.post(`/payment-alerts/${alert!.id}/decision`, {
        decision: 'book',
        reason: 'Sesuai dasbor',
      })
      const { id } = request.json().data
      expect((await clerk.post(`/persetujuan/${id}/decide`, { approve: true })).json().code).toBe('own_request')
      const approvers = await Promise.all(Array.from({ length: 4 }, () => asStaff(world.t, 'Keuangan')))
      const answers = await Promise.all([
        ...approvers.map((actor) => actor.post(`/persetujuan/${id}/decide`, { approve: true })),
        ...Array.from({ length: 4 }, () => world.peer.report(money)),
      ])
      const decided = answers.slice(0, 4).map((answer) => (answer as { statusCode: number }).statusCode)
      expect(decided.sort()).toEqual([200, 409, 409, 409])
      expect(await paymentsOn(account.number)).toMatchObject([
        { amount: tooMuch, waitingAmount: tooMuch - fee, waitingReason: 'overpaid', approvalRequestId: id },
      ])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      accepts([await world.peer.report(money)])
      expect(await paymentsOn(account.number)).toHaveLength(1)
    })

    test('found by asking the bank: held, not booked', async ({ skip }) => {
      if (world.subject.code.startsWith('midtrans')) skip('an order has the one amount it was made with')
      const { account, bill } = await openNumber()
      const { reference } = world.peer.receive(account.number, tooMuch)
      await world.peer.booked?.()
      world.t.clock.set(new Date(Date.now() + hour))
      await askDue(world.t.services)
      expect(await paymentsOn(account.number)).toEqual([])
      expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
      if (world.subject.asking === 'hint')
        return expect(await alertsOf(account.id)).toMatchObject([{ kind: 'not_reported' }])
      expect(await heldAlertsOf(reference)).toMatchObject([{ amount: tooMuch, bankReportId: null }])
      // Includes held alerts from earlier tests, whose reports were refused.
      for (const { id } of (await (await asStaff(world.t)).get('/payment-alerts/held')).json().data)
        expect((await decideAbout(id, 'dismiss')).statusCode).toBe(200)
    })
  })
}
