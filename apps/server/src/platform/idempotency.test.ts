import crypto from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

const create = (code: string, key: string, actor = staff) =>
  actor.post('/master/suku', { name: `Suku ${code}` }, { 'idempotency-key': key })
const count = async (code: string) =>
  (await t.db.selectFrom('ethnicGroups').select('id').where('name', '=', `Suku ${code}`).execute()).length

test('the same write sent again gets the stored answer and happens once', async () => {
  const key = crypto.randomUUID()
  const first = await create('satu', key)
  expect(first.statusCode).toBeLessThan(300)
  const again = await create('satu', key)
  expect(again.statusCode).toBe(first.statusCode)
  expect(again.json()).toEqual(first.json())
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(await count('satu')).toBe(1)
})

test('ten at the same moment happen once; the others are told or get the same answer', async () => {
  const key = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('sepuluh', key)))
  expect(await count('sepuluh')).toBe(1)
  for (const answer of answers) expect(answer.statusCode === 409 || answer.statusCode < 300).toBe(true)
})

test('the same key with other content is refused', async () => {
  const key = crypto.randomUUID()
  await create('dua', key)
  const other = await create('tiga', key)
  expect(other.statusCode).toBe(409)
  expect(other.json().code).toBe('idempotency_mismatch')
  expect(await count('tiga')).toBe(0)
})

test('a refusal is kept as well, and another account is not affected by the key', async () => {
  const key = crypto.randomUUID()
  const refused = await staff.post('/master/suku', {}, { 'idempotency-key': key })
  expect(refused.statusCode).toBe(422)
  const other = await asStaff(t)
  expect((await create('empat', key, other)).statusCode).toBeLessThan(300)
})

test('after a day the key is free again', async () => {
  const key = crypto.randomUUID()
  await create('lima', key)
  await t.db
    .updateTable('idempotencyKeys')
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .where('key', '=', key)
    .execute()
  expect((await create('enam', key)).statusCode).toBeLessThan(300)
})
