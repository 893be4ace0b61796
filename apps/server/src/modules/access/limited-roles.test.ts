import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissionSlugs, permissions } from '#domain/access/permissions.ts'
import { administratorLock } from '#server/platform/access/administrators.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let fixture: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  fixture = await academicFixture(t.db)
})
afterAll(() => t.close())
/** Every test has a new administrator; all earlier accounts are deactivated. */
beforeEach(async () => {
  await t.db.updateTable('accounts').set({ active: false }).execute()
  admin = await asStaff(t)
})

const content = (name: string) => ({
  name,
  description: null,
  requireTotp: false,
  sessionHours: 12,
  active: true,
  facultyIds: [] as string[],
  programmeIds: [] as string[],
})
let number = 0
async function newRole(actor = admin, extra: object = {}) {
  const answer = await actor.post('/settings/roles', { ...content(`Peran ${++number}`), ...extra })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data as { id: string; name: string; version: number }
}
const setPermissions = (actor: TestActor, id: string, version: number, held: string[]) =>
  actor.put(`/settings/roles/permissions/${id}`, { version, held })
const holdersPermissions = async (actor: TestActor) =>
  (await actor.get('/auth/permissions')).json().data.map(({ slug }: { slug: string }) => slug)
const editRoles = ['settings-roles-view', 'settings-roles-create', 'settings-roles-update', 'settings-roles-delete']
const grantRights = [...editRoles, 'settings-roles-permissions', 'settings-roles-menus']

const waitingForLock = async () => {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND objid = ${administratorLock}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(t.db)
  return rows[0]!.waiting
}

