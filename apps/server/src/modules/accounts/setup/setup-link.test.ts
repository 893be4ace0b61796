import { spawn } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, testPassword } from '#server-test/actors.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { offerFirstSetup, offerSetupTo } from './setup-link.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
  t.clock.set('2026-11-23T02:00:00Z')
})
afterEach(() => t.close())

let visitor = 0
const post = (url: string, body: object, app = t.app) =>
  app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload: body,
    remoteAddress: `10.7.${visitor >> 8}.${visitor++ & 255}`,
  })
const password = 'Kopi-Susu-22'
const form = (token: string, changes: object = {}) => ({
  token,
  name: 'Rina Admin',
  email: 'rina@kampus.example',
  password,
  password_confirmation: password,
  language: 'id',
  ...changes,
})
const become = (token: string, changes: object = {}) => post('/auth/setup', form(token, changes))
const countWaiting = async () => {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(t.owner)
  return rows[0]!.waiting
}
const secretIn = (text: string) => /\/setup\/([\w-]{43})/.exec(text)![1]!
const firstSecret = async () => secretIn((await offerFirstSetup(t.services, 'http://pmb.example'))!)
const secretFor = async (email: string) => secretIn(await offerSetupTo(t.services, email))
const afterMinutes = (minutes: number) => t.clock.set(new Date(t.clock.now().getTime() + minutes * 60_000))
const administrators = () =>
  t.db
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select('email')
    .where('roles.name', '=', 'Administrator')
    .where('accounts.active', '=', true)
    .execute()
const mailsTo = async (email: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('toAddress', '=', email)
      .where('channel', '=', 'email')
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)
const actions = async () =>
  (await t.db.selectFrom('auditLog').select('action').orderBy('id').execute()).map(({ action }) => action)

