import { describe, expect, test } from 'vitest'
import { fee, type World } from './world.ts'

/** Things a report must not be able to do. */
export function contractOfInvalidReports(world: World) {
  const { billOf, paymentsOn, alertsOf, readUnverified, reportsSince, countStoredReports, openNumber } = world

  describe('an invalid report', () => {
    test('a wrong signature: refused, kept apart from the reports that count, nothing booked', async () => {
      const { account, bill } = await openNumber()
      const [reportsBefore, unverifiedBefore] = [await countStoredReports(), (await readUnverified()).length]
      const verdicts = await world.peer.report(world.peer.receive(account.number, fee), { signature: true })
      expect([verdicts.status, verdicts.verdict]).toEqual([401, 'refused'])
      expect([await reportsSince(reportsBefore), (await readUnverified()).length]).toEqual([0, unverifiedBefore + 1])
      expect(await paymentsOn(account.number)).toEqual([])
      expect(await billOf(bill.id)).toMatchObject({ status: 'open' })
    })

    test('broken JSON: refused, stored, nothing booked', async () => {
      const { account } = await openNumber()
      const storedBefore = (await countStoredReports()) + (await readUnverified()).length
      const verdicts = await world.peer.report(world.peer.receive(account.number, fee), { json: true })
      expect(verdicts.status).toBeGreaterThanOrEqual(400)
      expect(verdicts.status).toBeLessThan(500)
      // If the signature is a field of the JSON, broken JSON counts as unsigned.
      expect((await countStoredReports()) + (await readUnverified()).length).toBe(storedBefore + 1)
      expect(await paymentsOn(account.number)).toEqual([])
    })

    test('the same payment again with another amount: the first stays, staff are alerted', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, 100_000)
      await world.peer.report(money)
      const verdicts = await world.peer.report(money, { amount: fee })
      expect(verdicts.verdict).not.toBe('again')
      expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
      expect(await paymentsOn(account.number)).toHaveLength(1)
      await world.peer.report(money, { amount: fee })
      expect(await alertsOf(account.id)).toMatchObject([{ kind: 'contradicts', amount: fee, settledAt: null }])
    })
  })
}
