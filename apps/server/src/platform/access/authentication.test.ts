import { spawnSync } from 'node:child_process'
import net from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asApplicant, asStaff, asWithPermissions } from '#server-test/actors.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { authenticate, revokeAllSessions, revokeSession, type Session, verifyPassword } from './authentication.ts'
import { passwordCost } from './passwords.ts'
import { issueOneTimeToken, takeOneTimeToken } from './tokens.ts'

let firstServer: TestApp
let secondServer: TestApp

beforeAll(async () => {
  firstServer = await testApp()
  secondServer = await testApp({ sameDatabaseAs: firstServer })
})
afterAll(async () => {
  await secondServer.close()
  await firstServer.close()
})

const ask = (t: TestApp, token: string) =>
  t.app.inject({ url: '/api/auth/permissions', headers: { authorization: `Bearer ${token}` } })

/** Polls for at most a second until the status is `expectedStatus`; returns the last status. */
async function statusWithinASecond(t: TestApp, token: string, expectedStatus: number) {
  const end = Date.now() + 1000
  let status = 0
  while (Date.now() < end && status !== expectedStatus) {
    status = (await ask(t, token)).statusCode
    if (status !== expectedStatus) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return status
}

test('an unknown, an empty and a malformed token are refused', async () => {
  for (const authorization of ['Bearer nobody', 'Bearer ', 'Basic x', `Bearer ${'x'.repeat(5000)}`]) {
    const answer = await firstServer.app.inject({ url: '/api/auth/permissions', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'unauthenticated' })
  }
})

test('the permissions of a role are listed with slug and name', async () => {
  const applicant = await asApplicant(firstServer)
  const { data } = (await applicant.get('/auth/permissions')).json()
  expect(data).toContainEqual({ slug: 'pendaftaran-create', name: 'Create registrations' })
  expect(data.map((row: { slug: string }) => row.slug)).not.toContain('settings-roles-view')
  const inIndonesian = (await applicant.get('/auth/permissions', { 'accept-language': 'id-ID,id' })).json()
  expect(inIndonesian.data).toContainEqual({ slug: 'pendaftaran-create', name: 'Buat pendaftaran' })
})

test('a menu shows only entries the permissions allow, and no empty headings', async () => {
  const applicant = (await (await asApplicant(firstServer)).get('/auth/menus')).json().data
  type Entry = { path: string | null; children: Entry[] }
  const pathsOf = ({ path, children }: Entry): unknown => path ?? children.map(pathsOf)
  expect(applicant.map(pathsOf)).toEqual([
    '/dashboard',
    '/pendaftaran',
    '/konfirmasi-kelulusan',
    '/pindah-prodi',
    // The web app does not show the staff's entries.
    ['/chat/private-chat', '/apps/chat/group-chat'],
    '/apps/calendar',
    '/afiliator-saya',
  ])
  const administrator = (await (await asStaff(firstServer)).get('/auth/menus')).json().data
  const master = administrator.find((menu: { name: { en: string } }) => menu.name.en === 'Master data')
  expect(master.children.length).toBeGreaterThan(4)
})

test('a session revoked on one server ends on the other within a second', async () => {
  const staff = await asStaff(firstServer)
  expect((await ask(secondServer, staff.token)).statusCode).toBe(200)
  const { id } = await firstServer.db
    .selectFrom('sessions')
    .select('id')
    .where('accountId', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  await revokeSession(firstServer.db, staff.accountId, id, new Date())
  expect(await statusWithinASecond(secondServer, staff.token, 401)).toBe(401)
})

test('signing out everywhere keeps only the session that asked for it', async () => {
  const staff = await asStaff(firstServer)
  const otherStaff = await asStaff(firstServer)
  await revokeAllSessions(firstServer.db, staff.accountId, undefined, new Date())
  expect(await statusWithinASecond(secondServer, staff.token, 401)).toBe(401)
  expect((await ask(secondServer, otherStaff.token)).statusCode).toBe(200)
})

test('a permission removed from a role is refused on the other server within a second', async () => {
  const clerk = await asWithPermissions(firstServer, ['audit-view', 'private-chat'])
  const slugsOf = async (t: TestApp) => (await ask(t, clerk.token)).json().data.map((row: { slug: string }) => row.slug)
  expect(await slugsOf(secondServer)).toEqual(['audit-view', 'private-chat'])
  const { roleId } = await firstServer.db
    .selectFrom('accounts')
    .select('roleId')
    .where('id', '=', clerk.accountId)
    .executeTakeFirstOrThrow()
  await firstServer.db
    .deleteFrom('rolePermissions')
    .where('roleId', '=', roleId)
    .where('permission', '=', 'audit-view')
    .execute()
  await expect.poll(() => slugsOf(secondServer), { timeout: 1000 }).toEqual(['private-chat'])
})

test('a deactivated account is signed out everywhere within a second', async () => {
  const staff = await asStaff(firstServer)
  expect((await ask(secondServer, staff.token)).statusCode).toBe(200)
  await firstServer.db.updateTable('accounts').set({ active: false }).where('id', '=', staff.accountId).execute()
  expect(await statusWithinASecond(secondServer, staff.token, 401)).toBe(401)
})

test('a role change gives the new permissions within a second', async () => {
  const person = await asWithPermissions(firstServer, ['audit-view'])
  expect((await ask(secondServer, person.token)).json().data).toHaveLength(1)
  const { id } = await firstServer.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Mahasiswa')
    .executeTakeFirstOrThrow()
  await firstServer.db.updateTable('accounts').set({ roleId: id }).where('id', '=', person.accountId).execute()
  await expect
    .poll(async () => (await ask(secondServer, person.token)).json().data.length, { timeout: 1000 })
    .toBeGreaterThan(3)
})

test('when the listener is cut off, sessions are not served from the cache until it is back', async () => {
  const staff = await asStaff(firstServer)
  await ask(secondServer, staff.token)
  const { sql } = await import('kysely')
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'pmb-access' AND datname = current_database()`.execute(firstServer.owner)
  await revokeAllSessions(firstServer.db, staff.accountId, undefined, new Date())
  expect(await statusWithinASecond(secondServer, staff.token, 401)).toBe(401)
  const another = await asStaff(firstServer)
  expect((await ask(secondServer, another.token)).statusCode).toBe(200)
})

test('an unused session expires, and using it prolongs it', async () => {
  const staff = await asStaff(firstServer)
  const start = Date.now()
  firstServer.clock.set(new Date(start + 11 * 3_600_000))
  expect((await ask(firstServer, staff.token)).statusCode).toBe(200)
  firstServer.clock.set(new Date(start + 22 * 3_600_000))
  expect((await ask(firstServer, staff.token)).statusCode).toBe(200)
  firstServer.clock.set(new Date(start + 35 * 3_600_000))
  expect((await ask(firstServer, staff.token)).statusCode).toBe(401)
  firstServer.clock.reset()
})

test('no token in the database can be used to sign in', async () => {
  const staff = await asStaff(firstServer)
  const { tokenHash } = await firstServer.db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('accountId', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  expect(tokenHash).toHaveLength(32)
  expect(tokenHash.toString('base64url')).not.toBe(staff.token)
})

test("passwords are hashed at OWASP's minimum cost, and cheaply only in tests", () => {
  expect(passwordCost).toEqual({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const passwords = new URL('./passwords.ts', import.meta.url).href
  const outside = (code: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', `const p = await import('${passwords}'); ${code}`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
  expect(outside("console.log(await p.hashPassword('Rahasia-2026!'))").stdout).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  )
  expect(outside('p.hashCheaply()').stderr).toContain('in tests only')
})

test('the right password matches, and an account without a password never does', async () => {
  const staff = await asStaff(firstServer)
  const { passwordHash } = await firstServer.db
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  expect(await verifyPassword(passwordHash, 'Rahasia-2026!')).toBe(true)
  expect(await verifyPassword(passwordHash, 'rahasia-2026!')).toBe(false)
  expect(await verifyPassword(null, 'no such account')).toBe(false)
})

test('a link token works once, before it expires, for its purpose, and only if it is the newest', async () => {
  const { accountId } = await asApplicant(firstServer)
  const now = new Date()
  const issue = () =>
    issueOneTimeToken(firstServer.db, { accountId, purpose: 'reset-password', minutes: 60, now, payload: { a: 1 } })
  const oldToken = await issue()
  const token = await issue()
  expect(await takeOneTimeToken(firstServer.db, 'reset-password', oldToken, now)).toBeUndefined()
  expect(await takeOneTimeToken(firstServer.db, 'verify-email', token, now)).toBeUndefined()
  expect(
    await takeOneTimeToken(firstServer.db, 'reset-password', token, new Date(now.getTime() + 3_600_001)),
  ).toBeUndefined()
  const twice = await Promise.all([1, 2].map(() => takeOneTimeToken(firstServer.db, 'reset-password', token, now)))
  expect(twice.filter(Boolean)).toEqual([{ accountId, payload: { a: 1 } }])
})

test('of link tokens issued at once only one works', async () => {
  const { accountId } = await asApplicant(firstServer)
  const now = new Date()
  const issue = () =>
    firstServer.db
      .transaction()
      .execute((tx) => issueOneTimeToken(tx, { accountId, purpose: 'invitation', minutes: 60, now }))
  const earlierToken = await issue()
  // Both wait for the earlier token or for the account, so that they really race.
  const lock = sql`SELECT FROM accounts a JOIN one_time_tokens k ON k.account_id = a.id WHERE a.id = ${accountId} FOR NO KEY UPDATE`
  const tokens = await raceBehind(firstServer, lock, 2, () => Promise.all([issue(), issue()]))
  const working: unknown[] = []
  for (const token of [earlierToken, ...tokens])
    working.push(await takeOneTimeToken(firstServer.db, 'invitation', token, now))
  expect(working.filter(Boolean)).toHaveLength(1)
})

test.each([false, true])(
  'a caller who hangs up while the session is read does not end the server (trusted proxies: %s)',
  async (trustProxy) => {
    const app = Fastify({ trustProxy })
    let giveSession: ((session: Session) => void) | undefined
    let isClosed = false
    app.server.on('connection', (socket) => socket.once('close', () => (isClosed = true)))
    const find = () => new Promise<Session>((resolve) => (giveSession = resolve))
    authenticate(app, { find } as unknown as Parameters<typeof authenticate>[1], { now: () => new Date() })
    app.get('/', () => 'here')
    const rejections: unknown[] = []
    const note = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', note)
    try {
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      const caller = net.connect(Number(new URL(url).port), '127.0.0.1')
      caller.on('error', () => {})
      caller.write('GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\nAuthorization: Bearer known\r\n\r\n')
      await vi.waitFor(() => expect(giveSession).toBeDefined(), 10_000)
      caller.resetAndDestroy()
      await vi.waitFor(() => expect(isClosed).toBe(true), 10_000)
      giveSession!({ actor: {} } as Session)
      // Node reports an unhandled rejection before the next turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(rejections).toEqual([])
      expect(await (await fetch(url)).text()).toBe('here')
    } finally {
      process.off('unhandledRejection', note)
      await app.close()
    }
  },
)
