import { expect, test } from 'vitest'
import type { Tx } from '#server/platform/database/database.ts'
import { approvalAbout, questionOf } from './ask-approval.ts'

test('a handler of requests about bills does not see a request that names none', async () => {
  const locked: string[] = []
  const handler = approvalAbout(['billId'], {
    permission: 'pembayaran-mahasiswa-update',
    async lock(_, { billId }) {
      locked.push(billId)
    },
    effect: async (_, { amount }) => ({ amount }),
    apply: async () => {},
  })
  const tx = {} as Tx
  await handler.lock(tx, questionOf({ kind: 'waiver', billId: 'a bill', reason: '' }))
  expect(() => handler.lock(tx, questionOf({ kind: 'waiver', paymentId: 'a payment', reason: '' }))).toThrow(
    'A request of kind waiver needs billId',
  )
  expect(locked).toEqual(['a bill'])
})
