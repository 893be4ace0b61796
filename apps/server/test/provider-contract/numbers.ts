import { describe, expect, test } from 'vitest'
import { closeVirtualAccounts, expireVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { day, fee, type World } from './world.ts'

/** How a number is issued, cancelled, expired and closed. */
export function contractOfNumbers(world: World) {
  const { requestNumber, billOf, virtualAccountOf, openNumber, accepts, aPayableBill } = world

  describe('numbers', () => {
    test('issues a number the bank knows, with its amount and name', async () => {
      const { account } = await openNumber()
      expect(account.number).toMatch(/^\d{6,28}$/)
      if (!world.subject.announced) return
      expect(world.peer.account(account.number)).toMatchObject({ open: true, amount: fee, name: 'Sari Wulandari' })
    })

    test('ten requests at once: one number, requested once', async () => {
      const { bill, actor } = await aPayableBill()
      const requestsBefore = world.peer.requestCount()
      const answers = await Promise.all(Array.from({ length: 10 }, () => requestNumber(actor, bill.id)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
      expect(new Set(answers.map((answer) => answer.json().data.number)).size).toBe(1)
      expect(answers[0]!.json().data.number).not.toBeNull()
      if (world.subject.announced && world.subject.outside) expect(world.peer.requestCount() - requestsBefore).toBe(1)
    })

    test('cancels: the bank closes the number after the transaction, and takes no more money', async () => {
      const { account } = await openNumber()
      await inTransaction(world.t.services, systemActor, (context) =>
        closeVirtualAccounts(context, { id: account.id }, 'cancel'),
      )
      expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'cancelled' })
      await world.t.runJobs()
      expect(await virtualAccountOf(account.id)).toMatchObject({ tell: null })
      if (world.subject.announced) expect(world.peer.account(account.number)).toMatchObject({ open: false })
    })

    test('expires', async () => {
      const { account } = await openNumber()
      world.t.clock.set(new Date(Date.now() + 4 * day))
      await expireVirtualAccounts(world.t.services)
      await world.t.runJobs()
      expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'expired', tell: null })
      if (world.subject.announced) expect(world.peer.account(account.number)).toMatchObject({ open: false })
    })

    test('settled by one bank, the number of another is closed', async () => {
      const { account, bill, actor } = await openNumber()
      const other = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank: 'sandbox-a' })).json()
      accepts([await world.peer.report(world.peer.receive(account.number, fee))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      if (other.data) expect(await virtualAccountOf(other.data.id)).toMatchObject({ status: 'cancelled' })
    })
  })
}
