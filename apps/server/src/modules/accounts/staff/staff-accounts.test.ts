import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor, testPassword } from '#server-test/actors.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.reset()
  admin = await asStaff(t, 'Administrator', { name: 'Rina Admin' })
})

const base = '/settings/accounts'
const staffPermissions = ['settings-accounts-view', 'settings-accounts-update'] as const
const detail = async (actor: TestActor, { accountId }: { accountId: string }) =>
  (await actor.get(`${base}/${accountId}`)).json().data
const roleId = async (name: string) =>
  (await t.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const { accountOf } = readersOf(() => t)
const rowOf = ({ accountId }: { accountId: string }) => accountOf(accountId)
const entryOf = ({ accountId }: { accountId: string }, action: string) =>
  t.db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', '=', accountId)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirst()
const signIn = ({ email }: { email: string }, password = testPassword) =>
  t.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } })
async function change(actor: TestActor, other: TestActor, changes: object = {}) {
  const { version, name, language, requireTotp, role } = await detail(actor, other)
  return actor.put(`${base}/${other.accountId}`, { version, name, language, requireTotp, roleId: role.id, ...changes })
}

describe('a change', () => {
  it('of name, role, language and second factor is recorded with before and after', async () => {
    const staff = await asStaff(t, 'Keuangan', { name: 'Lama Sekali' })
    const answer = await change(admin, staff, {
      name: ' Baru  Sekali ',
      roleId: await roleId('Marketing'),
      requireTotp: true,
    })
    expect(answer.json().data).toMatchObject({
      name: 'Baru Sekali',
      role: { name: 'Marketing' },
      requireTotp: true,
      version: 2,
    })
    expect(await entryOf(staff, 'account.update')).toMatchObject({
      actorId: admin.accountId,
      before: { name: 'Lama Sekali', role: 'Keuangan', requireTotp: false },
      after: { name: 'Baru Sekali', role: 'Marketing', requireTotp: true },
    })
    expect((await staff.get('/account')).json().code).toBe('totp_setup_required')
  })

  it('takes effect on the holder’s next request', async () => {
    const staff = await asStaff(t, 'Panitia PMB')
    expect((await staff.get('/pendaftaran')).statusCode).toBe(200)
    await change(admin, staff, { roleId: await roleId('Pimpinan') })
    expect((await staff.get('/pendaftaran')).statusCode).toBe(403)
  })

  it('based on an older version is refused', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { version, name, language, requireTotp, role } = await detail(admin, staff)
    const body = { version, name, language, requireTotp, roleId: role.id }
    const answers = await Promise.all(
      [1, 2, 3].map((n) => admin.put(`${base}/${staff.accountId}`, { ...body, name: `Nama ${n}` })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('stale_version')
  })

  it("assigns no role beyond the actor's own, and changes no account with more rights", async () => {
    const helper = await asWithPermissions(t, staffPermissions)
    const equal = await asWithPermissions(t, [])
    const refused = await change(helper, equal, { roleId: await roleId('Administrator') })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toHaveProperty('roleId')
    const above = await asStaff(t, 'Keuangan')
    const calls = ['deactivate', 'reactivate', 'password-reset', 'unlock', 'totp-reset']
    for (const call of calls) {
      const body = call === 'totp-reset' ? { reason: 'hilang di bus' } : undefined
      const answer = await helper.post(`${base}/${above.accountId}/${call}`, body)
      expect([call, answer.statusCode, answer.json().code]).toEqual([call, 403, 'account_beyond_own'])
    }
    expect((await change(helper, above, { name: 'Lain' })).json().code).toBe('account_beyond_own')
    expect((await helper.delete(`${base}/${above.accountId}/sessions`)).json().code).toBe('account_beyond_own')
    expect((await detail(helper, above)).refusals).toEqual({
      change: expect.any(String),
      standing: expect.any(String),
      seeAs: expect.any(String),
    })
    expect((await above.get('/account')).statusCode).toBe(200)
  })

  it("to the actor's own role or status is refused; to the actor's own name it is allowed", async () => {
    expect((await change(admin, admin, { roleId: await roleId('Marketing') })).json().errors).toHaveProperty('roleId')
    expect((await admin.post(`${base}/${admin.accountId}/deactivate`)).json().code).toBe('account_is_own')
    expect((await admin.post(`${base}/${admin.accountId}/totp-reset`, { reason: 'tidak perlu' })).json().code).toBe(
      'account_is_own',
    )
    expect((await change(admin, admin, { name: 'Rina Baru' })).statusCode).toBe(200)
    expect((await detail(admin, admin)).refusals).toMatchObject({ change: null, standing: expect.any(String) })
  })

  it('without the permission is refused', async () => {
    const reader = await asWithPermissions(t, ['settings-accounts-view'])
    const staff = await asStaff(t, 'Keuangan')
    expect((await change(reader, staff)).statusCode).toBe(403)
    expect((await reader.get(`${base}/${staff.accountId}/sessions`)).statusCode).toBe(403)
    expect((await reader.get(`${base}/${staff.accountId}/history`)).statusCode).toBe(403)
    const nobody = await asWithPermissions(t, [])
    expect((await nobody.get(base)).statusCode).toBe(403)
  })
})

describe('deactivating an account', () => {
  it('ends every session on the next request, prevents signing in, and can be reverted', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const second = (await signIn(staff)).json().access_token
    expect((await admin.post(`${base}/${staff.accountId}/deactivate`)).json().data).toMatchObject({
      active: false,
      openSessions: 0,
    })
    for (const token of [staff.token, second])
      expect(
        (await t.app.inject({ url: '/api/account', headers: { authorization: `Bearer ${token}` } })).statusCode,
      ).toBe(401)
    expect((await signIn(staff)).json().code).toBe('account_inactive')
    expect((await admin.post(`${base}/${staff.accountId}/password-reset`)).json().code).toBe('account_inactive')
    expect((await admin.post(`${base}/${staff.accountId}/reactivate`)).json().data.active).toBe(true)
    expect((await signIn(staff)).statusCode).toBe(200)
    expect((await staff.get('/account')).statusCode).toBe(401)
  })

  it('changes nothing when repeated', async () => {
    const staff = await asStaff(t, 'Keuangan')
    for (let time = 0; time < 2; time++)
      expect((await admin.post(`${base}/${staff.accountId}/deactivate`)).statusCode).toBe(200)
    const entries = await t.db
      .selectFrom('auditLog')
      .select('id')
      .where('subjectId', '=', staff.accountId)
      .where('action', '=', 'account.deactivate')
      .execute()
    expect(entries).toHaveLength(1)
    expect((await rowOf(staff)).version).toBe(2)
  })
})