describe('the first administrator', () => {
  it('signs in by the printed address, must set up the second factor before anything else, and then may open settings', async () => {
    const token = await firstSecret()
    expect((await post('/auth/setup/check', { token })).json().data).toEqual({
      email: null,
      name: null,
      expiresAt: '2026-11-23T03:00:00.000Z',
    })
    const entered = (await become(token)).json()
    expect(entered).toMatchObject({
      totp_setup_required: true,
      user: { email: 'rina@kampus.example', name: 'Rina Admin', role: { name: 'Administrator' } },
    })
    // Mail may not be set up yet, so nothing may depend on a confirmed address.
    expect(entered.user.email_verified_at).not.toBeNull()
    const headers = { authorization: `Bearer ${entered.access_token}` }
    const openSettings = () => t.app.inject({ url: '/api/settings/general', headers })
    expect((await openSettings()).json().code).toBe('totp_setup_required')
    await withTotp(t, {
      post: (url: string, payload: object = {}) =>
        t.app.inject({ method: 'POST', url: `/api${url}`, headers, payload }),
    } as never)
    t.services.sessions.forget()
    expect((await openSettings()).statusCode).toBe(200)
    expect(await actions()).toEqual(['account.become_administrator', 'account.totp_on'])
  })

  it('invites a second one, who must set up the second factor before any other page opens', async () => {
    const entered = (await become(await firstSecret())).json()
    const asFirst = (method: 'GET' | 'POST', url: string, payload?: object) =>
      t.app.inject({
        ...{ method, url: `/api${url}`, headers: { authorization: `Bearer ${entered.access_token}` } },
        ...(payload && { payload }),
      })
    await withTotp(t, { post: (url: string, payload: object = {}) => asFirst('POST', url, payload) } as never)
    t.services.sessions.forget()
    const role = await t.db
      .selectFrom('roles')
      .select('id')
      .where('name', '=', 'Administrator')
      .executeTakeFirstOrThrow()
    const invited = { name: 'Siti Aminah', email: 'siti@kampus.example', roleId: role.id, language: 'id' }
    expect((await asFirst('POST', '/settings/accounts', invited)).statusCode).toBe(201)
    const { link } = await t.db
      .selectFrom('messages')
      .select('link')
      .where('toAddress', '=', invited.email)
      .executeTakeFirstOrThrow()
    const [, token] = /([\w-]{43})\?/.exec(link!)!
    const accepted = await post('/auth/invitation', { token, password, password_confirmation: password })
    expect(accepted.json()).toMatchObject({ totp_setup_required: true, user: { role: { name: 'Administrator' } } })
    for (const url of ['/settings/opening', '/settings/accounts', '/pendaftaran'])
      expect(
        (
          await t.app.inject({
            url: `/api${url}`,
            headers: { authorization: `Bearer ${accepted.json().access_token}` },
          })
        ).json().code,
        url,
      ).toBe('totp_setup_required')
  })

  it('is made once: of 20 people with the same address at the same moment one succeeds, the others read that it was used', async () => {
    const token = await firstSecret()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => become(token, { email: `person${index}@kampus.example` })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.map((answer) => answer.json().code)).toEqual(Array(19).fill('link_used'))
    expect(await administrators()).toHaveLength(1)
  })

  it('is made once, even with the addresses of several starts at the same moment', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, firstSecret))
    expect(new Set(tokens).size).toBe(8)
    // No account can be inserted until all eight wait, so that they really race.
    const { racing } = await t.owner.transaction().execute(async (tx) => {
      await sql`LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
      const sent = tokens.map((token, index) => become(token, { email: `person${index}@kampus.example` }))
      await expect.poll(countWaiting, { timeout: 20_000 }).toBe(8)
      return { racing: sent }
    })
    expect((await Promise.all(racing)).map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(410)])
    expect(await administrators()).toHaveLength(1)
  })

  it('no address is offered while there is an administrator, and earlier addresses no longer work', async () => {
    const token = await firstSecret()
    await asStaff(t)
    expect(await offerFirstSetup(t.services, '')).toBeUndefined()
    for (const answer of [await post('/auth/setup/check', { token }), await become(token)])
      expect([answer.statusCode, answer.json().code]).toEqual([410, 'link_used'])
  })

  it('an address is offered again while the only administrator is inactive or merely invited', async () => {
    const { accountId } = await asStaff(t)
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', accountId).execute()
    expect(await offerFirstSetup(t.services, '')).toBeDefined()
    const change = { active: true, passwordHash: null }
    await t.db.updateTable('accounts').set(change).where('id', '=', accountId).execute()
    expect(await offerFirstSetup(t.services, '')).toBeDefined()
  })

  it('cannot take over an account by typing its address, and may try again with another', async () => {
    const applicant = await asApplicant(t)
    const token = await firstSecret()
    const answer = await become(token, { email: applicant.email.toUpperCase() })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { email: [expect.stringContaining('npm run administrator')] },
    ])
    expect((await applicant.get('/account')).statusCode).toBe(200)
    expect((await become(token)).statusCode).toBe(200)
  })

  it('gets a weak password refused beside its field, and the address stays usable', async () => {
    const token = await firstSecret()
    for (const weak of ['short', 'password', 'rina@kampus.example']) {
      const answer = await become(token, { password: weak, password_confirmation: weak })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['password']])
    }
    expect((await become(token)).statusCode).toBe(200)
  })
})

describe('an address', () => {
  it('works for an hour', async () => {
    const token = await firstSecret()
    afterMinutes(59)
    expect((await post('/auth/setup/check', { token })).statusCode).toBe(200)
    afterMinutes(1)
    for (const answer of [await post('/auth/setup/check', { token }), await become(token)])
      expect([answer.statusCode, answer.json().code]).toEqual([410, 'link_expired'])
    expect(await administrators()).toEqual([])
  })

  it('that was never printed is refused', async () => {
    expect((await become('x'.repeat(43))).json().code).toBe('link_invalid')
  })

  it('is stored only as a hash', async () => {
    const token = await firstSecret()
    const [row] = await t.db.selectFrom('setupLinks').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row!.tokenHash).toHaveLength(32)
  })

  it('is in no Referer that its page sends', async () => {
    const page = await t.app.inject({ url: `/setup/${await firstSecret()}` })
    expect(page.headers['referrer-policy']).toBe('no-referrer')
  })
})

describe('an administrator who is locked out', () => {
  it('gets the account back: password, second factor, role and sessions are new, Google is unlinked, other administrators are notified', async () => {
    const other = await asStaff(t, 'Administrator', { email: 'budi@kampus.example' })
    const rina = await asStaff(t, 'Administrator', { email: 'rina@kampus.example' })
    await withTotp(t, rina)
    const { id: roleId } = await t.db
      .selectFrom('roles')
      .select('id')
      .where('name', '=', 'Pimpinan')
      .executeTakeFirstOrThrow()
    await t.db.updateTable('accounts').set({ active: false, roleId }).where('id', '=', rina.accountId).execute()
    await t.db
      .insertInto('accountIdentities')
      .values({ accountId: rina.accountId, provider: 'google', subject: 'google-rina' })
      .execute()
    const token = await secretFor('Rina@kampus.example')
    expect((await post('/auth/setup/check', { token })).json().data).toMatchObject({
      email: 'Rina@kampus.example',
      name: 'Petugas Administrator',
    })
    const entered = (await become(token, { email: 'typed@elsewhere.example' })).json()
    expect(entered).toMatchObject({
      totp_setup_required: true,
      user: { id: rina.accountId, email: 'rina@kampus.example', role: { name: 'Administrator' } },
    })
    t.services.sessions.forget()
    expect((await rina.get('/account')).statusCode).toBe(401)
    expect(await t.db.selectFrom('accountIdentities').select('subject').execute()).toEqual([])
    expect((await post('/login', { email: rina.email, password: testPassword })).statusCode).toBe(401)
    expect((await post('/login', { email: rina.email, password })).statusCode).toBe(200)
    expect(await mailsTo(other.email)).toEqual(['administrator-link', 'administrator-added'])
    expect((await mailsTo(rina.email)).at(-1)).toBe('password-changed')
    expect(await actions()).toEqual(expect.arrayContaining(['account.offer_setup', 'account.become_administrator']))
  })

  it('without an account gets one, beside the existing administrators', async () => {
    await asStaff(t)
    expect((await become(await secretFor('new@kampus.example'))).json().user.email).toBe('new@kampus.example')
    expect(await administrators()).toHaveLength(2)
  })

  it('signs in once: of 20 people with the same address at the same moment one succeeds', async () => {
    await asStaff(t)
    const token = await secretFor('rina@kampus.example')
    const answers = await Promise.all(Array.from({ length: 20 }, () => become(token)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(410)])
  })

  it('must use the address printed last, which ends the earlier ones', async () => {
    const first = await secretFor('rina@kampus.example')
    const second = await secretFor('RINA@kampus.example')
    expect((await become(first)).json().code).toBe('link_used')
    expect((await become(second)).statusCode).toBe(200)
  })

  it('gets no lesser role if the role Administrator was narrowed', async () => {
    await asStaff(t)
    await t.db.updateTable('roles').set({ active: false }).where('name', '=', 'Administrator').execute()
    const answer = await become(await secretFor('rina@kampus.example'))
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'no_administrator_role'])
  })
})

it('npm run administrator prints the address and notifies every administrator; without an e-mail address it prints its usage', async () => {
  t.clock.reset()
  const admin = await asStaff(t, 'Administrator', { email: 'budi@kampus.example' })
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const file = path.resolve(import.meta.dirname, '../../../administrator.ts')
      const child = spawn(process.execPath, [file, ...args], {
        env: {
          ...process.env,
          DATABASE_URL: t.connectionString,
          PMB_DATA_DIR: t.services.config.dataDir,
          PUBLIC_URL: 'https://pmb.kampus.example',
          LOG_LEVEL: 'error',
        },
      })
      let output = ''
      child.stdout.on('data', (chunk) => (output += chunk))
      child.stderr.on('data', (chunk) => (output += chunk))
      child.once('close', (code) => resolve({ code, output }))
    })
  const { code, output } = await run('--email', 'rina@kampus.example')
  expect([code, output]).toEqual([0, expect.stringContaining('https://pmb.kampus.example/setup/')])
  expect(await mailsTo(admin.email)).toEqual(['administrator-link'])
  const [entry] = await t.db.selectFrom('auditLog').select(['actorName', 'after']).execute()
  expect(entry).toMatchObject({ actorName: expect.stringMatching(/^npm run administrator \(\w+\)$/) })
  expect((await become(secretIn(output))).statusCode).toBe(200)
  expect(await run()).toEqual({ code: 1, output: expect.stringContaining('npm run administrator -- --email') })
})
