import { describe, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { forgetProviders } from '#server/modules/payments/providers/index.ts'
import { asStaff } from '#server-test/actors.ts'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aBankAccount, aMapping, anImport } from '#server-test/factories/statements.ts'
import { codeOf } from '#server-test/readers.ts'
import {
  aCredit,
  academic,
  accountInput,
  clerk,
  decide,
  ok,
  reason,
  request,
  second,
  setSecondPersonStage,
  t,
  third,
} from '#server-test/stages/second-person-stage.ts'

setSecondPersonStage()

describe('a statement line requested as received', () => {
  test('is neither matched, explained nor requested again while pending, and free after the request is withdrawn', async () => {
    const { line } = await aCredit()
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { payerName: 'Ibu Sari' }))
    const { actor, bill } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 300_000 }] })
    const { number } = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send()
    const { id: paymentId } = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', number)
      .executeTakeFirstOrThrow()
    for (const [url, body] of [
      ['match', { paymentId }],
      ['explain', { explanation: 'other', reason }],
    ] as const) {
      const answer = await second.post(`/statement-lines/${line.id}/${url}`, body)
      expect(codeOf(answer)).toEqual([409, 'line_waits_for_approval'])
      expect(answer.json().message).toContain('Petugas Satu')
    }
    expect(codeOf(await second.post(`/statement-lines/${line.id}/record`, {}))).toEqual([409, 'already_requested'])
    expect(codeOf(await second.post(`/persetujuan/${id}/withdraw`, {}))).toEqual([403, 'not_own_request'])
    ok(await clerk.post(`/persetujuan/${id}/withdraw`, {}))
    ok(await second.post(`/statement-lines/${line.id}/explain`, { explanation: 'other', reason }))
    expect(codeOf(await decide(third, id))).toEqual([409, 'wrong_status'])
  })

  test('is shown to the decider with its file and the account that imported it', async () => {
    const { line, account } = await aCredit(123_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, { payerName: 'Ibu Sari' }))
    const [row] = ok(await third.get('/persetujuan?status=pending&kind=statement_line'))
    expect(row).toMatchObject({ id, amount: 123_000, registrationId: null, whyNot: null })
    expect((await request(id)).effect).toEqual({
      amount: 123_000,
      account: `${account.name} · Bank Contoh ${account.number}`,
      day: line.day,
      statementWords: `${line.reference} · TRANSFER TANPA NAMA`,
      statementFile: 'koran.csv',
      importedBy: 'Petugas Satu',
      payer: 'Ibu Sari',
    })
    ok(await decide(third, id, false))
  })

  test('that the bank reports meanwhile is matched with that payment, and approving is refused', async () => {
    const { actor, bill } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 410_000 }] })
    const { number } = await aVirtualAccount(actor, bill.id)
    const account = await aBankAccount(t, second, { sources: ['sandbox-a'] })
    const day = bankCalendar.dayOf(t.clock.now())
    await anImport(clerk, account.id, [[day, `VA ${number}`, '', 410_000]])
    const line = await t.db
      .selectFrom('statementLines')
      .selectAll()
      .where('bankAccountId', '=', account.id)
      .executeTakeFirstOrThrow()
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    await aReport(t, { virtualAccountNumber: number, amount: 410_000 }).send()
    ok(await second.post('/rekonsiliasi/compute', { bankAccountId: account.id, day }))
    expect(codeOf(await decide(third, id))).toEqual([409, 'line_settled'])
    expect((await request(id)).status).toBe('pending')
    ok(await decide(third, id, false))
  })

  test('is booked once when ten approve it at once', async () => {
    const { line } = await aCredit(77_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    // As many as the pool has connections: none may wait for an eleventh, not even to read the providers again.
    forgetProviders(t.services)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => decide(at % 2 ? second : third, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const booked = await t.db.selectFrom('payments').select('id').where('providerReference', '=', line.id).execute()
    expect(booked).toHaveLength(1)
  })

  test('above the limit of one role is decided by another role', async () => {
    const { line } = await aCredit(10_000_001)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    expect(codeOf(await decide(second, id))).toEqual([403, 'above_approval_limit'])
    ok(await decide(await asStaff(t, 'Administrator'), id))
  })
})