describe('the last administrator', () => {
  /** Only these two are administrators; all others are deactivated. */
  async function twoAdministrators() {
    const one = await asStaff(t, 'Administrator')
    const other = await asStaff(t, 'Administrator')
    await t.db
      .updateTable('accounts')
      .set({ active: false })
      .where('roleId', '=', await roleId('Administrator'))
      .where('id', 'not in', [one.accountId, other.accountId])
      .execute()
    t.services.sessions.forget()
    return [one, other] as const
  }

  it.each([
    ['deactivated', (one: TestActor, other: TestActor) => one.post(`${base}/${other.accountId}/deactivate`)],
    [
      'demoted',
      async (one: TestActor, other: TestActor) =>
        one.put(`${base}/${other.accountId}`, {
          version: 1,
          name: 'Bukan lagi',
          language: 'en',
          requireTotp: false,
          roleId: await roleId('Marketing'),
        }),
    ],
    [
      'deactivated with others',
      (one: TestActor, other: TestActor) => one.post(`${base}/bulk`, { action: 'deactivate', ids: [other.accountId] }),
    ],
  ])('remains, although two are %s by each other at the same moment', async (_what, act) => {
    for (let round = 0; round < 3; round++) {
      const [one, other] = await twoAdministrators()
      const answers = await Promise.all([act(one, other), act(other, one)])
      const { rows } = await sql<{ left: number }>`SELECT count(*)::int AS left FROM accounts
        WHERE active AND role_id = ${await roleId('Administrator')}`.execute(t.db)
      expect(rows[0]!.left).toBeGreaterThanOrEqual(1)
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200).length).toBeLessThanOrEqual(
        1,
      )
      expect(answers.every(({ statusCode }) => statusCode < 500)).toBe(true)
    }
  })
})

