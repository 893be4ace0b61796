import { describe, expect, test } from 'vitest'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { fee, hour, type World } from './world.ts'

/** Payments found by asking the bank. */
export function contractOfMissingReports(world: World) {
  const { billOf, virtualAccountOf, paymentsOn, alertsOf, openNumber, accepts } = world

  describe('a report that never came', () => {
    test('the sweep asks the bank and finds the payment, once', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      await world.peer.booked?.()
      world.t.clock.set(new Date(Date.now() + hour))
      await askDue(world.t.services)
      if (world.subject.asking === 'hint') {
        // This payment may still be reported, so an alert is raised instead of booking it.
        expect(await alertsOf(account.id)).toMatchObject([{ kind: 'not_reported', amount: fee }])
        expect(await billOf(bill.id)).toMatchObject({ status: 'open' })
      } else expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      accepts([await world.peer.report(money)])
      expect(await paymentsOn(account.number)).toHaveLength(1)
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
    })

    test('an unpaid number is asked about less and less often', async () => {
      const { account } = await openNumber()
      const times: number[] = []
      for (let round = 0; round < 4; round++) {
        const { askAt } = await virtualAccountOf(account.id)
        times.push(askAt!.getTime())
        world.t.clock.set(new Date(askAt!.getTime() + 1_000))
        await askDue(world.t.services)
      }
      const gaps = times.slice(1).map((time, index) => time - times[index]!)
      expect(gaps[1]!).toBeGreaterThan(gaps[0]!)
      expect(gaps[2]!).toBeGreaterThan(gaps[1]!)
    })
  })
}
