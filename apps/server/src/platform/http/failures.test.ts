import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { asApplicant, asStaff } from '#server-test/actors.ts'
import { aProfile } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { answerErrors, InputError } from './error-handler.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type Line = { level: number; msg: string }

/** Answer of a server whose only route throws, and whether it logged an error. */
async function answerTo(fail: () => unknown, headers: Record<string, string> = {}) {
  const lines: Line[] = []
  const app = fastify({ logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } } })
  answerErrors(app as never)
  app.get('/', async () => fail())
  const answer = await app.inject({ url: '/', headers })
  await app.close()
  const levels = lines.filter(({ msg }) => msg !== 'incoming request').map(({ level }) => level)
  return { status: answer.statusCode, headers: answer.headers, body: answer.json(), error: levels.includes(50) }
}

/** Makes PostgreSQL raise this SQLSTATE. */
const inDatabase = (state: string) => () =>
  sql`DO ${sql.lit(`BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '${state}'; END`)}`.execute(t.db)

describe('a temporarily unavailable database', () => {
  test.each([
    ['a failover that left it a standby', '25006'],
    ['its administrator ending the connection', '57P01'],
    ['a crash of another connection', '57P02'],
    ['its start', '57P03'],
    ['a connection that broke', '08006'],
    ['too many connections', '53300'],
    ['too little memory', '53200'],
    ['a statement that took too long', '57014'],
    ['a lock that took too long', '55P03'],
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
  ])('because of %s gives 503 with Retry-After', async (_why, state) => {
    const { status, headers, body, error } = await answerTo(inDatabase(state), { 'accept-language': 'id' })
    expect([status, body.code, error]).toEqual([503, 'service_unavailable', true])
    expect(body.message).toBe('Layanan sedang sibuk atau baru dimulai. Silakan coba beberapa saat lagi.')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  test('because all connections are in use gives 503', async () => {
    const { db, pool } = connect(t.connectionString, { max: 1, connectionTimeoutMillis: 150 })
    const onlyConnection = await pool.connect()
    const { status, headers } = await answerTo(() => sql`SELECT 1`.execute(db))
    onlyConnection.release()
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    await db.destroy()
  })

  test('because it was stopped, or a connection was lost in a transaction, gives 503', async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-failures-'))
    fs.chmodSync(dataDir, 0o755)
    const server = await startEmbeddedPostgres({ dataDir, unsafe: true })
    const { db } = connect(server.url('postgres'), { max: 2 })
    await sql`SELECT 1`.execute(db)
    const inTransaction = await answerTo(() =>
      db.transaction().execute(async (tx) => {
        await sql`SELECT 1`.execute(tx)
        await server.stop()
        await sql`SELECT 1`.execute(tx)
      }),
    )
    expect([inTransaction.status, inTransaction.headers['retry-after']]).toEqual([503, '5'])
    const afterwards = await answerTo(() => sql`SELECT 1`.execute(db))
    expect([afterwards.status, afterwards.headers['retry-after']]).toEqual([503, '5'])
    await db.destroy()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
})

test.each([
  ['too long', '22001'],
  ['out of range', '22003'],
  ['no date', '22007'],
  ['a date out of range', '22008'],
  ['NUL', '22021'],
  ['of another form', '22P02'],
  ['no text in JSON', '22P05'],
])('a value that is %s for PostgreSQL gives 422', async (_what, state) => {
  const { status, body, error } = await answerTo(inDatabase(state))
  expect([status, body.code, error]).toEqual([422, 'invalid_input', false])
})

describe('a full disk', () => {
  test('of the database gives 507', async () => {
    const { status, body } = await answerTo(inDatabase('53100'))
    expect([status, body.code]).toEqual([507, 'storage_full'])
  })

  test('of the uploads gives 507 and leaves only a row that counts as deleted', async () => {
    const sari = await asApplicant(t)
    await aProfile(t, sari.accountId)
    const photo = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const filesOf = () =>
      t.db
        .selectFrom('files')
        .select('id')
        .where('ownerAccountId', '=', sari.accountId)
        .where('deletedAt', 'is', null)
        .execute()
    const filesBefore = await filesOf()
    const { put } = t.services.files
    t.services.files.put = (_key, bytes) => fs.promises.writeFile('/dev/full', bytes)
    const answer = await sari.upload('/auth/my-profile/photo', { name: 'foto.png', type: 'image/png', bytes: photo })
    t.services.files.put = put
    expect([answer.statusCode, answer.json().code]).toEqual([507, 'storage_full'])
    expect(await filesOf()).toEqual(filesBefore)
  })
})

test.each([
  ['en', 'The books would no longer add up, so nothing was changed.'],
  ['id', 'Pembukuan tidak akan seimbang lagi sehingga tidak ada yang diubah.'],
])('a change that breaks the books returns the request number and is logged (%s)', async (language, sentence) => {
  const { status, body, error } = await answerTo(inDatabase('PMB01'), { 'accept-language': language })
  expect([status, body.code, error]).toEqual([409, 'books_refused', true])
  expect(body.message).toContain(sentence)
  expect(body.message).toContain(body.request_id)
})

describe('a transaction that PostgreSQL rolled back in favour of another', () => {
  test('is run again, so that both of two that block each other succeed', async () => {
    const [{ accountId: accountA }, { accountId: accountB }] = await Promise.all([asStaff(t), asStaff(t)])
    let attempts = 0
    const crosswise = (first: string, second: string, name: string) =>
      t.db.transaction().execute(async (tx) => {
        await tx.updateTable('accounts').set({ name }).where('id', '=', first).execute()
        attempts++
        // Both hold their first row before either asks for its second one.
        while (attempts < 2) await new Promise((resolve) => setTimeout(resolve, 5))
        await tx.updateTable('accounts').set({ name }).where('id', '=', second).execute()
      })
    await Promise.all([crosswise(accountA, accountB, 'A'), crosswise(accountB, accountA, 'B')])
    expect(attempts).toBe(3)
    const names = await t.db.selectFrom('accounts').select('name').where('id', 'in', [accountA, accountB]).execute()
    expect(new Set(names.map(({ name }) => name)).size).toBe(1)
  }, 15_000)

  test('fails after three attempts', async () => {
    let attempts = 0
    const transaction = t.db.transaction().execute(async (tx) => {
      attempts++
      await sql`DO ${sql.lit(`BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END`)}`.execute(tx)
    })
    await expect(transaction).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(3)
  })
})

test('a connection to a server that became a standby is replaced', async () => {
  const { db } = connect(t.connectionString, { max: 1 })
  await sql`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`.execute(db)
  const write = () => sql`UPDATE accounts SET name = name`.execute(db)
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  await write()
  await db.destroy()
})

describe('an unrecognised failure', () => {
  const endless: Record<string, unknown> = {}
  endless.self = endless
  const hostile = Object.defineProperty(new Error('x'), 'code', {
    get: () => {
      throw new Error('asked for its code')
    },
  })
  test.each([
    ['text', 'just text'],
    ['null', null],
    ['a code that is a name of Object', Object.assign(new Error('x'), { code: 'constructor' })],
    ['a code that is no text', Object.assign(new Error('x'), { code: Symbol('x'), statusCode: 'much' })],
    ['one that fails when it is looked at', hostile],
    ['a refusal without a sentence', new AppError(500, 'constructor' as never, endless)],
  ])('gives 500 and a request number: %s', async (_what, failure) => {
    const { status, body } = await answerTo(() => {
      throw failure
    })
    expect(status).toBe(500)
    expect(body.request_id).toBeTruthy()
  })

  test('fields named like properties of every object keep their sentences', async () => {
    const names = ['constructor', '__proto__', 'toString']
    const error = new InputError([{ code: 'unrecognized_keys', keys: names, path: [], message: '', input: {} }])
    const { status, body } = await answerTo(() => {
      throw error
    })
    expect(status).toBe(422)
    expect(Object.entries(body.errors)).toEqual(names.map((name) => [name, ['This field is not expected here.']]))
  })
})
