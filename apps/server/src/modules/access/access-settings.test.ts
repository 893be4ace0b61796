import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
const roleOf = async (actor: TestActor) =>
  (await t.db.selectFrom('accounts').select('roleId').where('id', '=', actor.accountId).executeTakeFirstOrThrow())
    .roleId
const holdersPermissions = async (actor: TestActor) =>
  (await actor.get('/auth/permissions')).json().data.map(({ slug }: { slug: string }) => slug)
const editRoles = ['settings-roles-view', 'settings-roles-create', 'settings-roles-update', 'settings-roles-delete']
const grantRights = [...editRoles, 'settings-roles-permissions', 'settings-roles-menus']

describe('roles', () => {
  test('a role is created, read, listed with its holders and changed; a change from a stale version is refused', async () => {
    const role = await newRole()
    const list = await admin.get(`/settings/roles?q=${encodeURIComponent(role.name)}`)
    expect(list.json()).toMatchObject({ data: [{ id: role.id, holders: 0, limited: false }], meta: { total: 1 } })
    const change = { ...content(`${role.name} baru`), facultyIds: [fixture.faculty], version: 1 }
    const changed = await admin.put(`/settings/roles/${role.id}`, change)
    expect(changed.json().data).toMatchObject({
      limited: true,
      version: 2,
      scope: { faculties: [{ id: fixture.faculty }] },
    })
    const stale = await admin.put(`/settings/roles/${role.id}`, change)
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'stale_version'])
  })

  test('role names are unique regardless of case', async () => {
    const { name } = await newRole()
    const again = await admin.post('/settings/roles', content(name.toUpperCase()))
    expect([again.statusCode, Object.keys(again.json().errors)]).toEqual([422, ['name']])
  })

  test('roles the code refers to keep their names and cannot be deleted', async () => {
    const id = await roleOf(admin)
    const { version } = (await admin.get(`/settings/roles/${id}`)).json().data
    const renamed = await admin.put(`/settings/roles/${id}`, { ...content('Bos'), version })
    expect(Object.keys(renamed.json().errors)).toEqual(['name'])
    expect((await admin.delete(`/settings/roles/${id}`)).json().code).toBe('role_name_fixed')
  })

  test('a role with holders is deleted only with a new role for them', async () => {
    const role = await newRole()
    const target = await newRole()
    const holder = await asStaff(t, role.name)
    const refused = await admin.delete(`/settings/roles/${role.id}`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'role_held'])
    const moved = await admin.delete(`/settings/roles/${role.id}?moveTo=${target.id}`)
    expect(moved.json().data).toEqual({ id: role.id, moved: 1 })
    expect(await roleOf(holder)).toBe(target.id)
  })

  test('a copy has the permissions and menus of the original', async () => {
    const model = await t.db.selectFrom('roles').select('id').where('name', '=', 'Keuangan').executeTakeFirstOrThrow()
    const copy = await newRole(admin, { copyOf: model.id })
    const [ofModel, ofCopy] = await Promise.all(
      [model.id, copy.id].map(async (id) => (await admin.get(`/settings/roles/${id}`)).json().data),
    )
    expect([ofCopy.permissions, ofCopy.menus]).toEqual([ofModel.permissions, ofModel.menus])
  })
})