describe('helping an account to sign in', () => {
  it('mails a reset link to the owner, at most once a minute', async () => {
    const staff = await asStaff(t, 'Keuangan', { language: 'id' })
    expect((await admin.post(`${base}/${staff.accountId}/password-reset`)).statusCode).toBe(200)
    const mail = await t.db
      .selectFrom('messages')
      .selectAll()
      .where('toAddress', '=', staff.email)
      .executeTakeFirstOrThrow()
    expect(mail).toMatchObject({
      event: 'reset-password',
      language: 'id',
      link: expect.stringContaining('/password-reset/'),
    })
    expect((await admin.post(`${base}/${staff.accountId}/password-reset`)).json().code).toBe('resend_too_early')
    expect((await entryOf(staff, 'account.send_reset'))!.actorId).toBe(admin.accountId)
  })

  it('ends the wait after failed sign-ins', async () => {
    t.clock.set(new Date())
    const staff = await asStaff(t, 'Keuangan')
    for (let failure = 0; failure < 5; failure++) await signIn(staff, 'wrong one')
    expect((await signIn(staff)).json().code).toBe('sign_in_blocked')
    expect((await detail(admin, staff)).lockedUntil).toEqual(expect.any(String))
    expect((await admin.post(`${base}/${staff.accountId}/unlock`)).json().data.lockedUntil).toBeNull()
    expect((await signIn(staff)).statusCode).toBe(200)
    expect(await entryOf(staff, 'account.unlock')).toBeDefined()
    const before = (await rowOf(staff)).updatedAt
    await admin.post(`${base}/${staff.accountId}/unlock`)
    expect((await rowOf(staff)).updatedAt).toEqual(before)
  })

  it('removes the second factor after a loss, with a reason that is recorded and mailed, and ends every session', async () => {
    const staff = await asStaff(t, 'Keuangan')
    await withTotp(t, staff)
    for (const reason of ['', '  ', 'x'])
      expect((await admin.post(`${base}/${staff.accountId}/totp-reset`, { reason })).statusCode).toBe(422)
    const answer = await admin.post(`${base}/${staff.accountId}/totp-reset`, { reason: 'Ponsel hilang di kereta' })
    expect(answer.json().data).toMatchObject({
      twoFactor: 'off',
      openSessions: 0,
      totp: { since: null, recoveryCodesLeft: 0 },
    })
    expect((await staff.get('/account')).statusCode).toBe(401)
    expect((await signIn(staff)).statusCode).toBe(200)
    expect(await entryOf(staff, 'account.totp_reset')).toMatchObject({
      reason: 'Ponsel hilang di kereta',
      actorId: admin.accountId,
    })
    const mail = await t.db
      .selectFrom('messages')
      .selectAll()
      .where('toAddress', '=', staff.email)
      .where('event', '=', 'account-totp-reset')
      .executeTakeFirstOrThrow()
    expect(mail.body).toContain('Ponsel hilang di kereta.')
    expect((await admin.post(`${base}/${staff.accountId}/totp-reset`, { reason: 'sekali lagi' })).json().code).toBe(
      'totp_not_on',
    )
  })

  it('lists and ends sessions, one or all, without their tokens', async () => {
    const staff = await asStaff(t, 'Keuangan')
    await signIn(staff)
    const listed = await admin.get(`${base}/${staff.accountId}/sessions`)
    expect(listed.json().data).toHaveLength(2)
    expect(listed.body).not.toContain('token')
    const [{ id }] = listed.json().data
    expect((await admin.delete(`${base}/${staff.accountId}/sessions/${id}`)).json().data).toEqual({ ended: 1 })
    expect((await admin.delete(`${base}/${staff.accountId}/sessions/${id}`)).statusCode).toBe(404)
    expect((await admin.delete(`${base}/${admin.accountId}/sessions/${id}`)).statusCode).toBe(404)
    expect((await admin.delete(`${base}/${staff.accountId}/sessions`)).json().data).toEqual({ ended: 1 })
    expect((await staff.get('/account')).statusCode).toBe(401)
    expect((await admin.delete(`${base}/${admin.accountId}/sessions`)).json().data).toEqual({ ended: 0 })
    expect((await admin.get('/account')).statusCode).toBe(200)
  })

  it('shows the history of the account, newest first and page by page', async () => {
    const staff = await asStaff(t, 'Keuangan')
    for (let n = 0; n < 32; n++) await change(admin, staff, { name: `Nama ${n}` })
    const first = (await admin.get(`${base}/${staff.accountId}/history`)).json()
    expect(first.data).toHaveLength(30)
    expect(first.data[0]).toMatchObject({
      action: 'account.update',
      actor: { name: 'Rina Admin' },
      after: { name: 'Nama 31' },
    })
    const rest = (await admin.get(`${base}/${staff.accountId}/history?before=${first.meta.next}`)).json()
    expect(rest.data).toHaveLength(2)
    expect(rest.meta.next).toBeNull()
  })
})