/** Sends groups of requests that all wait for the lock, in order, then releases it. */
async function whileLocked(...groups: (() => ReturnType<TestActor['get']>[])[]) {
  const { sent } = await t.owner.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${administratorLock})`.execute(tx)
    const waiting: ReturnType<TestActor['get']>[] = []
    for (const send of groups) {
      waiting.push(...send())
      await expect.poll(waitingForLock, { timeout: 10_000 }).toBe(waiting.length)
    }
    return { sent: waiting }
  })
  return Promise.all(sent)
}

const every = permissions.map(({ slug }) => slug)

/** Creates two administrators, each with a separate full role; all other accounts are deactivated. */
async function twoAdministrators() {
  const [first, second] = [await newRole(), await newRole()]
  await setPermissions(admin, first.id, 1, every)
  await setPermissions(admin, second.id, 1, every)
  const [one, two] = [await asStaff(t, first.name), await asStaff(t, second.name)]
  await t.db.updateTable('accounts').set({ active: false }).where('id', '=', admin.accountId).execute()
  return { first, second, one, two }
}

describe('concurrent changes of access', () => {
  test("if two administrators revoke each other's rights, one administrator remains", async () => {
    const { first, second, one, two } = await twoAdministrators()
    // Both requests pass the first check before either gets the lock.
    const answers = await whileLocked(() => [
      setPermissions(one, second.id, 2, []),
      setPermissions(two, first.id, 2, []),
    ])
    // The second request finds that its actor has lost the rights.
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 403])
    const remaining = [await holdersPermissions(one), await holdersPermissions(two)]
    expect(remaining.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, every.length])
  })

  test('if two administrators give up their own rights, one administrator remains', async () => {
    const { first, second, one, two } = await twoAdministrators()
    const answers = await whileLocked(() => [
      setPermissions(one, first.id, 2, []),
      setPermissions(two, second.id, 2, []),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('an actor who loses rights during the request cannot give them', async () => {
    const [own] = fixture.programmes
    const helpers = await newRole()
    const rights = [...grantRights, 'settings-accounts-create', 'master-fakultas-view']
    await setPermissions(admin, helpers.id, 1, rights)
    const [narrowRole, wideRole] = [await newRole(), await newRole()]
    const helper = await asStaff(t, helpers.name)
    const invited = { name: 'Teman', email: 'teman@contoh.test', roleId: wideRole.id, language: 'id' }
    const narrower = { ...content(helpers.name), programmeIds: [own], version: 2 }
    const answers = await whileLocked(
      () => [admin.put(`/settings/roles/${helpers.id}`, narrower)],
      () => [
        setPermissions(helper, narrowRole.id, 1, ['master-fakultas-view']),
        helper.post('/settings/roles', content('Peran seluas dulu')),
        helper.delete(`/settings/roles/${narrowRole.id}?moveTo=${wideRole.id}`),
        helper.post('/settings/accounts', invited),
      ],
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 422, 403, 422])
  })

  test('an actor deactivated during the request gives nothing', async () => {
    const helper = await asStaff(t)
    const role = await newRole()
    const answers = await whileLocked(
      () => [admin.post(`/settings/accounts/${helper.accountId}/deactivate`)],
      () => [setPermissions(helper, role.id, 1, ['master-fakultas-view'])],
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401])
  })
})

describe('a role limited to study programmes', () => {
  const clerkOf = (programmeIds: readonly string[]) =>
    asWithPermissions(
      t,
      permissions.map(({ slug }) => slug),
      { programmeIds },
    )

  test('cannot move holders of a deleted role into a role that sees more', async () => {
    const [own] = fixture.programmes
    const clerk = await clerkOf([own])
    const [narrow, wideRole] = [await newRole(clerk, { programmeIds: [own] }), await newRole()]
    await asStaff(t, narrow.name)
    const refused = await clerk.delete(`/settings/roles/${narrow.id}?moveTo=${wideRole.id}`)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['moveTo']])
    const sideways = await newRole(clerk, { programmeIds: [own] })
    expect((await clerk.delete(`/settings/roles/${narrow.id}?moveTo=${sideways.id}`)).json().data.moved).toBe(1)
  })

  test('cannot rename, regrant, rearrange the menus of, or delete a role that sees more', async () => {
    const [own, other] = fixture.programmes
    const clerk = await clerkOf([own])
    for (const wideRole of [await newRole(), await newRole(admin, { programmeIds: [other] })]) {
      const answers = await Promise.all([
        clerk.put(`/settings/roles/${wideRole.id}`, { ...content('Sempit'), programmeIds: [own], version: 1 }),
        setPermissions(clerk, wideRole.id, 1, ['master-fakultas-view']),
        clerk.put(`/settings/roles/menus/${wideRole.id}`, { version: 1, chosen: [] }),
        clerk.delete(`/settings/roles/${wideRole.id}`),
      ])
      for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([403, 'role_beyond_own'])
    }
  })

  test('cannot give a whole faculty, because its next study programme would be visible only to the holder', async () => {
    const clerk = await clerkOf(fixture.programmes)
    const refused = await clerk.post('/settings/roles', { ...content('Sefakultas'), facultyIds: [fixture.faculty] })
    expect(Object.keys(refused.json().errors)).toEqual(['facultyIds'])
  })

  test('sees the reason beside each role, and no names of faculties outside its own scope', async () => {
    const [own, other] = fixture.programmes
    const clerk = await clerkOf([own])
    const wideRole = await newRole(admin, { programmeIds: [other] })
    const narrow = await newRole(clerk, { programmeIds: [own] })
    const { data } = (await clerk.get('/settings/roles?per_page=100')).json()
    const refusals = new Map(data.map((row: { id: string; refusal: string | null }) => [row.id, row.refusal]))
    expect(refusals.get(wideRole.id)).toContain('study programmes')
    expect(refusals.get(narrow.id)).toBeNull()
    const detail = (await clerk.get(`/settings/roles/${wideRole.id}`)).json().data
    expect(detail).toMatchObject({ limited: true, scope: { faculties: [], programmes: [] } })
  })

  test('neither reads nor sets the approval amounts of roles, which apply to all study programmes', async () => {
    const clerk = await clerkOf([fixture.programmes[0]])
    const read = await clerk.get('/settings/approval-limits')
    expect([read.statusCode, read.json().code]).toEqual([403, 'settings_need_whole_view'])
    const { limits } = (await admin.get('/settings/approval-limits')).json().data
    const changed = limits.map((limit: object) => ({ ...limit, most: 1 }))
    for (const wish of [limits, changed])
      expect((await clerk.put('/settings/approval-limits', { limits: wish })).json().code).toBe(
        'settings_need_whole_view',
      )
  })
})

test('holds no permission for, and sees no menu of, a page that needs the whole university', async () => {
  const { paths } = (
    t.app as unknown as { swagger(): { paths: Record<string, Record<string, { description?: string }>> } }
  ).swagger()
  const limited = await asWithPermissions(t, [...permissionSlugs], { programmeIds: [fixture.programmes[0]!] })
  await sql`INSERT INTO role_menus (role_id, menu_id)
    SELECT a.role_id, m.id FROM accounts a, menus m WHERE a.id = ${limited.accountId} ON CONFLICT DO NOTHING`.execute(
    t.db,
  )
  const held = new Set(await holdersPermissions(limited))
  const menus = (await limited.get('/auth/menus')).body
  const refusing: string[] = []
  for (const [path, { get }] of Object.entries(paths)) {
    const permission = /Needs the permission `([^`]+)`/.exec(get?.description ?? '')?.[1]
    if (!permission || path.includes('{')) continue
    const answer = await limited.get(path.replace('/api', ''))
    if (answer.statusCode !== 403) continue
    refusing.push(permission)
    expect([path, held.has(permission)]).toEqual([path, false])
  }
  expect(refusing).toEqual(expect.arrayContaining(['audit-view', 'ops-invariants', 'rekonsiliasi-view']))
  for (const path of [
    '/rekonsiliasi',
    '/settings/invariants',
    '/settings/audit',
    '/settings/exports',
    '/settings/providers',
  ])
    expect(menus).not.toContain(`"${path}"`)
  expect(menus).toContain('"/persetujuan"')
})
