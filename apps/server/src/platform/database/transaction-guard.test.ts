import { afterAll, beforeAll, expect, test } from 'vitest'
import { callBank } from '#server/modules/payments/providers/call-bank.ts'
import { checkNumber } from '#server/modules/whatsapp/providers/cloud.ts'
import { hashPassword, verifyPassword } from '#server/platform/access/passwords.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { slowWorkInTransactions } from './transaction-guard.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const mail = { to: 'a@b.test', subject: 'a', text: 'a', messageId: 'a' }
const bank = { action: 'check', method: 'GET', url: 'http://127.0.0.1:1/', headers: {} } as const
const access = { graphUrl: 'http://127.0.0.1:1', graphVersion: 'v1', phoneNumberId: '1', accessToken: 'a' }

test.each<[string, () => Promise<unknown>]>([
  ['a hash', () => hashPassword('Rahasia-2026!')],
  ['the check of a password', () => verifyPassword(null, 'Rahasia-2026!')],
  ['a file that is stored', () => t.services.files.put('a/b', Buffer.from('a'), 'text/plain')],
  ['a file that is read', () => t.services.files.bytes('a/b')],
  ['a mail', () => t.services.mail.send(mail)],
  ['a picture', () => t.services.pictures(async () => {})],
  ['a thread', () => t.services.threads(async () => {})],
  ['a call of a bank', () => callBank(t.services, 'sandbox', bank)],
  ['a call of WhatsApp', () => checkNumber(access)],
])('%s inside a transaction is an error in tests and in development', async (_, work) => {
  await expect(t.db.transaction().execute(async () => work())).rejects.toThrow('inside a database transaction')
  await expect(
    t.db
      .transaction()
      .setAccessMode('read only')
      .execute(async () => work()),
  ).rejects.toThrow('inside a database transaction')
  expect(slowWorkInTransactions.splice(0)).toHaveLength(2)
})

test('a query on another connection inside a transaction is an error: ten waiting for an eleventh would wait for ever', async () => {
  const pendingQuery = t.db.transaction().execute(() => t.db.selectFrom('roles').select('id').execute())
  await expect(pendingQuery).rejects.toThrow('a query on another connection inside a database transaction')
  expect(slowWorkInTransactions.splice(0)).toHaveLength(1)
})

test('a request sent by a test that holds a lock starts outside the transaction', async () => {
  const answer = await t.db.transaction().execute(() => t.app.inject({ url: '/api/branding' }))
  expect(answer.statusCode).toBe(200)
})

test('work after the transaction, or started in it and finished later, is allowed', async () => {
  const committed = Promise.withResolvers<void>()
  let later: Promise<unknown> = Promise.resolve()
  await t.db.transaction().execute(async () => {
    later = committed.promise.then(() => hashPassword('Rahasia-2026!'))
  })
  committed.resolve()
  await later
  await hashPassword('Rahasia-2026!')
  expect(slowWorkInTransactions).toEqual([])
})

test('refuses nothing where transactions are not watched', async () => {
  const live = await testApp({ config: { guardTransactions: false } })
  await live.db.transaction().execute(() => hashPassword('Rahasia-2026!'))
  await live.close()
})
