import { describe, expect, test } from 'vitest'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { closeVirtualAccounts, expireVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { day, fee, type World } from './world.ts'

/** How payment reports are booked: once, in any order, in full or in part. */
export function contractOfPayments(world: World) {
  const { billOf, virtualAccountOf, paymentsOn, openNumber, accepts } = world

  describe('a payment', () => {
    test('paid once', async () => {
      const { account, bill, actor } = await openNumber()
      accepts([await world.peer.report(world.peer.receive(account.number, fee))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid', received: fee })
      const [payment] = await paymentsOn(account.number)
      expect(payment).toMatchObject({ status: 'allocated', accountId: actor.accountId, provider: world.subject.code })
      const report = await world.t.db
        .selectFrom('bankReports')
        .selectAll()
        .where('id', '=', payment!.bankReportId)
        .executeTakeFirstOrThrow()
      expect(report).toMatchObject({ outcome: 'booked', virtualAccountId: account.id })
      expect(report.body.toString()).toContain(account.number)
    })

    test('reported twice: accepted both times, booked once', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      accepts([await world.peer.report(money), await world.peer.report(money)])
      expect(await paymentsOn(account.number)).toHaveLength(1)
      expect(await billOf(bill.id)).toMatchObject({ paid: fee })
    })

    test('reported twenty times at once', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      accepts(await Promise.all(Array.from({ length: 20 }, () => world.peer.report(money))))
      expect(await paymentsOn(account.number)).toHaveLength(1)
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
    })

    test('two payments on two bills, reported in reverse order', async () => {
      const [first, second] = [await openNumber(), await openNumber()]
      const moneys = [world.peer.receive(first.account.number, fee), world.peer.receive(second.account.number, fee)]
      accepts([
        await world.peer.report(moneys[1]!),
        await world.peer.report(moneys[0]!),
        await world.peer.report(moneys[1]!),
      ])
      for (const { bill } of [first, second]) expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    })

    test('reported three days late, long before the number expires', async () => {
      const { account, bill } = await openNumber()
      const at = new Date()
      const money = world.peer.receive(account.number, fee, at)
      world.t.clock.set(new Date(at.getTime() + 2 * day))
      accepts([await world.peer.report(money)])
      const [payment] = await paymentsOn(account.number)
      expect(Math.abs(payment!.paidAt.getTime() - at.getTime())).toBeLessThan(1_000)
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    })

    test('after the number expired, while the bill is still owed: it is paid', async () => {
      const { account, bill } = await openNumber()
      world.t.clock.set(new Date(Date.now() + 4 * day))
      await expireVirtualAccounts(world.t.services)
      accepts([await world.peer.report(world.peer.receive(account.number, fee))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
      expect(await virtualAccountOf(account.id)).toMatchObject({ status: 'paid' })
    })

    test('after the number was cancelled, while the bill is still owed: it is paid', async () => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      await inTransaction(world.t.services, systemActor, (context) =>
        closeVirtualAccounts(context, { id: account.id }, 'cancel'),
      )
      accepts([await world.peer.report(money)])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
    })

    test('after the bill was cancelled: it waits', async () => {
      const { account, bill, registration } = await openNumber()
      await inTransaction(world.t.services, systemActor, (context) =>
        cancelBills(context, registration.id, 'withdrawn'),
      )
      accepts([await world.peer.report(world.peer.receive(account.number, fee))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
      expect((await paymentsOn(account.number))[0]).toMatchObject({
        status: 'waiting',
        waitingAmount: fee,
        waitingReason: 'bill_closed',
      })
    })

    test('too little: the bill is partly paid', async () => {
      const { account, bill } = await openNumber()
      accepts([await world.peer.report(world.peer.receive(account.number, 100_000))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'partly_paid', paid: 100_000 })
    })

    test('too much: what fits is booked, the rest waits', async () => {
      const { account, bill } = await openNumber()
      accepts([await world.peer.report(world.peer.receive(account.number, fee + 50_000))])
      expect(await billOf(bill.id)).toMatchObject({ status: 'paid', paid: fee })
      expect((await paymentsOn(account.number))[0]).toMatchObject({
        waitingAmount: 50_000,
        waitingReason: 'overpaid',
      })
    })

    test('paid twice: the second one waits whole', async () => {
      const { account, bill } = await openNumber()
      accepts([
        await world.peer.report(world.peer.receive(account.number, fee)),
        await world.peer.report(world.peer.receive(account.number, fee)),
      ])
      expect(await billOf(bill.id)).toMatchObject({ paid: fee })
      const payments = await paymentsOn(account.number)
      expect(payments.map(({ status }) => status).sort()).toEqual(['allocated', 'waiting'])
      expect(await virtualAccountOf(account.id)).toMatchObject({ received: 2 * fee })
    })

    test('on a number nobody knows: it is kept and waits', async () => {
      const prefix = (await findProvider(world.t.services, world.subject.code))!.banks[0]!.prefix ?? '9999'
      const number = `${prefix}${String(Date.now()).slice(-10)}`
      accepts([await world.peer.report(world.peer.receive(number, fee))])
      expect((await paymentsOn(number))[0]).toMatchObject({ status: 'waiting', waitingReason: 'unknown_number' })
    })
  })
}
