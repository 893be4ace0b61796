import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handleStopWord } from '#server/modules/campaigns/addresses/stop-word.ts'
import { optOutToken } from '#server/modules/campaigns/opt-out-token.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

const linkOf = (address: string, purpose: 'admission' | 'events' = 'admission') =>
  `/api/opt-out/${optOutToken(t.services, { address, purpose })}`
const rowsOf = (address: string) =>
  t.db
    .selectFrom('optOuts')
    .select(['purpose', 'source', 'liftedAt'])
    .where('address', '=', address)
    .orderBy('purpose')
    .execute()
const optedOut = (answer: { json(): any }) =>
  answer
    .json()
    .data.purposes.filter((one: { optedOut: boolean }) => one.optedOut)
    .map((one: { purpose: string }) => one.purpose)

describe('an opt-out link', () => {
  test('shows the masked address and its purposes, and changes them', async () => {
    const url = linkOf('sari.opt@example.com')
    const before = await t.app.inject(url)
    expect(before.json().data).toMatchObject({ address: 's•••@example.com', university: expect.any(String) })
    expect(optedOut(before)).toEqual([])
    const put = (purposes: string[]) => t.app.inject({ method: 'PUT', url, payload: { optedOut: purposes } })
    expect(optedOut(await put(['admission', 'events']))).toEqual(['admission', 'events'])
    expect(optedOut(await put(['events']))).toEqual(['events'])
    expect(
      (await rowsOf('sari.opt@example.com')).map(({ purpose, source, liftedAt }) => [
        purpose,
        source,
        liftedAt !== null,
      ]),
    ).toEqual([
      ['admission', 'link', true],
      ['events', 'link', false],
    ])
  })

  test('works for the longest address', async () => {
    const address = `${'x'.repeat(242)}@example.com`
    const url = `/api/opt-out/${optOutToken(t.services, { address, purpose: 'admission' })}`
    expect((await t.app.inject({ url })).statusCode).toBe(200)
    expect((await t.app.inject({ url, method: 'POST' })).statusCode).toBe(200)
    expect(await rowsOf(address)).toMatchObject([{ purpose: 'admission', source: 'one_click' }])
  })

  test('changes its own address only and reveals nothing about others', async () => {
    const mine = optOutToken(t.services, { address: 'mine@example.com', purpose: 'events' })
    const [, signature] = mine.split('.')
    const forged = `${Buffer.from('events\nother@example.com').toString('base64url')}.${signature}`
    for (const token of [forged, `${mine}x`, 'abcdefghijkl', `${mine.split('.')[0]}.`]) {
      for (const method of ['GET', 'PUT', 'POST'] as const) {
        const answer = await t.app.inject({
          ...{ method, url: `/api/opt-out/${token}` },
          ...(method === 'PUT' && { payload: { optedOut: [] } }),
        })
        expect(answer.statusCode, `${method} ${token}`).toBe(404)
      }
    }
    expect(await rowsOf('other@example.com')).toEqual([])
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['text/plain', ''],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])(
    'accepts the one-click post of a mail program (%s) twice without a second opt-out',
    async (contentType, payload) => {
      const address = `klik-${contentType.length}@example.com`
      const post = () =>
        t.app.inject({
          ...{ method: 'POST' as const, url: linkOf(address, 'events') },
          ...{ headers: { 'content-type': contentType }, payload },
        })
      for (const answer of await Promise.all([post(), post(), post()]))
        expect([answer.statusCode, answer.json()]).toEqual([200, { data: { optedOut: true } }])
      expect(await rowsOf(address)).toMatchObject([{ purpose: 'events', source: 'one_click', liftedAt: null }])
    },
  )
})

