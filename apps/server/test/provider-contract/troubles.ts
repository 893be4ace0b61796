import { describe, expect, test } from 'vitest'
import { tellWaiting } from '#server/modules/payments/bills/numbers/tell-banks.job.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { fee, hour, type World } from './world.ts'

/** A bank that is down, slow, or loses its answers. */
export function contractOfTroubles(world: World) {
  const { requestNumber, billOf, virtualAccountOf, openNumber, accepts, aPayableBill } = world

  describe('a bank in trouble', () => {
    /** Skips the built-in bank and banks that ask the university, because creating their numbers cannot fail. */
    const onlyWhereAsked = (skip: (note: string) => void) => {
      if (!world.subject.outside || !world.subject.announced) skip('this bank is not asked for numbers')
    }

    test.for(['down', 'slow'] as const)(
      '%s: the number is promised, and there when the bank is back',
      async (trouble, { skip }) => {
        onlyWhereAsked(skip)
        const { bill, actor } = await aPayableBill()
        world.peer.trouble = trouble
        const answer = await requestNumber(actor, bill.id)
        expect(answer.statusCode, answer.body).toBe(200)
        expect(answer.json().data).toMatchObject({ status: 'pending', delayed: true })
        // The bill is not blocked; another bank can still issue a number.
        const other = await actor.post(`/bills/${bill.id}/virtual-account`, { bank: world.subject.bank })
        expect(other.json().data).toMatchObject({ status: 'pending', id: answer.json().data.id })
        world.peer.trouble = 'none'
        world.t.clock.set(new Date(Date.now() + 10 * 60_000))
        await world.t.runJobs()
        const account = await virtualAccountOf(answer.json().data.id)
        expect(account).toMatchObject({ status: 'active', problem: null })
        expect(world.peer.account(account.number!)).toMatchObject({ open: true })
      },
    )

    test('the answer was lost: asked again, the bank has one number for it', async ({ skip }) => {
      onlyWhereAsked(skip)
      const { bill, actor } = await aPayableBill()
      world.peer.trouble = 'answer_lost'
      expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'pending' })
      world.peer.trouble = 'none'
      world.t.clock.set(new Date(Date.now() + 10 * 60_000))
      const { data } = (await requestNumber(actor, bill.id)).json()
      expect(data).toMatchObject({ status: 'active' })
      accepts([await world.peer.report(world.peer.receive(data.number, fee))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    })

    test('cancelled while the bank was down: the bank closes the number later', async ({ skip }) => {
      onlyWhereAsked(skip)
      const { account } = await openNumber()
      world.peer.trouble = 'down'
      await inTransaction(world.t.services, systemActor, (context) =>
        closeVirtualAccounts(context, { id: account.id }, 'cancel'),
      )
      await world.t.runJobs()
      expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'cancelled', tell: 'cancel', tellTries: 1 })
      expect(world.peer.account(account.number)).toMatchObject({ open: true })
      world.peer.trouble = 'none'
      world.t.clock.set(new Date(Date.now() + hour))
      await tellWaiting(world.t.services)
      expect(await virtualAccountOf(account.id)).toMatchObject({ tell: null })
      expect(world.peer.account(account.number)).toMatchObject({ open: false })
    })

    test('after several failures the bank is not called for half a minute, and no payer waits for it', async ({
      skip,
    }) => {
      onlyWhereAsked(skip)
      world.t.clock.set(new Date())
      const bills = await Promise.all(Array.from({ length: 6 }, () => aPayableBill()))
      world.peer.trouble = 'down'
      for (const { bill, actor } of bills.slice(0, 5)) await requestNumber(actor, bill.id)
      world.peer.trouble = 'slow'
      const startMs = performance.now()
      const { bill, actor } = bills[5]!
      expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'pending', delayed: true })
      expect(performance.now() - startMs).toBeLessThan(500)
      world.peer.trouble = 'none'
      world.t.clock.set(new Date(Date.now() + 5 * 60_000))
      expect((await requestNumber(actor, bill.id)).json().data).toMatchObject({ status: 'active' })
    })
  })
}
