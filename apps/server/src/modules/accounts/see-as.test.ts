import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorWith, asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
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

const start = (actor: TestActor, { accountId }: { accountId: string }) =>
  actor.post(`/settings/accounts/${accountId}/see-as`)
async function seeing(actor: TestActor, other: TestActor) {
  const answer = await start(actor, other)
  expect(answer.statusCode).toBe(200)
  return actorWith(t, { accountId: other.accountId, email: other.email, token: answer.json().access_token })
}
const permissionsOf = async (role: string) =>
  (
    await t.db
      .selectFrom('rolePermissions')
      .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
      .select('permission')
      .where('roles.name', '=', role)
      .execute()
  ).map(({ permission }) => permission)
const entriesAbout = (accountId: string) =>
  t.db.selectFrom('auditLog').selectAll().where('subjectId', '=', accountId).orderBy('id').execute()

describe('seeing as another account', () => {
  it("shows that account's data, names the actor and the end time, and ends on request", async () => {
    const { applicant, id } = await aRegistration(t, { status: 'paid' })
    const answer = await start(admin, applicant)
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user: expect.objectContaining({ id: applicant.accountId, role: expect.objectContaining({ name: 'Mahasiswa' }) }),
      seen_by: { name: 'Rina Admin', until: expect.any(String) },
    })
    const seen = actorWith(t, { ...applicant, token: answer.json().access_token })
    expect((await seen.get('/pendaftaran')).json()).toEqual((await applicant.get('/pendaftaran')).json())
    expect((await seen.get(`/pendaftaran/${id}`)).statusCode).toBe(200)
    expect((await seen.get('/settings/accounts')).statusCode).toBe(403)
    expect((await seen.post('/verify_token', { api_token: seen.token })).json().seen_by).toEqual(answer.json().seen_by)
    expect((await seen.post('/auth/see-as/end')).json()).toEqual({ data: { accountId: applicant.accountId } })
    expect((await seen.get('/pendaftaran')).statusCode).toBe(401)
    expect((await admin.get('/account')).statusCode).toBe(200)
    expect((await admin.post('/auth/see-as/end')).json().code).toBe('seen_as_over')
  })

  it('refuses every write on every route with one sentence, except ending it and signing out', async () => {
    const seen = await seeing(admin, await asStaff(t, 'Administrator'))
    const open: string[] = []
    const routes = t.app.declaredRoutes.filter(
      ({ method, path }) => !/GET|HEAD/.test(method) && path.startsWith('/api'),
    )
    expect(routes.length).toBeGreaterThan(100)
    for (const { method, path } of routes) {
      if (['/api/verify_token', '/api/logout', '/api/auth/see-as/end'].includes(path)) continue
      const url = path.replace(/:\w+/g, crypto.randomUUID())
      const answer = await t.app.inject({
        method: method as 'POST',
        url,
        headers: { authorization: `Bearer ${seen.token}`, 'accept-language': 'en' },
        payload: {},
      })
      if (answer.statusCode !== 403 || answer.json().code !== 'seen_as_read_only') open.push(`${method} ${path}`)
    }
    expect(open).toEqual([])
  })

  it('leaves traces of reads only in the audit log', async () => {
    const { applicant, id } = await aRegistration(t, { status: 'enrolled' })
    const seen = await seeing(admin, applicant)
    const everything = async () => {
      const { rows: tables } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'audit_log'
          -- Reads fill these tables with school names and with answers shared by readers; neither names the account.
          AND relname NOT IN ('school_names', 'school_waiting', 'school_pairs', 'school_search', 'kept_cards')
        ORDER BY 1`.execute(t.db)
      const hashes = await Promise.all(
        tables.map(async ({ name }) => {
          const { rows } = await sql<{ hash: string }>`
            SELECT md5(string_agg(x::text, '|' ORDER BY x::text)) AS hash FROM ${sql.table(name)} x`.execute(t.db)
          return [name, rows[0]!.hash]
        }),
      )
      return Object.fromEntries(hashes)
    }
    const staff = await seeing(await asStaff(t), await asStaff(t, 'Panitia PMB'))
    const message = await t.db
      .selectFrom('messages')
      .select('id')
      .where('accountId', '=', applicant.accountId)
      .executeTakeFirst()
    const before = await everything()
    const paths = t.app.declaredRoutes.filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api') && !/google|health|docs/.test(path),
    )
    for (const { path } of paths)
      for (const reader of [seen, staff]) {
        const url = path.replace(/\/messages\/:id/, `/messages/${message?.id}`).replace(/:\w+/g, id)
        await reader.get(url)
      }
    await seen.get(`/pendaftaran/${id}/card.pdf`)
    expect(await everything()).toEqual(before)
  }, 120_000)

  it("never exposes the account's secrets or private data: sessions, second factor, own data, exports", async () => {
    const staff = await asStaff(t, 'Administrator')
    const seen = await seeing(admin, staff)
    for (const path of [
      '/account/sessions',
      '/account/totp',
      '/account/export',
      '/settings/accounts/export',
      `/settings/accounts/${staff.accountId}/sessions`,
    ]) {
      const answer = await seen.get(path)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 403, 'seen_as_read_only'])
    }
    expect((await staff.get('/account/sessions')).json().data).toHaveLength(1)
    const { data } = (await admin.get(`/settings/accounts/${staff.accountId}/sessions`)).json()
    expect(data).toHaveLength(1)
  })

  it('is logged from start to end, and reads in between name both accounts', async () => {
    const { applicant, id } = await aRegistration(t, { status: 'paid' })
    const seen = await seeing(admin, applicant)
    await seen.get(`/pendaftaran/${id}/card.pdf`)
    await seen.post('/auth/see-as/end')
    const both = { actorId: admin.accountId, actorName: 'Rina Admin', roleName: 'Administrator' }
    const entries = await entriesAbout(applicant.accountId)
    expect(entries.filter(({ action }) => action.startsWith('account.see_as'))).toEqual([
      expect.objectContaining({ action: 'account.see_as', ...both, actingAsId: null }),
      expect.objectContaining({ action: 'account.see_as_end', ...both, actingAsId: applicant.accountId }),
    ])
    expect(await entriesAbout(id)).toContainEqual(
      expect.objectContaining({ action: 'card.download', ...both, actingAsId: applicant.accountId }),
    )
  })

  it('needs its own permission, which by default only the Administrator has', async () => {
    const applicant = await asApplicant(t)
    for (const role of ['Panitia PMB', 'Keuangan', 'Marketing', 'Pimpinan'])
      expect((await start(await asStaff(t, role), applicant)).statusCode).toBe(403)
    const { rows } = await sql<{ name: string }>`SELECT r.name FROM roles r JOIN role_permissions p ON p.role_id = r.id
      WHERE p.permission = 'settings-accounts-impersonate' AND r.built_in`.execute(t.db)
    expect(rows).toEqual([{ name: 'Administrator' }])
  })

  it('is refused for oneself, an unknown or deactivated account, and an account with more rights', async () => {
    expect((await start(admin, admin)).json().code).toBe('seen_as_self')
    expect((await start(admin, { accountId: crypto.randomUUID() })).statusCode).toBe(404)
    const deactivated = await asApplicant(t)
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', deactivated.accountId).execute()
    expect((await start(admin, deactivated)).json().code).toBe('account_inactive')
    const helper = await asWithPermissions(t, ['settings-accounts-impersonate', 'pendaftaran-view'])
    expect((await start(helper, admin)).json().code).toBe('account_beyond_own')
    const equal = await asWithPermissions(t, ['pendaftaran-view'])
    expect((await start(helper, equal)).statusCode).toBe(200)
  })

  it('shows an actor limited to study programmes no other rows', async () => {
    const { applicant, academic, id } = await aRegistration(t, { status: 'paid' })
    const [own, other] = academic.programmes
    const slugs = ['settings-accounts-impersonate', ...(await permissionsOf('Mahasiswa'))]
    const helper = await asWithPermissions(t, slugs, { programmeIds: [own] })
    const seen = await seeing(helper, applicant)
    expect((await seen.get(`/pendaftaran/${id}`)).statusCode).toBe(200)
    const wide = await asWithPermissions(t, ['pendaftaran-view'], { programmeIds: [own, other] })
    await t.db.updateTable('registrations').set({ accountId: wide.accountId }).where('id', '=', id).execute()
    expect((await start(helper, wide)).json().code).toBe('account_beyond_own')
    await t.db.updateTable('registrations').set({ accountId: applicant.accountId }).where('id', '=', id).execute()
    await aRegistration(t, { applicant, trackId: academic.tracks.achievement, choices: [other] })
    expect((await start(helper, applicant)).json().code).toBe('seen_as_elsewhere')
  })

  it('is refused for an account that must set up the second factor first', async () => {
    const staff = await asStaff(t, 'Keuangan')
    await t.db.updateTable('accounts').set({ requireTotp: true }).where('id', '=', staff.accountId).execute()
    const refused = await start(admin, staff)
    expect(refused.json()).toMatchObject({
      code: 'seen_as_totp_missing',
      message: expect.stringContaining('Petugas Keuangan'),
    })
    t.services.sessions.forget()
    await withTotp(t, staff)
    expect((await start(admin, staff)).statusCode).toBe(200)
  })
})

describe('the session ends', () => {
  it('half an hour after its start, however much it is used', async () => {
    t.clock.set('2026-11-20T03:00:00Z')
    admin = await asStaff(t)
    const seen = await seeing(admin, await asApplicant(t))
    for (const minute of ['06', '12', '18', '24', '29']) {
      t.clock.set(`2026-11-20T03:${minute}:00Z`)
      expect((await seen.get('/account')).statusCode).toBe(200)
    }
    t.clock.set('2026-11-20T03:30:01Z')
    expect((await seen.get('/account')).statusCode).toBe(401)
    expect((await admin.get('/account')).statusCode).toBe(200)
  })

  it('no later than the session it was opened from', async () => {
    t.clock.set('2026-11-20T03:00:00Z')
    admin = await asStaff(t)
    const until = new Date('2026-11-20T03:10:00Z')
    await t.db.updateTable('sessions').set({ expiresAt: until }).where('accountId', '=', admin.accountId).execute()
    const answer = await start(admin, await asApplicant(t))
    expect(answer.json().expires_at).toBe(until.toISOString())
  })

  it.each([
    ['when the actor signs out', () => admin.post('/logout')],
    [
      "when the actor's session is ended elsewhere",
      () =>
        t.db
          .updateTable('sessions')
          .set({ revokedAt: new Date() })
          .where('accountId', '=', admin.accountId)
          .where('parentId', 'is', null)
          .execute(),
    ],
    [
      'when the actor is deactivated',
      () => t.db.updateTable('accounts').set({ active: false }).where('id', '=', admin.accountId).execute(),
    ],
    [
      'when the actor loses the permission',
      async () => {
        const role = await asWithPermissions(t, [])
        const { roleId } = await t.db
          .selectFrom('accounts')
          .select('roleId')
          .where('id', '=', role.accountId)
          .executeTakeFirstOrThrow()
        await t.db.updateTable('accounts').set({ roleId }).where('id', '=', admin.accountId).execute()
      },
    ],
  ])('%s', async (_what, causeEnd) => {
    const seen = await seeing(admin, await asApplicant(t))
    expect((await seen.get('/account')).statusCode).toBe(200)
    await causeEnd()
    await expect.poll(async () => (await seen.get('/account')).statusCode).toBe(401)
  })

  it("when the account's role gains a permission the actor lacks", async () => {
    const helper = await asWithPermissions(t, ['settings-accounts-impersonate'])
    const other = await asWithPermissions(t, [])
    const seen = await seeing(helper, other)
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', other.accountId)
      .executeTakeFirstOrThrow()
    await t.db.insertInto('rolePermissions').values({ roleId, permission: 'audit-view' }).execute()
    await expect.poll(async () => (await seen.get('/account')).statusCode).toBe(401)
  })

  it("when the actor's role is limited to fewer rows than the account's", async () => {
    const helper = await asWithPermissions(t, ['settings-accounts-impersonate'])
    const seen = await seeing(helper, await asWithPermissions(t, []))
    const { academic } = await aRegistration(t)
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', helper.accountId)
      .executeTakeFirstOrThrow()
    await t.db.insertInto('roleScopes').values({ roleId, facultyId: academic.faculty }).execute()
    await expect.poll(async () => (await seen.get('/account')).statusCode).toBe(401)
  })

  it('when the actor starts seeing as another account', async () => {
    const first = await seeing(admin, await asApplicant(t))
    await seeing(admin, await asApplicant(t))
    await expect.poll(async () => (await first.get('/account')).statusCode).toBe(401)
  })

  it("together with the actor's session on signing out", async () => {
    const seen = await seeing(admin, await asApplicant(t))
    expect((await seen.post('/logout')).statusCode).toBe(200)
    expect((await seen.get('/account')).statusCode).toBe(401)
    expect((await admin.get('/account')).statusCode).toBe(401)
  })
})