describe('fifty requested lines', () => {
  test('are approved in one call, each in its own transaction; own and withdrawn requests are refused with a reason', async () => {
    const account = await aBankAccount(t, second)
    const day = bankCalendar.dayOf(t.clock.now())
    await anImport(
      clerk,
      account.id,
      Array.from({ length: 50 }, (_, at) => [day, `SETORAN ${at}`, `PAGI-${at}`, 10_000 + at]),
    )
    const lines = await t.db
      .selectFrom('statementLines')
      .select('id')
      .where('bankAccountId', '=', account.id)
      .orderBy('lineNumber')
      .execute()
    const requestIds: string[] = []
    for (const [at, { id }] of lines.entries())
      requestIds.push(ok(await (at === 0 ? third : clerk).post(`/statement-lines/${id}/record`, {})).id)
    ok(await clerk.post(`/persetujuan/${requestIds[1]}/withdraw`, {}))
    const approve = (ids: readonly string[]) => third.post('/persetujuan/bulk/approve', { ids, reason: 'Sesuai' })
    const { done, refused } = ok(await approve(requestIds))
    expect(done.toSorted()).toEqual(requestIds.slice(2).toSorted())
    expect(refused).toEqual([
      { id: requestIds[0], reason: expect.stringContaining('cannot decide your own request') },
      { id: requestIds[1], reason: expect.any(String) },
    ])
    const settings = ok(await clerk.post('/bank-accounts', accountInput()))
    expect((await approve([settings.id])).json().errors.ids).toBeDefined()
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const waiver = ok(await clerk.post(`/bills/${bill.id}/exceptions`, { kind: 'waiver', amount: 1_000, reason }))
    expect((await approve([requestIds[0]!, waiver.id])).json().errors.ids).toBeDefined()
    for (const id of [requestIds[0]!, settings.id, waiver.id]) ok(await decide(second, id, false))
  })
})

describe('a bank account', () => {
  test('keeps its values until a change is approved, and shows who asked and who may approve', async () => {
    const { id } = await aBankAccount(t, clerk)
    const before = await accountNow(id)
    const wish = { ...inputOf(before), number: '111222333', reason: 'Rekening pindah cabang' }
    const change = ok(await clerk.put(`/bank-accounts/${id}`, wish))
    expect(await accountNow(id)).toMatchObject({
      number: before.number,
      version: before.version,
      pending: {
        id: change.id,
        action: 'edit',
        requestedBy: { id: clerk.accountId, name: 'Petugas Satu' },
        deciders: expect.any(Array),
      },
    })
    const { deciders } = (await accountNow(id)).pending
    expect(deciders).toHaveLength(5)
    expect(deciders).not.toContain('Petugas Satu')
    expect(await request(change.id)).toMatchObject({
      reason: 'Rekening pindah cabang',
      effect: { amount: 0, changes: [{ field: 'number', before: before.number, after: '111222333' }] },
    })
    // One pending change at a time, including the mapping of columns.
    expect(codeOf(await second.put(`/bank-accounts/${id}`, wish))).toEqual([409, 'already_requested'])
    const mapping = { ...aMapping, balance: null }
    expect(codeOf(await second.put(`/bank-accounts/${id}/mapping`, { mapping, version: before.version }))).toEqual([
      409,
      'already_requested',
    ])
    ok(await clerk.post(`/persetujuan/${change.id}/withdraw`, {}))
    expect(await accountNow(id)).toMatchObject({ number: before.number, pending: null })
  })

  test('requested without a change or twice is refused', async () => {
    const { id } = await aBankAccount(t, clerk)
    expect(codeOf(await clerk.put(`/bank-accounts/${id}`, inputOf(await accountNow(id))))).toEqual([
      409,
      'nothing_changes',
    ])
    const wish = accountInput()
    const answers = await Promise.all(Array.from({ length: 5 }, () => clerk.post('/bank-accounts', wish)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  test('is not added if another account has taken its number meanwhile', async () => {
    const wish = accountInput({ name: 'Pertama' })
    const other = accountInput({ name: 'Kedua', number: `${wish.number}9` })
    const [first, late] = [ok(await clerk.post('/bank-accounts', wish)), ok(await clerk.post('/bank-accounts', other))]
    ok(await decide(second, late.id))
    const { id } = await t.db
      .selectFrom('bankAccounts')
      .select('id')
      .where('number', '=', other.number)
      .executeTakeFirstOrThrow()
    const taking = ok(
      await clerk.put(`/bank-accounts/${id}`, { ...inputOf(await accountNow(id)), number: wish.number }),
    )
    ok(await decide(second, taking.id))
    expect(codeOf(await decide(third, first.id))).toEqual([409, 'already_exists'])
  })

  const accountNow = async (id: string) =>
    ok(await clerk.get('/bank-accounts')).accounts.find((account: { id: string }) => account.id === id)
  const inputOf = ({ id: _, lastDay: __, mapping: ___, pending: ____, ...values }: Record<string, unknown>) => values
})
