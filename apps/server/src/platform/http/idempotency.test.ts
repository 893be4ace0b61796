import crypto from 'node:crypto'
import net from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asStaff, multipartBody, type TestActor } from '#server-test/actors.ts'
import { routesOf } from '#server-test/routes.ts'
import type { JsonSchema } from '#server-test/sample.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { keepAnswersOfWrites } from './idempotency.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set('2027-01-04T01:00:00Z')
  staff = await asStaff(t)
})
afterAll(() => t.close())

const create = (code: string, key: string, actor = staff) =>
  actor.post('/master/suku', { name: `Suku ${code}` }, { 'idempotency-key': key })
const count = async (code: string) =>
  (await t.db.selectFrom('ethnicGroups').select('id').where('name', '=', `Suku ${code}`).execute()).length
const findKey = (key: string) =>
  t.db.selectFrom('idempotencyKeys').selectAll().where('key', '=', key).executeTakeFirst()
const newKey = () => crypto.randomUUID()

/** Makes a key some minutes older. */
const age = (key: string, minutes: number) =>
  t.db
    .updateTable('idempotencyKeys')
    .set({ createdAt: new Date(t.clock.now().getTime() - minutes * 60_000) })
    .where('key', '=', key)
    .execute()

/** Blocks writes to the table of ethnic groups until `release`. */
async function holdTable() {
  const tx = await t.owner.startTransaction().execute()
  await sql`LOCK TABLE ethnic_groups IN EXCLUSIVE MODE`.execute(tx)
  return { release: () => tx.commit().execute() }
}

test('the same write sent again gets the stored answer and happens once', async () => {
  const key = newKey()
  const firstAnswer = await create('satu', key)
  expect(firstAnswer.statusCode).toBeLessThan(300)
  const secondAnswer = await create('satu', key)
  expect(secondAnswer.statusCode).toBe(firstAnswer.statusCode)
  expect(secondAnswer.json()).toEqual(firstAnswer.json())
  expect(secondAnswer.headers['idempotency-replayed']).toBe('true')
  expect(await count('satu')).toBe(1)
})

test('of ten equal simultaneous writes one happens; the others get 409 or the same answer', async () => {
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('sepuluh', key)))
  expect(await count('sepuluh')).toBe(1)
  for (const answer of answers) expect(answer.statusCode === 409 || answer.statusCode < 300).toBe(true)
  for (const answer of answers.filter(({ statusCode }) => statusCode === 409))
    expect([answer.json().code, answer.headers['retry-after']]).toEqual(['still_working', '2'])
})

test('the same key with other content or another address is refused, and says when the first was received', async () => {
  const key = newKey()
  await create('dua', key)
  for (const answer of [
    await create('tiga', key),
    await staff.post('/master/agama', { name: 'Agama tiga' }, { 'idempotency-key': key }),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'idempotency_mismatch', message: expect.stringContaining('08.00') })
  }
  expect(await count('tiga')).toBe(0)
})

test('after a refusal the key accepts the corrected content; another account may use the same key', async () => {
  const key = newKey()
  await create('empat', newKey())
  expect((await create('empat', key)).statusCode).toBe(422)
  expect(await findKey(key)).toBeUndefined()
  expect((await create('empat B', key)).statusCode).toBeLessThan(300)
  const otherStaff = await asStaff(t)
  expect((await create('empat C', key, otherStaff)).statusCode).toBeLessThan(300)
})

test('before a day has passed the key is not free: the write sent again after 23 hours gets the stored answer', async () => {
  const key = newKey()
  await create('tujuh', key)
  await age(key, 23 * 60)
  expect((await create('tujuh', key)).headers['idempotency-replayed']).toBe('true')
  expect(await count('tujuh')).toBe(1)
})

test('after a day the key is free again', async () => {
  const key = newKey()
  await create('lima', key)
  await age(key, 25 * 60)
  expect((await create('enam', key)).statusCode).toBeLessThan(300)
})

test('a key that is too short, too long or has other characters is refused, and nothing is done', async () => {
  for (const key of ['pendek', 'x'.repeat(101), 'dengan spasi', "'; DROP TABLE"]) {
    const answer = await create('kunci', key)
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'idempotency_key_invalid'])
  }
  expect(await count('kunci')).toBe(0)
})