describe('staff', () => {
  test('record what an owner said and lift the opt-out with a reason', async () => {
    const body = { address: '0812 0004 001', purpose: 'admission', note: 'Telepon 12 November' }
    const added = await staff.post('/kirim-informasi/opt-outs', body)
    expect(added.statusCode).toBe(201)
    const { id } = added.json().data
    expect((await staff.post('/kirim-informasi/opt-outs', body)).json().code).toBe('opt_out_known')
    expect((await staff.post('/kirim-informasi/opt-outs', { ...body, address: 'x' })).statusCode).toBe(422)
    const { data } = (await staff.get('/kirim-informasi/opt-outs?q=0812-0004')).json()
    expect(data).toMatchObject([{ id, address: '+628120004001', source: 'staff', note: body.note, version: 1 }])
    const lift = (version: number) =>
      staff.post(`/kirim-informasi/opt-outs/${id}/lift`, { version, note: 'Minta lagi' })
    expect((await lift(9)).json().code).toBe('stale_version')
    expect((await lift(1)).statusCode).toBe(200)
    expect((await lift(2)).json().code).toBe('wrong_status')
    expect((await staff.get('/kirim-informasi/opt-outs?lifted=false&q=0812-0004')).json().data).toEqual([])
    const [entry] = await t.owner
      .selectFrom('auditLog')
      .select(['action', 'reason'])
      .where('subjectId', '=', id)
      .where('action', '=', 'opt-out.lift')
      .execute()
    expect(entry).toMatchObject({ reason: 'Minta lagi' })
  })

  test('record a phone number from another country as a spreadsheet may write it', async () => {
    const body = { address: '+65 9123 4567', purpose: 'events', note: 'Telepon' }
    expect((await staff.post('/kirim-informasi/opt-outs', body)).statusCode).toBe(201)
    const { data } = (await staff.get('/kirim-informasi/opt-outs?q=6591234567')).json()
    expect(data).toMatchObject([{ address: '+6591234567' }])
  })

  test('limited to a programme see the addresses of their own applicants, masked without permission to see contacts', async () => {
    const { choices, applicant } = await aRegistration(t, { status: 'submitted' })
    const limited = await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: choices })
    const suppress = (address: string) =>
      t.db
        .insertInto('suppressedAddresses')
        .values({ address, channel: 'email', reason: 'bounced', detail: '550 no mailbox', createdAt: t.clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow()
    const own = await suppress(applicant.email)
    const foreign = await suppress('asing@example.com')
    const { data } = (await limited.get('/kirim-informasi/suppressions')).json()
    expect(data).toMatchObject([{ id: own.id, address: expect.stringMatching(/^••••/), detail: null }])
    expect((await limited.get(`/kirim-informasi/suppressions?q=${applicant.email}`)).json().data).toEqual([])
    expect((await limited.post(`/kirim-informasi/suppressions/${foreign.id}/lift`, { version: 1 })).statusCode).toBe(
      404,
    )
    expect((await limited.post(`/kirim-informasi/suppressions/${own.id}/lift`, { version: 1 })).statusCode).toBe(200)
    const note = { address: 'asing@example.com', purpose: 'events', note: 'x' }
    expect((await limited.post('/kirim-informasi/opt-outs', note)).statusCode).toBe(404)
    expect((await staff.get('/kirim-informasi/suppressions?lifted=true')).json().data).toMatchObject([{ id: own.id }])
  })
})

test('an opt-out for the phone of an applicant profile counts for the account', async () => {
  const { choices, applicant } = await aRegistration(t, { status: 'submitted' })
  const phone = '+628120004019'
  await t.db.updateTable('applicants').set({ phone }).where('accountId', '=', applicant.accountId).execute()
  const limited = await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: choices })
  const note = { address: phone, purpose: 'events', note: 'Telepon' }
  expect((await limited.post('/kirim-informasi/opt-outs', note)).statusCode).toBe(201)
  expect(optedOut(await applicant.get('/account/opt-outs'))).toEqual(['events'])
  // The account may opt back in only after it has proven this phone.
  expect(optedOut(await applicant.put('/account/opt-outs', { optedOut: [] }))).toEqual(['events'])
  const conversation = {
    kind: 'person' as const,
    accountId: applicant.accountId,
    provenPhone: phone,
    createdAt: new Date(),
  }
  await t.db.insertInto('conversations').values(conversation).execute()
  expect(optedOut(await applicant.put('/account/opt-outs', { optedOut: [] }))).toEqual([])
  expect((await rowsOf(phone)).filter(({ liftedAt }) => liftedAt === null)).toEqual([])
})

test('an account cannot lift the opt-out of an e-mail address that it has not verified', async () => {
  const owner = 'korban@example.com'
  await t.db
    .insertInto('optOuts')
    .values({ address: owner, purpose: 'events', source: 'one_click', createdAt: t.clock.now() })
    .execute()
  const stranger = await asApplicant(t, { email: owner, emailVerified: false })
  const saved = await stranger.put('/account/opt-outs', { optedOut: [] })
  expect(saved.json().data.purposes).toContainEqual({ purpose: 'events', optedOut: true, mayUndo: false })
  await t.db.updateTable('accounts').set({ emailVerifiedAt: t.clock.now() }).where('emailLower', '=', owner).execute()
  expect(optedOut(await stranger.put('/account/opt-outs', { optedOut: [] }))).toEqual([])
})

test('an account cannot lift the choice of a deleted account that had the same phone', async () => {
  const phone = '+628120004020'
  await t.db
    .insertInto('optOuts')
    .values({ address: phone, purpose: 'events', source: 'preferences', createdBy: null, createdAt: t.clock.now() })
    .execute()
  const other = await asApplicant(t, { phone })
  for (const answer of [await other.get('/account/opt-outs'), await other.put('/account/opt-outs', { optedOut: [] })])
    expect(answer.json().data.purposes).toContainEqual({ purpose: 'events', optedOut: true, mayUndo: false })
})