describe('bulk actions', () => {
  it('are previewed with refusals and their reasons, and then applied together', async () => {
    const [one, two] = [
      await asStaff(t, 'Keuangan', { name: 'Massal Satu' }),
      await asApplicant(t, { name: 'Massal Dua' }),
    ]
    const inactive = await asApplicant(t, { name: 'Massal Tiga' })
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', inactive.accountId).execute()
    const nobody = crypto.randomUUID()
    const body = {
      action: 'deactivate',
      ids: [one.accountId, two.accountId, inactive.accountId, admin.accountId, nobody],
    }
    const preview = (await admin.post(`${base}/bulk/preview`, body)).json().data
    expect(preview.allowed.map(({ title }: { title: string }) => title).sort()).toEqual(['Massal Dua', 'Massal Satu'])
    expect(preview.refused).toHaveLength(3)
    expect((await rowOf(one)).active).toBe(true)
    expect((await admin.post(`${base}/bulk`, body)).json().data).toEqual(preview)
    for (const actor of [one, two]) {
      expect((await rowOf(actor)).active).toBe(false)
      expect((await actor.get('/account')).statusCode).toBe(401)
      expect(await entryOf(actor, 'account.deactivate')).toBeDefined()
    }
    expect((await admin.post(`${base}/bulk`, { ...body, action: 'reactivate' })).json().data.allowed).toHaveLength(3)
    expect((await signIn(one)).statusCode).toBe(200)
    await admin.post(`${base}/bulk`, { action: 'end-sessions', ids: [one.accountId] })
    expect((await detail(admin, one)).openSessions).toBe(0)
  })

  it('skip accounts with more rights', async () => {
    const helper = await asWithPermissions(t, staffPermissions)
    const above = await asStaff(t, 'Keuangan')
    const { allowed, refused } = (
      await helper.post(`${base}/bulk`, { action: 'deactivate', ids: [above.accountId] })
    ).json().data
    expect([allowed, refused.length]).toEqual([[], 1])
    expect((await rowOf(above)).active).toBe(true)
  })
})
