import crypto from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { aBill } from '#server-test/factories/payments.ts'
import { aProvider, providerInput } from '#server-test/factories/providers.ts'
import { aBankAccount, aCsvStatement, aMapping, sendStatement } from '#server-test/factories/statements.ts'
import { codeOf } from '#server-test/readers.ts'
import {
  aCredit,
  academic,
  accountInput,
  billOf,
  clerk,
  decide,
  give,
  moneyOfNobody,
  ok,
  request,
  second,
  setSecondPersonStage,
  t,
  third,
} from '#server-test/stages/second-person-stage.ts'

setSecondPersonStage()

test('a clerk alone cannot create money: account, columns, line and allocation each wait for another account', async () => {
  const { bill } = await aBill(t, academic, { lines: [{ description: 'Uang kuliah', amount: 14_550_000 }] })
  const wish = accountInput()

  const account = ok(await clerk.post('/bank-accounts', wish))
  const named = async () =>
    (ok(await clerk.get('/bank-accounts')).accounts as { id: string; number: string; version: number }[]).find(
      ({ number }) => number === wish.number,
    )
  expect(await named()).toBeUndefined()
  expect(codeOf(await decide(clerk, account.id))).toEqual([403, 'own_request'])
  ok(await decide(second, account.id))
  const { id: accountId, version } = (await named())!

  const today = bankCalendar.dayOf(t.clock.now())
  const file = aCsvStatement([[today, 'TRANSFER DARI RUMAH', 'RUMAH-1', 9_000_000]])
  const columns = ok(await clerk.put(`/bank-accounts/${accountId}/mapping`, { mapping: aMapping, version }))
  expect((await sendStatement(clerk, accountId, file)).statusCode).toBe(422)
  expect(codeOf(await decide(clerk, columns.id))).toEqual([403, 'own_request'])
  ok(await decide(second, columns.id))
  ok(await sendStatement(clerk, accountId, file))

  const line = await t.db
    .selectFrom('statementLines')
    .selectAll()
    .where('bankAccountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const recording = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
  const payment = () =>
    t.db.selectFrom('payments').selectAll().where('providerReference', '=', line.id).executeTakeFirst()
  expect(await payment()).toBeUndefined()
  expect(codeOf(await decide(clerk, recording.id))).toEqual([403, 'own_request'])
  ok(await decide(second, recording.id))
  const paymentId = (await payment())!.id

  const giving = ok(await give(clerk, paymentId, bill.id, 9_000_000))
  expect(await billOf(bill.id)).toMatchObject({ paid: 0, status: 'open' })
  expect(codeOf(await decide(clerk, giving.approvalId))).toEqual([403, 'own_request'])
  ok(await clerk.post(`/persetujuan/${giving.approvalId}/withdraw`, {}))

  // Even if a colleague asks: the account that recorded the money does not decide its owner.
  const lent = ok(await give(second, paymentId, bill.id, 9_000_000))
  expect(codeOf(await decide(clerk, lent.approvalId))).toEqual([403, 'own_statement_line'])
  expect(await billOf(bill.id)).toMatchObject({ paid: 0, status: 'open' })
  ok(await decide(third, lent.approvalId))
  expect(await billOf(bill.id)).toMatchObject({ paid: 9_000_000, status: 'partly_paid' })
})

test('the account that imported a statement decides neither whether its money arrived nor who owns it', async () => {
  const { bill } = await aBill(t, academic, { lines: [{ description: 'Uang kuliah', amount: 2_000_000 }] })
  const { line } = await aCredit(2_000_000)
  // The clerk imported the statement; a colleague asks.
  const recording = ok(await second.post(`/statement-lines/${line.id}/record`, {}))
  expect(codeOf(await decide(clerk, recording.id))).toEqual([403, 'own_statement_line'])
  const listed = (await clerk.get('/persetujuan?status=pending&kind=statement_line')).json().data
  expect(listed.find(({ id }: { id: string }) => id === recording.id).whyNot).toBe('own_statement_line')
  ok(await decide(third, recording.id))
  const { paymentId } = await request(recording.id)
  const giving = ok(await give(third, paymentId!, bill.id, 2_000_000))
  for (const actor of [clerk, second])
    expect(codeOf(await decide(actor, giving.approvalId))).toEqual([403, 'own_statement_line'])
  await expect(
    t.db
      .updateTable('approvalRequests')
      .set({ status: 'approved', decidedBy: clerk.accountId, decidedAt: t.clock.now() })
      .where('id', '=', giving.approvalId)
      .execute(),
  ).rejects.toThrow('account that asked')
  ok(await decide(await asStaff(t, 'Keuangan'), giving.approvalId))
  expect(await billOf(bill.id)).toMatchObject({ status: 'paid' })
})

describe('who sees and decides', () => {
  test('a role limited to study programmes sees no request without a registration', async () => {
    const limited = await asWithPermissions(
      t,
      ['persetujuan-view', 'persetujuan-update', 'pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update'],
      { programmeIds: [academic.programmes[0]!] },
    )
    const { line } = await aCredit(55_000)
    const { id } = ok(await clerk.post(`/statement-lines/${line.id}/record`, {}))
    const account = ok(await clerk.post('/bank-accounts', accountInput()))
    const listed = ok(await limited.get('/persetujuan?status=pending&per_page=100')) as {
      registrationId: string | null
    }[]
    expect(listed.filter(({ registrationId }) => registrationId === null)).toEqual([])
    for (const one of [id, account.id]) {
      expect((await decide(limited, one)).statusCode).toBe(404)
      expect((await limited.post(`/persetujuan/${one}/withdraw`, {})).statusCode).toBe(404)
      ok(await decide(second, one, false))
    }
    // Such a role does not find the money either.
    const { paymentId } = await moneyOfNobody(60_000)
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    expect((await give(limited, paymentId, bill.id, 60_000)).statusCode).toBe(404)
  })

  test('a role decides about settings only with a limit for that kind', async () => {
    const role = await asWithPermissions(t, ['persetujuan-view', 'persetujuan-update'])
    const { id } = ok(await clerk.post('/bank-accounts', accountInput()))
    expect(codeOf(await decide(role, id))).toEqual([403, 'no_approval_limit'])
    const admin = await asStaff(t, 'Administrator')
    const { limits } = ok(await admin.get('/settings/approval-limits'))
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', role.accountId)
      .executeTakeFirstOrThrow()
    ok(
      await admin.put('/settings/approval-limits', {
        limits: [...limits, { roleId, kind: 'bank_account', most: null }],
      }),
    )
    ok(await decide(role, id))
  })
})

describe('the database', () => {
  const refused = (work: (tx: Tx) => Promise<unknown>) =>
    expect(t.owner.transaction().execute(work)).rejects.toThrow(/nobody has approved/)
  const aPayment = (values: object) => ({
    providerReference: crypto.randomUUID(),
    amount: 5_000,
    status: 'waiting' as const,
    waitingAmount: 5_000,
    waitingReason: 'unknown_number' as const,
    waitingSince: t.clock.now(),
    paidAt: t.clock.now(),
    receivedAt: t.clock.now(),
    ...values,
  })

  test('refuses money that no bank reported and no account approved', async () => {
    for (const provider of ['manual', 'statement'])
      await refused((tx) =>
        tx
          .insertInto('payments')
          .values(aPayment({ provider }) as never)
          .execute(),
      )
    // A request allows one payment with the request's own sum.
    const { paymentId } = await moneyOfNobody(45_000)
    const { approvalRequestId, providerReference } = await t.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const again = aPayment({ provider: 'statement', approvalRequestId, providerReference: `${providerReference} ` })
    await expect(
      t.db
        .insertInto('payments')
        .values(again as never)
        .execute(),
    ).rejects.toThrow('payments_approval')
    await expect(
      t.db.updateTable('payments').set({ approvalRequestId: null }).where('id', '=', paymentId).execute(),
    ).rejects.toThrow('keeps what was written')
  })

  test('refuses an owner for money without a payer if no account approved it, or only the account that recorded it', async () => {
    const { paymentId } = await moneyOfNobody(46_000)
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const owned = (tx: Tx) =>
      tx
        .updateTable('payments')
        .set({ accountId: bill.accountId, billId: bill.id })
        .where('id', '=', paymentId)
        .execute()
    await refused(owned)
    const { approvalId } = ok(await give(second, paymentId, bill.id, 46_000))
    await refused(async (tx) => {
      await tx
        .updateTable('approvalRequests')
        .set({ status: 'approved', decidedBy: clerk.accountId, decidedAt: t.clock.now() })
        .where('id', '=', approvalId)
        .execute()
      await owned(tx)
    })
  })

  test('refuses changes of accounts and connections without an approved request of their own', async () => {
    const { id } = await aBankAccount(t, clerk)
    const { id: other } = await aBankAccount(t, clerk)
    const { approvalRequestId } = await t.db
      .selectFrom('bankAccounts')
      .select('approvalRequestId')
      .where('id', '=', other)
      .executeTakeFirstOrThrow()
    const values = { name: 'X', bank: 'X', number: '1', holder: 'X', createdAt: t.clock.now() }
    await refused((tx) => tx.insertInto('bankAccounts').values(values).execute())
    await refused((tx) => tx.updateTable('bankAccounts').set({ number: '9' }).where('id', '=', id).execute())
    await refused(async (tx) => {
      await tx.updateTable('bankAccounts').set({ approvalRequestId: null }).where('id', '=', other).execute()
      await tx.updateTable('bankAccounts').set({ number: '9', approvalRequestId }).where('id', '=', id).execute()
    })
    const provider = await aProvider(t, providerInput('xendit', { code: 'dijaga', name: 'Dijaga', banks: [] }))
    const of = (tx: Tx) => tx.updateTable('providerAccounts').where('id', '=', provider.id)
    await refused((tx) => of(tx).set({ baseUrl: 'https://elsewhere.example.com' }).execute())
    await refused((tx) => of(tx).set({ active: true }).execute())
    await refused((tx) =>
      tx
        .insertInto('providerSecrets')
        .values({
          providerAccountId: provider.id,
          name: 'callbackToken',
          sealed: 'x',
          lastFour: 'x',
          setAt: t.clock.now(),
        })
        .execute(),
    )
    await of(t.owner as never)
      .set({ name: 'Nama lain' })
      .execute()
  })
})
