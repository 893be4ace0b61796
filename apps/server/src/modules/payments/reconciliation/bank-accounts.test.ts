import { describe, expect, test } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { aMapping, anImport } from '#server-test/factories/statements.ts'
import {
  account,
  clerk,
  ok,
  setReconciliationStage,
  t,
  tests,
  today,
} from '#server-test/stages/reconciliation-stage.ts'

setReconciliationStage()

describe('the accounts of the university', () => {
  test('only one account takes the transfer numbers of a bank, and only one takes ordinary transfers', async () => {
    const other = {
      name: 'Lain',
      bank: 'Bank Peraga',
      number: '55 66-77',
      holder: 'Universitas',
      takesTransfers: false,
      sources: ['sandbox-a'],
    }
    expect((await clerk.post('/bank-accounts', other)).json().errors.sources[0]).toContain('Rekening')
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        clerk.post('/bank-accounts', {
          ...other,
          number: `${tests}00${n}`,
          takesTransfers: true,
          sources: ['sandbox-b'],
        }),
      ),
    )
    const requestIds = answers.map((answer) => ok(answer).id as string)
    // All three may be requested; approving a second one is refused with the account that already has the bank.
    const seconds = await Promise.all(requestIds.map(() => asStaff(t, 'Administrator')))
    const decided = await Promise.all(
      requestIds.map((id, at) => seconds[at]!.post(`/persetujuan/${id}/decide`, { approve: true })),
    )
    expect(decided.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(decided.map((answer) => answer.json().code).filter(Boolean)).toEqual([
      'bank_of_other_account',
      'bank_of_other_account',
    ])
  })

  test('a mapping with a stale version is refused', async () => {
    const answer = await clerk.put(`/bank-accounts/${account.id}/mapping`, { mapping: aMapping, version: 1 })
    expect(answer.json().code).toBe('stale_version')
  })
})

test('exports contain what the lists show, in words', async () => {
  await anImport(clerk, account.id, [[today, 'A', '', 5_000]])
  for (const url of ['/rekonsiliasi/export', '/reconciliation-differences/export', '/statement-lines/export']) {
    const answer = await clerk.get(`${url}?format=csv&bankAccountId=${account.id}`, { 'accept-language': 'id' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.body).toContain(today)
    expect(answer.body).not.toContain('reconciliation:')
  }
})