describe('permissions of a role', () => {
  test("a change applies to the holder's next request", async () => {
    const role = await newRole()
    const holder = await asStaff(t, role.name)
    expect((await holder.get('/master/fakultas')).statusCode).toBe(403)
    const answer = await setPermissions(admin, role.id, 1, ['master-fakultas-view'])
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await holder.get('/master/fakultas')).statusCode).toBe(200)
    await setPermissions(admin, role.id, 2, [])
    expect((await holder.get('/master/fakultas')).statusCode).toBe(403)
  })

  test('permissions the actor lacks cannot be given directly, by a copy or by moving holders', async () => {
    const clerk = await asWithPermissions(t, grantRights)
    const role = await newRole(clerk)
    const refused = await setPermissions(clerk, role.id, 1, ['settings-roles-view', 'master-fakultas-view'])
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['held']])
    expect((await setPermissions(clerk, role.id, 1, ['settings-roles-view'])).statusCode).toBe(200)
    const { id: finance } = await t.db
      .selectFrom('roles')
      .select('id')
      .where('name', '=', 'Keuangan')
      .executeTakeFirstOrThrow()
    const copy = await clerk.post('/settings/roles', { ...content('Salinan'), copyOf: finance })
    expect(Object.keys(copy.json().errors)).toEqual(['copyOf'])
    await asStaff(t, role.name)
    const moved = await clerk.delete(`/settings/roles/${role.id}?moveTo=${finance}`)
    expect(Object.keys(moved.json().errors)).toEqual(['moveTo'])
  })

  test('a role with more rights than the actor cannot lose permissions either', async () => {
    const clerk = await asWithPermissions(t, [...grantRights, 'master-fakultas-view'])
    const role = await newRole()
    await setPermissions(admin, role.id, 1, ['master-fakultas-view', 'master-jenjang-view'])
    const refused = await setPermissions(clerk, role.id, 2, ['master-fakultas-view'])
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'role_beyond_own'])
    await setPermissions(admin, role.id, 2, ['master-fakultas-view'])
    expect((await setPermissions(clerk, role.id, 3, [])).statusCode).toBe(200)
  })

  test('a refused permission is named, both built-in and custom', async () => {
    const slug = 'asrama-pintu'
    await admin.post('/settings/permissions', { slug, name: { en: 'Doors', id: 'Pintu' }, group: 'students' })
    const clerk = await asWithPermissions(t, grantRights)
    const role = await newRole(clerk)
    const refused = await setPermissions(clerk, role.id, 1, [slug, 'pendaftaran-view'])
    const [sentence] = refused.json().errors.held
    expect(sentence).toMatch(/(Pintu; Lihat pendaftaran|Doors; View registrations)\.$/)
    expect(sentence).not.toContain(slug)
  })

  test('a custom permission of a role with more rights than the actor cannot be deleted', async () => {
    const slug = 'asrama-kunci'
    await admin.post('/settings/permissions', { slug, name: { en: 'Keys', id: 'Kunci' }, group: 'students' })
    const clerk = await asWithPermissions(t, ['settings-permissions-delete'])
    expect((await clerk.delete(`/settings/permissions/${slug}`)).json().code).toBe('role_beyond_own')
    expect((await admin.delete(`/settings/permissions/${slug}`)).statusCode).toBe(200)
  })

  test('an actor limited to study programmes cannot give access to others', async () => {
    const [own, other] = fixture.programmes
    const clerk = await asWithPermissions(t, grantRights, { programmeIds: [own!] })
    const wide = await clerk.post('/settings/roles', content('Luas'))
    expect(Object.keys(wide.json().errors)).toEqual(['programmeIds'])
    const foreign = await clerk.post('/settings/roles', { ...content('Lain'), programmeIds: [other] })
    expect(Object.keys(foreign.json().errors)).toEqual(['programmeIds'])
    await newRole(clerk, { programmeIds: [own] })
  })

  test('the last administrator cannot remove the last administrative rights', async () => {
    const id = await roleOf(admin)
    const { version } = (await admin.get(`/settings/roles/${id}`)).json().data
    const all = await holdersPermissions(admin)
    const without = all.filter((slug: string) => slug !== 'settings-accounts-update')
    const refused = await setPermissions(admin, id, version, without)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_administrator'])
    const limited = await admin.put(`/settings/roles/${id}`, {
      ...content('Administrator'),
      programmeIds: [fixture.programmes[0]],
      version,
    })
    expect(limited.json().code).toBe('last_administrator')
    const switchedOff = await admin.put(`/settings/roles/${id}`, {
      ...content('Administrator'),
      active: false,
      version,
    })
    expect(switchedOff.json().code).toBe('last_administrator')
    expect(await holdersPermissions(admin)).toEqual(all)
  })
})

