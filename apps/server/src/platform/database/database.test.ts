import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { compiledStatement } from './compiled-statement.ts'
import { connect } from './database.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a connection lost between two statements fails only its own transaction', async () => {
  const { db } = connect(t.connectionString, { max: 1 })
  const cutOff = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    // Waits up to ten seconds for the end of the connection.
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 10000)`.execute(t.owner)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await sql`SELECT 1`.execute(tx)
  })
  await expect(cutOff).rejects.toThrow()
  const { rows } = await sql`SELECT 1 AS one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await db.destroy()
})

test('a transaction of a higher isolation level is also repeated if another one changed its row', async () => {
  const key = 'isolation'
  await t.db.insertInto('settings').values({ key, value: '1' }).execute()
  const write = (db: typeof t.db, value: string) =>
    db.updateTable('settings').set({ value }).where('key', '=', key).execute()
  let attempts = 0
  const transaction = t.db.transaction().setIsolationLevel('repeatable read')
  await transaction.execute(async (tx) => {
    await tx.selectFrom('settings').select('value').where('key', '=', key).execute()
    if (++attempts === 1) await write(t.owner, '2')
    await write(tx, '3')
  })
  expect(attempts).toBe(2)
})

test('names in code are columns in SQL; keys inside a JSON value and a table without rows keep theirs', async () => {
  const found = await t.db
    .selectFrom('settings as someSettings')
    .select([
      'someSettings.updatedBy as whoWrote',
      sql<object>`'{"aKey":1,"a_key":{"b_key":2}}'::jsonb`.as('jsonValue'),
    ])
    .select('someSettings.key')
    .limit(1)
    .execute()
  expect(found).toEqual([{ whoWrote: null, jsonValue: { aKey: 1, a_key: { b_key: 2 } }, key: expect.any(String) }])
  const { sql: text } = t.db
    .selectFrom('settings as someSettings')
    .select('someSettings.updatedBy as whoWrote')
    .compile()
  expect(text).toBe('select "some_settings"."updated_by" as "who_wrote" from "settings" as "some_settings"')
  expect(await t.db.selectFrom('settings').selectAll().where('key', '=', 'nothing of this name').execute()).toEqual([])
})

test('a compiled statement is built once and answers by the values of each call', async () => {
  let builtTimes = 0
  const find = compiledStatement<{ first: number; second: Date }, { first: number; second: Date; fixed: string }>(
    ({ first, second }) => {
      builtTimes++
      return sql`SELECT ${second}::timestamptz AS second, ${first}::int AS first, ${'always'}::text AS fixed`
    },
  )
  const ask = (first: number, second: Date) => find(t.db, { first, second })
  const [may, june] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')]
  expect(await Promise.all([ask(1, may), ask(2, june)])).toEqual([
    [{ first: 1, second: may, fixed: 'always' }],
    [{ first: 2, second: june, fixed: 'always' }],
  ])
  expect(builtTimes).toBe(1)
})

test.each([
  ['a text made of a value', ({ name }: { name: string }) => sql`SELECT ${`${name}%`}::text`],
  ['a comparison of a value', ({ name }: { name: string }) => sql`SELECT ${name > 'a' ? 1 : 2}::int`],
  ['a value within another', ({ name }: { name: string }) => sql`SELECT ${[name]}::text[]`],
  ['values that are copied', (values: { name: string }) => sql`SELECT ${{ ...values }.name}::text`],
])('a compiled statement refuses %s, which all later calls would share', async (_, build) => {
  await expect(compiledStatement<{ name: string }, unknown>(build)(t.db, { name: 'Budi' })).rejects.toThrow(
    /compiled statement/,
  )
})