describe('an answer that is lost', () => {
  test('because the connection ended during the work: sending again counts as the same write', async () => {
    const key = newKey()
    const { port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }))
    const lock = await holdTable()
    const body = JSON.stringify({ name: 'Suku putus' })
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /api/master/suku HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${staff.token}\r\nidempotency-key: ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await vi.waitFor(async () => expect(await findKey(key)).toBeDefined(), 10_000)
    socket.destroy()
    const meanwhile = await create('putus', key)
    expect([meanwhile.statusCode, meanwhile.json().code]).toEqual([409, 'still_working'])
    await lock.release()
    await vi.waitFor(async () => expect((await findKey(key))?.status).toBe(201), 10_000)
    const secondAnswer = await create('putus', key)
    expect([secondAnswer.statusCode, secondAnswer.headers['idempotency-replayed']]).toEqual([201, 'true'])
    expect(await count('putus')).toBe(1)
  })

  test('because the server died between commit and answer: the write is never done again', async () => {
    const key = newKey()
    // The commit succeeds but storing the answer fails, as if the server was killed in between.
    await sql`CREATE FUNCTION lose_answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost'; END $$`.execute(
      t.owner,
    )
    await sql`CREATE TRIGGER lose_answer BEFORE UPDATE ON idempotency_keys FOR EACH ROW
      WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION lose_answer()`.execute(t.owner)
    await create('mati', key)
    await sql`DROP FUNCTION lose_answer CASCADE`.execute(t.owner)
    expect((await create('mati', key)).json().code).toBe('still_working')
    await age(key, 3)
    const secondAnswer = await create('mati', key)
    expect([secondAnswer.statusCode, secondAnswer.json().code]).toEqual([409, 'answer_lost'])
    expect((await create('mati B', key)).json().code).toBe('idempotency_mismatch')
    expect([await count('mati'), await count('mati B')]).toEqual([1, 0])
  })

  test('because the server died before the commit: after two minutes the write may be done', async () => {
    const key = newKey()
    const { accountId } = staff
    const claim = { accountId, key, method: 'POST', path: '/', fingerprint: Buffer.from('x'), createdAt: t.clock.now() }
    await t.db.insertInto('idempotencyKeys').values(claim).execute()
    expect((await create('bangkit', key)).json().code).toBe('still_working')
    await age(key, 3)
    expect((await create('bangkit', key)).statusCode).toBe(201)
    expect(await count('bangkit')).toBe(1)
  })

  /** Calls routes of a small app with the same hooks, for cases no product route has. */
  async function send(app: FastifyInstance, url: string, key: string) {
    const answer = await app.inject({ method: 'POST', url, headers: { 'idempotency-key': key } })
    return answer.statusCode
  }
  function bareApp() {
    const app = fastify() as unknown as FastifyInstance
    app.decorateRequest('actor', null)
    app.addHook('onRequest', async (request) => {
      request.actor = { accountId: staff.accountId } as never
    })
    keepAnswersOfWrites(app, t.services)
    app.setErrorHandler((error, _request, reply) => reply.code((error as { status?: number }).status ?? 500).send({}))
    return app
  }

  test('of a request so slow that a second request took its key: only one of the two commits', async () => {
    const app = bareApp()
    const key = newKey()
    const firstWaits = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let runs = 0
    app.post('/', () =>
      t.db.transaction().execute(async (tx) => {
        await tx
          .insertInto('ethnicGroups')
          .values({ name: `Suku lambat ${++runs}` })
          .execute()
        if (runs > 1) return {}
        firstWaits.resolve()
        await goOn.promise
        return {}
      }),
    )
    const slow = send(app, '/', key)
    await firstWaits.promise
    expect(await send(app, '/', key)).toBe(409)
    await age(key, 3)
    expect(await send(app, '/', key)).toBe(200)
    goOn.resolve()
    expect(await slow).toBe(409)
    expect([await count('lambat 1'), await count('lambat 2')]).toEqual([0, 1])
    expect([await send(app, '/', key), runs]).toEqual([200, 2])
    await app.close()
  })

  test('of a write that committed and then failed: the write is not done again', async () => {
    const app = bareApp()
    let runs = 0
    app.post('/', async () => {
      runs++
      await t.db.transaction().execute((tx) => tx.selectFrom('ethnicGroups').select('id').limit(1).execute())
      throw new Error('after the commit')
    })
    app.post('/before', async () => {
      runs++
      throw new Error('before any commit')
    })
    const [keyAfterCommit, keyBeforeCommit] = [newKey(), newKey()]
    expect([await send(app, '/', keyAfterCommit), await send(app, '/', keyAfterCommit), runs]).toEqual([500, 409, 1])
    expect([await send(app, '/before', keyBeforeCommit), await send(app, '/before', keyBeforeCommit), runs]).toEqual([
      500, 500, 3,
    ])
    await app.close()
  })
})

