import crypto from 'node:crypto'
import { signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import { addressOf } from '#server-test/factories/providers.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { type BankPeer, type Money, post } from './bank-peer.ts'

/** The demo bank as a peer: its books are a table of the product, its reports arrive over HTTP. */
export async function startSandbox(t: TestApp): Promise<BankPeer> {
  const url = `${await addressOf(t)}/api/providers/sandbox/report`
  const writing: Promise<unknown>[] = []
  return {
    trouble: 'none',
    requestCount: () => 0,
    account: () => undefined,
    receive(number, amount, at = t.clock.now()) {
      const money: Money = { reference: crypto.randomUUID(), number, amount, at }
      const { reference } = money
      writing.push(
        t.db
          .insertInto('sandboxTransactions')
          .values({ reference, virtualAccountNumber: number, amount, channel: 'mobile', paidAt: at })
          .execute(),
      )
      return money
    },
    booked: () => Promise.all(writing),
    async report({ reference, number, amount, at }, spoilt = {}) {
      await Promise.all(writing)
      const { body, headers } = signedReport(
        t.services.config.secretKey,
        {
          reference: spoilt.reference ?? reference,
          virtualAccountNumber: number,
          amount: spoilt.amount ?? amount,
          channel: spoilt.channel ?? 'mobile',
          paidAt: at,
          ...(spoilt.time !== undefined && { paidAtTold: spoilt.time }),
        },
        t.clock.now(),
      )
      const sent = spoilt.json ? body.subarray(0, -9) : body
      const answer = await post(
        url,
        { ...headers, ...(spoilt.signature && { 'x-sandbox-signature': 'ab'.repeat(32) }) },
        sent.toString(),
      )
      const verdict = answer.status < 300 ? 'accepted' : answer.status >= 500 ? 'again' : 'refused'
      return { ...answer, verdict }
    },
    close: async () => {},
  }
}
