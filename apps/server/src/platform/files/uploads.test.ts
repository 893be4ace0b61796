import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getEntity } from '#entities/index.ts'
import { optOutToken } from '#server/modules/campaigns/opt-out-token.ts'
import { cleanUpJob } from '#server/platform/clean-up.job.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { aPublishedEvent } from '#server-test/factories/events.ts'
import { aBankAccount } from '#server-test/factories/statements.ts'
import { anOpenSurvey, aResponse, sendResponses } from '#server-test/factories/surveys.ts'
import { type HalfSent, sendHalf } from '#server-test/half-sent.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const photo = '/auth/my-profile/photo'
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const copies = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('pmb-upload-'))

/** Server connections idle in a transaction. */
async function heldConnections(t: TestApp) {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND state LIKE 'idle in transaction%'`.execute(t.owner)
  return rows
}

describe('while bodies are in transit', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp({
      config: { databasePool: 3, uploads: { perAccount: 1_000, patienceMs: 60_000, leastBytes: 1 } },
    })
  })
  afterAll(() => t.close())

  test('ten half-sent photos from unverified accounts do not block other requests', async () => {
    const people: TestActor[] = []
    for (let i = 0; i < 10; i++) people.push(await asApplicant(t, { profile: true, emailVerified: false }))
    const requests = await Promise.all(people.map((actor) => sendHalf(t, actor, photo)))
    await wait(300)
    const startMs = performance.now()
    expect((await people[0]!.get('/auth/my-profile')).statusCode).toBe(200)
    expect(performance.now() - startMs).toBeLessThan(5_000)
    for (const request of requests) request.hangUp()
    await expect.poll(copies).toEqual([])
  })

  test('no upload route holds a connection or answers before the file has arrived', async () => {
    const staff = await asStaff(t)
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    const [document] = (await applicant.get(`/pendaftaran/${id}/files`)).json().data
    const account = await aBankAccount(t, staff)
    await applicant.put('/account/driving-licence', {
      ...{ drives: true, class: 'C', number: '123456789012', expiresOn: '2040-01-01', version: 0 },
    })
    const wave = await t.db.selectFrom('waves').select('id').executeTakeFirstOrThrow()
    const letterKind = await t.db.selectFrom('letterKinds').select('id').executeTakeFirstOrThrow()
    const event = await aPublishedEvent(t, staff)
    const { slug } = await anOpenSurvey(t, staff)
    const photoId = crypto.randomUUID()
    const response = aResponse(t, { plan: 'study', selfie: { id: photoId } })
    await sendResponses(t, slug, [response])
    await applicant.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Halo' })
    const conversation = (await applicant.get('/chat/own')).json().data
    const parameters: [RegExp, TestActor, Record<string, string>][] = [
      [/^\/chat\/own\//, applicant, {}],
      [/^\/chat\/conversations\//, staff, { id: conversation.id }],
      [/^\/(auth|account)\//, applicant, {}],
      [/^\/pendaftaran\//, applicant, { id, documentId: document.id }],
      [/^\/bank-accounts\//, staff, { id: account.id }],
      [/^\/surat\//, staff, { id: letterKind.id }],
      [/^\/event-afiliator\//, staff, { id: event.id }],
      [/^\/opt-out\//, staff, { token: optOutToken(t.services, { address: 'sari@example.com', purpose: 'events' }) }],
      [/^\/survei\//, staff, { slug, id: response.id, photoId }],
      [/./, staff, {}],
    ]
    const queries: Record<string, string> = {
      '/score-imports': `?waveId=${wave.id}`,
      '/event-afiliator/:id/materials': '?title=Denah&audience=staff',
    }
    const routes = t.app.declaredRoutes.filter(({ upload }) => upload)
    expect(routes.length).toBeGreaterThan(40)

    const requests: [string, HalfSent][] = []
    for (const { path } of routes) {
      const barePath = path.replace('/api', '')
      const [, actor, values] = parameters.find(([pattern]) => pattern.test(barePath))!
      const filledPath = barePath.replace(
        /:(\w+)/g,
        (_, name) => values[name] ?? (name === 'field' ? fileFieldOf(barePath) : `:${name}`),
      )
      const query = queries[barePath] ?? ''
      requests.push([path, await sendHalf(t, actor, `${filledPath}${query}`)])
    }
    await wait(500)
    for (const [path, request] of requests)
      expect(
        request.answered(),
        `${path} answered before the file was there: give this test rows for its path`,
      ).toBeNull()
    expect(await heldConnections(t)).toEqual([])
    expect((await staff.get('/settings/general')).statusCode).toBe(200)

    for (const [, request] of requests) request.send()
    for (const [path, request] of requests) {
      const { status } = await request.answer()
      // Text instead of a picture is refused here; a sheet or statement is read only later.
      expect([200, 201, 422], `${path} answered ${status}`).toContain(status)
    }
    expect(copies()).toEqual([])
  })

  test('only routes declared to take a form read one', async () => {
    const staff = await asStaff(t)
    const file = { name: 'a.csv', type: 'text/csv', bytes: Buffer.from('a') }
    const refusal = await staff.upload('/master/agama', file)
    expect([refusal.statusCode, refusal.json().code]).toEqual([415, 'unsupported_media_type'])
  })
})

const fileFieldOf = (path: string) =>
  Object.entries(getEntity(path.split('/')[2]!).fields).find(([, { kind }]) => kind === 'file')![0]

describe('an account', () => {
  let t: TestApp
  let sari: TestActor
  beforeAll(async () => {
    t = await testApp({ config: { uploads: { perAccount: 3, patienceMs: 1_500, leastBytes: 2_000 } } })
    sari = await asApplicant(t, { profile: true })
  })
  afterAll(() => t.close())

  test('sends three files at a time; the fourth is refused until one of them has arrived', async () => {
    const requests = await Promise.all([1, 2, 3].map(() => sendHalf(t, sari, photo, Buffer.alloc(9_000_000, 'x'))))
    const trickle = setInterval(() => requests.map((request) => request.send(Buffer.alloc(4_000, 'x'))), 100)
    await expect.poll(() => t.services.uploads.get(sari.accountId)).toBe(3)
    const fourth = await (await sendHalf(t, sari, photo)).answer()
    expect(fourth).toMatchObject({
      status: 429,
      body: { code: 'too_many_uploads', message: expect.stringContaining('3 files') },
    })
    expect(fourth.headers).toContain('retry-after: 10')
    // Another account is not affected.
    const budi = await asApplicant(t, { profile: true })
    const bytes = await aPicture()
    const send = (actor: TestActor) => actor.upload(photo, { name: 'a.jpg', type: 'image/jpeg', bytes })
    expect((await send(budi)).statusCode).toBe(200)
    clearInterval(trickle)
    for (const request of requests) request.hangUp()
    await expect.poll(() => t.services.uploads.get(sari.accountId)).toBeUndefined()
    expect((await send(sari)).statusCode).toBe(200)
    await expect.poll(copies).toEqual([])
  })

  test('whose upload stalls, or sends a byte now and then, is cut off with a sentence', async () => {
    const silentUpload = await sendHalf(t, sari, photo)
    const tricklingUpload = await sendHalf(t, sari, photo)
    const drops = setInterval(() => tricklingUpload.send(Buffer.from('x')), 50)
    for (const request of [silentUpload, tricklingUpload]) {
      const answer = await request.answer()
      expect(answer).toMatchObject({ status: 408, body: { code: 'upload_too_slow', message: expect.any(String) } })
      expect(answer.headers).toContain('connection: close')
    }
    clearInterval(drops)
    expect(t.services.uploads.get(sari.accountId)).toBeUndefined()
    await expect.poll(copies).toEqual([])
  })

  test('whose upload stalls before the file begins is cut off too', async () => {
    const request = await sendHalf(t, sari, photo, Buffer.alloc(5_000, 'x'), -60)
    expect(await request.answer()).toMatchObject({ status: 408 })
  })

  test('on a slow line that keeps moving may finish its upload', async () => {
    const bytes = await aPicture('png', { width: 1200, height: 1600 })
    const file = Buffer.concat([bytes, Buffer.alloc(40_000)])
    const request = await sendHalf(t, sari, photo, file, 0)
    for (let offset = 0; offset < file.length; offset += 8_000) {
      request.send(file.subarray(offset, offset + 8_000))
      await wait(500)
    }
    expect(request.answered()).toBeNull()
    request.send(Buffer.from('\r\n'))
    request.send(request.ending)
    expect((await request.answer()).status).toBe(200)
  })
})

describe('pictures', () => {
  test('are drawn one at a time; an upload that finds the queue full gets 503 with Retry-After', async () => {
    const t = await testApp({ config: { pictures: { atOnce: 1, waiting: 1 } } })
    const people: TestActor[] = []
    for (let i = 0; i < 6; i++) people.push(await asApplicant(t, { profile: true }))
    const bytes = await aPicture('png', { width: 2400, height: 3200 })
    const answers = await Promise.all(
      people.map((actor) => actor.upload(photo, { name: 'a.png', type: 'image/png', bytes })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
    const refusal = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(refusal.length).toBeGreaterThan(0)
    for (const answer of refusal) {
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBe('5')
      expect(answer.json().code).toBe('service_unavailable')
    }
    await t.close()
  })
})

test('a stored file whose transaction fails counts as deleted, and the nightly clean-up removes it', async () => {
  const t = await testApp()
  const sari = await asApplicant(t, { profile: true })
  const bytes = await aPicture()
  const send = () => sari.upload(photo, { name: 'a.jpg', type: 'image/jpeg', bytes })
  expect((await send()).statusCode).toBe(200)
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON applicants FOR EACH ROW EXECUTE FUNCTION fail()`.execute(t.owner)
  expect((await send()).statusCode).toBe(500)
  const files = await t.db.selectFrom('files').selectAll().orderBy('createdAt').execute()
  const [claimed, orphan] = files.slice(-2)
  expect([claimed!.deletedAt, orphan!.deletedAt]).toEqual([null, expect.any(Date)])
  expect((await t.services.files.bytes(orphan!.storageKey)).length).toBeGreaterThan(0)
  t.clock.set(new Date(Date.now() + 30 * 86_400_000))
  await cleanUpJob.run(t.services, {})
  await expect(t.services.files.bytes(orphan!.storageKey)).rejects.toThrow()
  expect((await t.services.files.bytes(claimed!.storageKey)).length).toBeGreaterThan(0)
  await t.close()
})