describe('menus', () => {
  const menu = (name: string, extra: object = {}) => ({
    name: { en: name, id: name },
    path: null,
    icon: 'point',
    parentId: null,
    permission: null,
    active: true,
    ...extra,
  })
  const add = async (name: string, extra: object = {}) => {
    const answer = await admin.post('/settings/url', menu(name, extra))
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data
  }
  const pathsOf = async (actor: TestActor) => JSON.stringify((await actor.get('/auth/menus')).json().data)

  test('a new menu appears for the roles that hold its permission and for no others', async () => {
    const clerk = await asStaff(t, 'Panitia PMB')
    const finance = await asStaff(t, 'Keuangan')
    await add('Fakultas kita', { path: '/master/fakultas?x=1', permission: 'master-suku-view' })
    expect(await pathsOf(clerk)).toContain('Fakultas kita')
    expect(await pathsOf(finance)).not.toContain('Fakultas kita')
  })

  test("the sidebar of a role shows the role's menus that it may open", async () => {
    const role = await newRole()
    const holder = await asStaff(t, role.name)
    const heading = await add('Judul')
    const entry = await add('Suku bangsa', {
      path: '/master/suku',
      permission: 'master-suku-view',
      parentId: heading.id,
    })
    const choice = { version: 1, chosen: [entry.id] }
    expect((await admin.put(`/settings/roles/menus/${role.id}`, choice)).statusCode).toBe(200)
    expect((await holder.get('/auth/menus')).json().data).toEqual([])
    await setPermissions(admin, role.id, 2, ['master-suku-view'])
    const [visibleMenu] = (await holder.get('/auth/menus')).json().data
    expect([visibleMenu.id, visibleMenu.children[0].id]).toEqual([heading.id, entry.id])
  })

  test('a new order is saved; an order based on a stale one is refused', async () => {
    const rows = (await admin.get('/settings/url')).json().data as { id: string; parentId: string | null }[]
    const below = Map.groupBy(rows, ({ parentId }) => parentId)
    const visit = (parent: string | null): { id: string; parentId: string | null }[] =>
      (below.get(parent) ?? []).flatMap(({ id, parentId }) => [{ id, parentId }, ...visit(id)])
    const from = visit(null)
    const top = from.filter(({ parentId }) => parentId === null)
    const last = top.at(-1)!
    const to = [...from.slice(from.indexOf(last)), ...from.slice(0, from.indexOf(last))]
    const answers = await Promise.all([
      admin.put('/settings/url/order', { from, to }),
      admin.put('/settings/url/order', { from, to: to.toReversed() }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const again = await admin.put('/settings/url/order', { from, to })
    expect(again.json().code).toBe('stale_version')
  })

  test('a menu cannot be moved into itself or below a menu with an address, nor deleted while it has submenus', async () => {
    const outer = await add('Luar')
    const inner = await add('Dalam', { parentId: outer.id })
    const into = await admin.put(`/settings/url/${outer.id}`, { ...menu('Luar', { parentId: inner.id }), version: 1 })
    expect(Object.keys(into.json().errors)).toEqual(['parentId'])
    const entry = await add('Isi', { path: '/master/suku' })
    const below = await admin.post('/settings/url', menu('Anak', { parentId: entry.id, permission: 'tidak-ada' }))
    expect(Object.keys(below.json().errors).toSorted()).toEqual(['parentId', 'permission'])
    expect((await admin.delete(`/settings/url/${outer.id}`)).json().code).toBe('menu_holds_others')
    expect((await admin.delete(`/settings/url/${inner.id}`)).statusCode).toBe(200)
    expect((await admin.delete(`/settings/url/${outer.id}`)).statusCode).toBe(200)
  })
})

describe('the catalogue of permissions', () => {
  const own = (slug: string) => ({ slug, name: { en: 'Own', id: 'Sendiri' }, group: 'students' })

  test('lists every route, menu and role that uses a permission', async () => {
    const { use } = (await admin.get('/settings/permissions/master-fakultas-view')).json().data
    expect(use.routes).toContainEqual({ method: 'GET', path: '/api/master/fakultas' })
    expect(use.menus).toHaveLength(1)
    expect(use.roles.map(({ name }: { name: string }) => name)).toContain('Administrator')
  })

  test("a custom permission is given to its creator's role, renamed, and deleted once no menu needs it", async () => {
    const created = await admin.post('/settings/permissions', own('asrama-lihat'))
    expect(created.statusCode, created.body).toBe(201)
    expect(await holdersPermissions(admin)).toContain('asrama-lihat')
    expect(Object.keys((await admin.post('/settings/permissions', own('asrama-lihat'))).json().errors)).toEqual([
      'slug',
    ])
    const { slug: _, ...rest } = own('')
    const renamed = await admin.put('/settings/permissions/asrama-lihat', {
      ...rest,
      name: { en: 'Dorm', id: 'Asrama' },
    })
    expect(renamed.json().data.name.id).toBe('Asrama')
    const menu = { name: { en: 'Dorm', id: 'Asrama' }, path: '/asrama', icon: null, parentId: null, active: true }
    const { id } = (await admin.post('/settings/url', { ...menu, permission: 'asrama-lihat' })).json().data
    expect((await admin.delete('/settings/permissions/asrama-lihat')).json().code).toBe('permission_in_menu')
    await admin.delete(`/settings/url/${id}`)
    expect((await admin.delete('/settings/permissions/asrama-lihat')).statusCode).toBe(200)
  })

  test('built-in permissions cannot be changed', async () => {
    const { slug: _, ...rest } = own('')
    expect((await admin.put('/settings/permissions/audit-view', rest)).json().code).toBe('permission_built_in')
    expect((await admin.delete('/settings/permissions/audit-view')).json().code).toBe('permission_built_in')
  })
})
