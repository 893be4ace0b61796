import { describe, expect, test } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { day, fee, type World } from './world.ts'

/** Texts and times no column can store. */
export function contractOfOddText(world: World) {
  const { billOf, paymentsOn, openNumber, accepts } = world

  describe('text that no column can store', () => {
    test.each(['2061-01-01T00:00:00Z', '1997-08-17T10:00:00+07:00'])(
      'a time that cannot be (%s): the arrival of the report, and staff read why',
      async (time) => {
        const { account, bill } = await openNumber()
        accepts([await world.peer.report(world.peer.receive(account.number, fee), { time })])
        const [payment] = await paymentsOn(account.number)
        expect(payment).toMatchObject({ paidAtTold: time })
        expect(payment!.receivedAt.getTime() - payment!.paidAt.getTime()).toBeLessThan(1_000)
        expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
        const detail = (await (await asStaff(world.t, 'Keuangan')).get(`/pembayaran-mahasiswa/${payment!.id}`)).json()
          .data
        expect(detail.paidAtTold).toBe(time)
      },
    )

    test('a time 399 days ago is accepted', async () => {
      const { account } = await openNumber()
      const at = new Date(Date.now() - 399 * day)
      await world.t.db.updateTable('virtualAccounts').set({ createdAt: at }).where('id', '=', account.id).execute()
      accepts([await world.peer.report(world.peer.receive(account.number, fee, at))])
      const [payment] = await paymentsOn(account.number)
      expect(payment!.paidAtTold).toBeNull()
      expect(Math.abs(payment!.paidAt.getTime() - at.getTime())).toBeLessThan(1_000)
    })

    test.each([
      ['too long', { reference: 'R'.repeat(5_000), channel: 'C'.repeat(5_000) }],
      ['with NUL', { reference: 'REF\u0000-1', channel: 'ATM\u0000' }],
      ['with half a character', { reference: 'REF\ud800-2', channel: '\udc00ATM' }],
    ])('a reference and channel %s: refused in the words of the bank, or cut and booked', async (_, spoilt) => {
      const { account, bill } = await openNumber()
      const money = world.peer.receive(account.number, fee)
      const verdicts = [await world.peer.report(money, spoilt), await world.peer.report(money, spoilt)]
      expect(verdicts.map(({ status }) => status)).toEqual(world.subject.moved ? [200, 200] : [400, 400])
      const payments = await paymentsOn(account.number)
      expect(payments).toHaveLength(world.subject.moved ? 1 : 0)
      expect(await billOf(bill.id)).toMatchObject({ status: world.subject.moved ? 'paid' : 'open' })
      if (!world.subject.moved) return expect(JSON.parse(verdicts[0]!.body).responseCode).toMatch(/^400250[01]$/)
      const { body } = await world.t.db
        .selectFrom('bankReports')
        .select('body')
        .where('id', '=', payments[0]!.bankReportId)
        .executeTakeFirstOrThrow()
      // The stored bytes keep the original text.
      expect(body.toString()).toContain(JSON.stringify(spoilt.reference).slice(1, -1))
    })

    test('two references that begin alike for longer than the column are two payments', async ({ skip }) => {
      if (!world.subject.moved) skip('they are refused')
      const { account } = await openNumber()
      const longReference = 'X'.repeat(100)
      for (const end of ['1', '2'])
        accepts([
          await world.peer.report(world.peer.receive(account.number, 100_000), { reference: `${longReference}${end}` }),
        ])
      expect(await paymentsOn(account.number)).toHaveLength(2)
    })
  })
}
