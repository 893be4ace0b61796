import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { connect } from './database.ts'
import { countStatements } from './prepared-statements.ts'

const oftenTimes = 12

let t: TestApp
let pooled: ReturnType<typeof connect>
beforeAll(async () => {
  t = await testApp()
  await sql`CREATE TABLE fruits (id int PRIMARY KEY, name text NOT NULL)`.execute(t.owner)
  await sql`INSERT INTO fruits SELECT n, 'fruit ' || n FROM generate_series(1, 100) n`.execute(t.owner)
  pooled = connect(t.connectionString, { max: 1, preparedStatements: true })
})
afterAll(async () => {
  await pooled.db.destroy()
  await t.close()
})

const preparedTexts = async () => {
  const { rows } = await pooled.pool.query('SELECT statement FROM pg_prepared_statements')
  return rows as { statement: string }[]
}
const preparedAs = async (part: string) => (await preparedTexts()).find(({ statement }) => statement.includes(part))

async function repeat(times: number, work: (index: number) => Promise<unknown>) {
  for (let index = 1; index <= times; index++) await work(index)
}

describe('on a connection', () => {
  test('a frequent statement is prepared and still answers by its values; a rare one is not', async () => {
    const nameOf = async (id: number) => {
      const { rows } = await sql<{ name: string }>`select name from fruits where id = ${id}`.execute(pooled.db)
      return rows[0]!.name
    }
    await repeat(oftenTimes, async (id) => expect(await nameOf(id)).toBe(`fruit ${id}`))
    await repeat(2, (id) => sql`select id, name from fruits where id = ${id}`.execute(pooled.db))
    expect(await preparedAs('select name from fruits where id')).toBeDefined()
    expect(await preparedAs('select id, name from fruits where id')).toBeUndefined()
  })

  test('a prepared statement survives a new column in its table', async () => {
    const count = () => sql`select count(name) from fruits where id > ${1}`.execute(pooled.db)
    await repeat(oftenTimes, count)
    await sql`ALTER TABLE fruits ADD COLUMN colour text`.execute(t.owner)
    await expect(count()).resolves.toBeDefined()
  })

  test('is off if the setting says so', async () => {
    const plain = connect(t.connectionString, { max: 1 })
    await repeat(oftenTimes, (id) => sql`select name from fruits where id = ${id}`.execute(plain.db))
    const { rows } = await plain.pool.query('SELECT statement FROM pg_prepared_statements')
    expect(rows).toEqual([])
    await plain.db.destroy()
  })
})

test('a list of values is sent as one array, so its length does not change the text; a single value is compared directly', async () => {
  const { db } = pooled
  const query = (ids: string[]) =>
    db.selectFrom('accounts').select('id').where('id', 'in', ids).where('id', 'not in', ids)
  const id = crypto.randomUUID()
  expect(query([id, id]).compile().sql).toBe(query([id, id, id]).compile().sql)
  expect(query([]).compile().sql).toBe(query([id, id]).compile().sql)
  expect(query([id]).compile().sql).toContain('"id" = $1 and "id" <> $2')
  await expect(query([id]).execute()).resolves.toEqual([])
  await expect(query([id, id]).execute()).resolves.toEqual([])
  await expect(query([]).execute()).resolves.toEqual([])
})

describe('names', () => {
  const askOften = (names: ReturnType<typeof countStatements>, text: string) => {
    for (let times = 1; times < oftenTimes; times++) names.nameOf(text)
    return names.nameOf(text)
  }

  test.each([
    'select * from "accounts" where "id" = $1',
    'select "a".* from "accounts" as "a" where "id" = $1',
    'update "accounts" set "name" = $1 returning *',
    'lock table "accounts"',
  ])('are not given to %s', (text) => {
    expect(askOften(countStatements(), text)).toBeNull()
  })

  test('are given to at most 150 statements; unused ones lose theirs within half an hour', () => {
    let nowMs = 0
    const names = countStatements(() => nowMs)
    const texts = Array.from({ length: 151 }, (_, index) => `select "column_${index}" from "accounts"`)
    for (const text of texts.slice(0, 150)) expect(askOften(names, text)).not.toBeNull()
    expect(askOften(names, texts[150]!)).toBeNull()
    nowMs += 31 * 60_000
    expect(askOften(names, texts[0]!)).not.toBeNull()
    nowMs += 31 * 60_000
    expect(askOften(names, texts[150]!)).not.toBeNull()
    expect(names.nameOf(texts[1]!)).toBeNull()
  })
})