test('applicants opt every address of their account in and out', async () => {
  const applicant = await asApplicant(t, { phone: '+628120004009' })
  expect((await applicant.get('/account/opt-outs')).json().data.purposes).toHaveLength(2)
  const saved = await applicant.put('/account/opt-outs', { optedOut: ['events'] })
  expect(optedOut(saved)).toEqual(['events'])
  expect(await rowsOf('+628120004009')).toMatchObject([{ purpose: 'events', source: 'preferences' }])
  expect(await rowsOf(applicant.email)).toMatchObject([{ purpose: 'events', source: 'preferences' }])
  expect(optedOut(await applicant.put('/account/opt-outs', { optedOut: [] }))).toEqual([])
})

test('an opt-out by the owner of a phone remains after an account with that phone opts back in', async () => {
  const phone = '+6281200066601'
  const child = await asApplicant(t, { phone })
  const choose = (optedOut: string[]) => child.put('/account/opt-outs', { optedOut })
  await choose(['admission', 'events'])
  const received = { phone, text: 'STOP', at: t.clock.now() }
  await t.db.transaction().execute((tx) => handleStopWord(tx, received))
  await choose([])
  const standing = (await rowsOf(phone)).filter(({ liftedAt }) => liftedAt === null)
  expect(standing.map(({ purpose }) => purpose)).toEqual(['admission', 'events'])
})

test('the choice of an account without a phone remains after its e-mail address changes', async () => {
  const applicant = await asApplicant(t)
  const change = (values: object) =>
    t.db.updateTable('accounts').set(values).where('id', '=', applicant.accountId).execute()
  await change({ phone: null })
  await applicant.put('/account/opt-outs', { optedOut: ['events'] })
  await change({ email: 'pindah@example.com' })
  expect(optedOut(await applicant.get('/account/opt-outs'))).toEqual(['events'])
  expect((await applicant.get('/account/export')).json().optOuts).toMatchObject([{ purpose: 'events' }])
})

test("an opt-out recorded by staff replaces the account's choice, and the account cannot lift it", async () => {
  const phone = '+6281200066602'
  const child = await asApplicant(t, { phone })
  await child.put('/account/opt-outs', { optedOut: ['events'] })
  const body = { address: phone, purpose: 'events', note: 'Telepon' }
  expect((await staff.post('/kirim-informasi/opt-outs', body)).statusCode).toBe(201)
  await child.put('/account/opt-outs', { optedOut: ['events'] })
  await child.put('/account/opt-outs', { optedOut: [] })
  expect(await rowsOf(phone)).toEqual([{ purpose: 'events', source: 'staff', liftedAt: null }])
})

test('parallel opposite choices of one account are saved one after the other without a deadlock', async () => {
  const applicant = await asApplicant(t, { phone: '+6281200066603' })
  const deadlocks = () =>
    sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
      .execute(t.db)
      .then(({ rows }) => rows)
  const before = await deadlocks()
  const choices = Array.from({ length: 20 }, (_, index) => [index % 2 ? 'events' : 'admission'])
  const answers = await Promise.all(choices.map((optedOut) => applicant.put('/account/opt-outs', { optedOut })))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(optedOut(await applicant.get('/account/opt-outs'))).toHaveLength(1)
  expect(await deadlocks()).toEqual(before)
})

test('a limited role can use the shared templates but not change them', async () => {
  const body = {
    ...{ name: 'Undangan open house', audience: 'leads', providerTemplate: 'undangan', active: true },
    ...{ subjectId: 'Halo', subjectEn: 'Hello', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' },
  }
  const added = await staff.post('/kirim-informasi/templates', body)
  expect(added.statusCode).toBe(201)
  const { id } = added.json().data
  expect((await staff.post('/kirim-informasi/templates', body)).statusCode).toBe(422)
  expect(
    (await staff.post('/kirim-informasi/templates', { ...body, name: 'b', bodyId: '{{colour}}' })).statusCode,
  ).toBe(422)
  const change = (version: number) => staff.put(`/kirim-informasi/templates/${id}`, { ...body, active: false, version })
  expect((await change(1)).statusCode).toBe(200)
  expect((await change(1)).json().code).toBe('stale_version')
  expect((await staff.get('/kirim-informasi/templates?active=false&whatsapp=true')).json().data).toMatchObject([
    { id, version: 2 },
  ])
  const { choices } = await aRegistration(t)
  const limited = await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: choices })
  expect(
    (await limited.post('/kirim-informasi/templates', { ...body, audience: 'registrations', name: 'c' })).statusCode,
  ).toBe(403)
  expect((await limited.get('/kirim-informasi/templates')).json().data).toEqual([])
})
