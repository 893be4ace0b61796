import net from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asApplicant, asStaff, asWithPermissions } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { authenticate, revokeAllSessions, revokeSession, type Session, verifyPassword } from './authentication.ts'
import { issueOneTimeToken, takeOneTimeToken } from './tokens.ts'

let first: TestApp
let second: TestApp

beforeAll(async () => {
  first = await testApp()
  second = await testApp({ sameDatabaseAs: first })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const ask = (t: TestApp, token: string) =>
  t.app.inject({ url: '/api/auth/permissions', headers: { authorization: `Bearer ${token}` } })

/** The status as soon as it changes, or after a second what it still is. */
async function statusWithinASecond(t: TestApp, token: string, wanted: number) {
  const end = Date.now() + 1000
  let status = 0
  while (Date.now() < end && status !== wanted) {
    status = (await ask(t, token)).statusCode
    if (status !== wanted) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return status
}

test('an unknown, an empty and a malformed token are refused', async () => {
  for (const authorization of ['Bearer nobody', 'Bearer ', 'Basic x', `Bearer ${'x'.repeat(5000)}`]) {
    const answer = await first.app.inject({ url: '/api/auth/permissions', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'unauthenticated' })
  }
})

test('the permissions of a role are answered with slug and name', async () => {
  const applicant = await asApplicant(first)
  const { data } = (await applicant.get('/auth/permissions')).json()
  expect(data).toContainEqual({ slug: 'pendaftaran-create', name: 'Start a registration' })
  expect(data.map((row: { slug: string }) => row.slug)).not.toContain('settings-roles-view')
  const inIndonesian = (await applicant.get('/auth/permissions', { 'accept-language': 'id-ID,id' })).json()
  expect(inIndonesian.data).toContainEqual({ slug: 'pendaftaran-create', name: 'Buat pendaftaran' })
})

test('a menu shows only what the permissions allow, and no empty headings', async () => {
  const applicant = (await (await asApplicant(first)).get('/auth/menus')).json().data
  expect(applicant.map((menu: { path: string }) => menu.path)).toEqual([
    '/dashboard',
    '/pendaftaran',
    '/konfirmasi-kelulusan',
  ])
  const administrator = (await (await asStaff(first)).get('/auth/menus')).json().data
  const master = administrator.find((menu: { name: { en: string } }) => menu.name.en === 'Master data')
  expect(master.children.length).toBeGreaterThan(4)
})

test('a session revoked on one server ends on the other within a second', async () => {
  const staff = await asStaff(first)
  expect((await ask(second, staff.token)).statusCode).toBe(200)
  const { id } = await first.db
    .selectFrom('sessions')
    .select('id')
    .where('accountId', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  await revokeSession(first.db, staff.accountId, id)
  expect(await statusWithinASecond(second, staff.token, 401)).toBe(401)
})

test('signing out everywhere keeps only the session that asks', async () => {
  const staff = await asStaff(first)
  const other = await asStaff(first)
  await revokeAllSessions(first.db, staff.accountId)
  expect(await statusWithinASecond(second, staff.token, 401)).toBe(401)
  expect((await ask(second, other.token)).statusCode).toBe(200)
})

test('a permission taken from a role is refused on the other server within a second', async () => {
  const clerk = await asWithPermissions(first, ['audit-view', 'private-chat'])
  const held = async (t: TestApp) => (await ask(t, clerk.token)).json().data.map((row: { slug: string }) => row.slug)
  expect(await held(second)).toEqual(['audit-view', 'private-chat'])
  const { roleId } = await first.db
    .selectFrom('accounts')
    .select('roleId')
    .where('id', '=', clerk.accountId)
    .executeTakeFirstOrThrow()
  await first.db
    .deleteFrom('rolePermissions')
    .where('roleId', '=', roleId)
    .where('permission', '=', 'audit-view')
    .execute()
  await expect.poll(() => held(second), { timeout: 1000 }).toEqual(['private-chat'])
})

test('a deactivated account is signed out everywhere within a second', async () => {
  const staff = await asStaff(first)
  expect((await ask(second, staff.token)).statusCode).toBe(200)
  await first.db.updateTable('accounts').set({ active: false }).where('id', '=', staff.accountId).execute()
  expect(await statusWithinASecond(second, staff.token, 401)).toBe(401)
})

test('a change of role gives the new permissions within a second', async () => {
  const person = await asWithPermissions(first, ['audit-view'])
  expect((await ask(second, person.token)).json().data).toHaveLength(1)
  const { id } = await first.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Mahasiswa')
    .executeTakeFirstOrThrow()
  await first.db.updateTable('accounts').set({ roleId: id }).where('id', '=', person.accountId).execute()
  await expect
    .poll(async () => (await ask(second, person.token)).json().data.length, { timeout: 1000 })
    .toBeGreaterThan(3)
})

test('when the listener is cut off, nothing is answered from memory until it is back', async () => {
  const staff = await asStaff(first)
  await ask(second, staff.token)
  const { sql } = await import('kysely')
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'pmb-access' AND datname = current_database()`.execute(first.owner)
  await revokeAllSessions(first.db, staff.accountId)
  expect(await statusWithinASecond(second, staff.token, 401)).toBe(401)
  const another = await asStaff(first)
  expect((await ask(second, another.token)).statusCode).toBe(200)
})

test('a session ends when it was not used for its time, and using it prolongs it', async () => {
  const staff = await asStaff(first)
  const start = Date.now()
  first.clock.set(new Date(start + 11 * 3_600_000))
  expect((await ask(first, staff.token)).statusCode).toBe(200)
  first.clock.set(new Date(start + 22 * 3_600_000))
  expect((await ask(first, staff.token)).statusCode).toBe(200)
  first.clock.set(new Date(start + 35 * 3_600_000))
  expect((await ask(first, staff.token)).statusCode).toBe(401)
  first.clock.reset()
})

test('the database holds no token that could be used', async () => {
  const staff = await asStaff(first)
  const { tokenHash } = await first.db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('accountId', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  expect(tokenHash).toHaveLength(32)
  expect(tokenHash.toString('base64url')).not.toBe(staff.token)
})

test('a password is checked, and an account without one never matches', async () => {
  const staff = await asStaff(first)
  const { passwordHash } = await first.db
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', staff.accountId)
    .executeTakeFirstOrThrow()
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(passwordHash, 'Rahasia-2026!')).toBe(true)
  expect(await verifyPassword(passwordHash, 'rahasia-2026!')).toBe(false)
  expect(await verifyPassword(null, 'no such account')).toBe(false)
})

test('a link token works once, in time, for its purpose, and only the newest', async () => {
  const { accountId } = await asApplicant(first)
  const now = new Date()
  const issue = () =>
    issueOneTimeToken(first.db, { accountId, purpose: 'reset-password', minutes: 60, now, payload: { a: 1 } })
  const old = await issue()
  const token = await issue()
  expect(await takeOneTimeToken(first.db, 'reset-password', old, now)).toBeUndefined()
  expect(await takeOneTimeToken(first.db, 'verify-email', token, now)).toBeUndefined()
  expect(await takeOneTimeToken(first.db, 'reset-password', token, new Date(now.getTime() + 3_600_001))).toBeUndefined()
  const twice = await Promise.all([1, 2].map(() => takeOneTimeToken(first.db, 'reset-password', token, now)))
  expect(twice.filter(Boolean)).toEqual([{ accountId, payload: { a: 1 } }])
})

test.each([false, true])(
  'a caller who hangs up while the session is read does not end the server (trusted proxies: %s)',
  async (trustProxy) => {
    const app = Fastify({ trustProxy })
    let give: ((session: Session) => void) | undefined
    let gone = false
    app.server.on('connection', (socket) => socket.once('close', () => (gone = true)))
    const find = () => new Promise<Session>((resolve) => (give = resolve))
    authenticate(app, { find } as unknown as Parameters<typeof authenticate>[1])
    app.get('/', () => 'here')
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      const caller = net.connect(Number(new URL(url).port), '127.0.0.1')
      caller.on('error', () => {})
      caller.write('GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\nAuthorization: Bearer known\r\n\r\n')
      await vi.waitFor(() => expect(give).toBeDefined())
      caller.resetAndDestroy()
      await vi.waitFor(() => expect(gone).toBe(true))
      give!({ actor: {} } as Session)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(unhandled).toEqual([])
      expect(await (await fetch(url)).text()).toBe('here')
    } finally {
      process.off('unhandledRejection', note)
      await app.close()
    }
  },
)
