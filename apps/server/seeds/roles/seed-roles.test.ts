import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DefaultMenu } from '#domain/access/menus.ts'
import { permissions } from '#domain/access/permissions.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { defaultMenus } from './default-menus.ts'
import { seedRoles } from './seed-roles.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
afterAll(() => t.close())

const everyMenu = (menus: readonly DefaultMenu[]): DefaultMenu[] =>
  menus.flatMap((menu) => [menu, ...everyMenu(menu.children ?? [])])
const declared = everyMenu(defaultMenus).find(({ code }) => code === 'master-program')!
const oldName = { en: 'Day classes', id: 'Kelas lama' }

const readMenus = async () => (await admin.get('/settings/url')).json().data as Record<string, unknown>[]
const readMenu = async () => (await readMenus()).find(({ code }) => code === declared.code)!
const save = async (changes: object) => {
  const { id, name, path, icon, parentId, permission, active, version } = await readMenu()
  const body = { name, path, icon, parentId, permission, active, version, ...changes }
  const answer = await admin.put(`/settings/url/${id}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

/** The menu as an earlier version of the product seeded it. */
beforeEach(() =>
  sql`UPDATE menus SET name_en = ${oldName.en}, name_id = ${oldName.id}, icon = ${declared.icon},
    seeded_name_en = ${oldName.en}, seeded_name_id = ${oldName.id} WHERE code = ${declared.code}`.execute(t.owner),
)

test('a menu that no administrator renamed has the new name after an update, even if something else in it changed', async () => {
  await save({ icon: 'school' })
  const { version } = await readMenu()
  await seedRoles(t.owner)
  expect(await readMenu()).toMatchObject({ name: declared.name, icon: 'school', version: Number(version) + 1 })
  const before = await readMenus()
  await seedRoles(t.owner)
  expect(await readMenus()).toEqual(before)
})

test('a menu that an administrator renamed keeps that name in the language that was changed', async () => {
  await save({ name: { ...oldName, en: 'Our classes' } })
  await seedRoles(t.owner)
  await seedRoles(t.owner)
  expect((await readMenu()).name).toEqual({ en: 'Our classes', id: declared.name.id })
})

test('a menu added by an administrator has no seeded name', async () => {
  const added = { name: oldName, path: '/contoh', icon: 'point', parentId: null, permission: null, active: true }
  expect((await admin.post('/settings/url', added)).statusCode).toBe(201)
  await seedRoles(t.owner)
  expect((await readMenus()).find(({ path }) => path === '/contoh')).toMatchObject({ name: oldName, version: 1 })
})

test('a built-in permission, which nobody can rename, has the new name after an update', async () => {
  const { slug, name } = permissions.find((permission) => permission.slug === 'master-program-view')!
  await t.owner.updateTable('permissions').set({ nameEn: 'Old', nameId: 'Lama' }).where('slug', '=', slug).execute()
  await seedRoles(t.owner)
  const stored = await t.db.selectFrom('permissions').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ nameEn: name.en, nameId: name.id })
})
