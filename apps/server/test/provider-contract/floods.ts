import { describe, expect, test } from 'vitest'
import { forgetUnverifiedReports } from '#server/modules/payments/banks/forget-unverified-reports.job.ts'
import { day, fee, hour, type World } from './world.ts'

/** Many reports without a valid signature. */
export function contractOfFloods(world: World) {
  const { billOf, readUnverified, countStoredReports, openNumber, accepts } = world

  describe('a flood without signatures', () => {
    test('is answered 429 after a while, stores few rows, and does not block signed reports', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      world.t.clock.set(new Date(Date.now() + hour))
      const unverifiedBefore = (await readUnverified()).length
      const verdicts = await Promise.all(
        Array.from({ length: 100 }, () => world.peer.report(money, { signature: true })),
      )
      const statuses = verdicts.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(60)
      expect(statuses.filter((status) => status === 429)).toHaveLength(40)
      expect((await readUnverified()).length - unverifiedBefore).toBe(60)
      const [limited] = verdicts.filter(({ status }) => status === 429)
      expect(JSON.parse(limited!.body)).toMatchObject(
        world.subject.moved ? { result: expect.any(String) } : { responseCode: '4292500' },
      )
      accepts([await world.peer.report(money)])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    })

    test('is deleted after 30 days, signed reports are not', async () => {
      const { account } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      await world.peer.report(money, { signature: true })
      await world.peer.report(money)
      const counting = await countStoredReports()
      world.t.clock.set(new Date(Date.now() + 29 * day))
      await forgetUnverifiedReports.run(world.t.services, {})
      expect((await readUnverified()).length).toBeGreaterThan(0)
      world.t.clock.set(new Date(Date.now() + 31 * day))
      await forgetUnverifiedReports.run(world.t.services, {})
      expect(await readUnverified()).toEqual([])
      expect(await countStoredReports()).toBe(counting)
      await expect(world.t.db.deleteFrom('bankReports').execute()).rejects.toThrow()
    })
  })
}