test('a file sent again with its key is stored once; another file with that key is refused', async () => {
  const key = newKey()
  const send = (text: string) => {
    const { body, contentType } = multipartBody({
      name: 'bukti.pdf',
      type: 'application/pdf',
      bytes: Buffer.from(text),
    })
    return staff.post('/payment-proofs', body, { 'content-type': contentType, 'idempotency-key': key })
  }
  const files = async () => (await t.db.selectFrom('files').select('id').execute()).length
  const filesBefore = await files()
  const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'
  const firstAnswer = await send(pdf)
  expect(firstAnswer.statusCode).toBe(200)
  expect((await send(pdf)).json()).toEqual(firstAnswer.json())
  expect((await send(`${pdf}\n`)).json().code).toBe('idempotency_mismatch')
  expect(await files()).toBe(filesBefore + 1)
})

describe('an answer that contains a secret', () => {
  const secret = /^(access_?token|secret|verify_?token|recovery_?codes|password|key|private_?key)$/i
  // `secrets` of a connection holds entry dates, not the secrets themselves.
  const bearsSecret = (schema: JsonSchema | undefined): boolean =>
    Object.entries(schema?.properties ?? {}).some(
      ([name, inner]) => name !== 'secrets' && (secret.test(name) || bearsSecret(inner)),
    )

  test('is declared with secretAnswer on every write that returns a secret', () => {
    const secretRoutes = new Set(
      t.app.declaredRoutes.filter((route) => route.secretAnswer).map(({ method, path }) => `${method} ${path}`),
    )
    const bearingRoutes = routesOf(t.app)
      .filter(({ method, operation }) => {
        const answer = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
        return method !== 'get' && bearsSecret(answer?.content?.['application/json']?.schema)
      })
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    expect(bearingRoutes.length).toBeGreaterThan(5)
    expect(bearingRoutes.filter((route) => !secretRoutes.has(route))).toEqual([])
  })

  test('cannot be guessed from the stored fingerprint of a request', async () => {
    const key = newKey()
    const body = { name: 'Suku rahasia' }
    await staff.post('/master/suku', body, { 'idempotency-key': key })
    const unkeyedHash = crypto
      .createHash('sha256')
      .update(`POST /api/master/suku\n${JSON.stringify(body)}`)
      .digest()
    expect((await findKey(key))!.fingerprint.equals(unkeyedHash)).toBe(false)
  })

  test('is not stored: a sign-in with a session stores no token', async () => {
    const key = newKey()
    const answer = await staff.post(
      '/login',
      { email: staff.email, password: 'Rahasia-2026!' },
      { 'idempotency-key': key },
    )
    expect(answer.json().access_token).toBeTruthy()
    expect(await findKey(key)).toMatchObject({ body: null })
    const secondAnswer = await staff.post(
      '/login',
      { email: staff.email, password: 'Rahasia-2026!' },
      { 'idempotency-key': key },
    )
    expect(secondAnswer.json().code).toBe('answer_lost')
  })
})

test('the nightly clean-up deletes answers from yesterday', async () => {
  const key = newKey()
  await create('bersih', key)
  await age(key, 25 * 60)
  const { cleanUpJob } = await import('#server/platform/clean-up.job.ts')
  await cleanUpJob.run(t.services as never, {} as never)
  expect(await findKey(key)).toBeUndefined()
})
