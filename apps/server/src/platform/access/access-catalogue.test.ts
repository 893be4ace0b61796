import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { DefaultMenu } from '#domain/access/menus.ts'
import { permissionSlugs, permissions } from '#domain/access/permissions.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { entities, getEntity } from '#entities/index.ts'
import { defaultMenus } from '#seeds/roles/default-menus.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { allPages } from '#web/app/all-pages.mjs'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const entityActions = ['view', 'create', 'update', 'delete'] as const
/** Entities whose rows are edited on the page of the row above them. */
const editedWithParent = new Set(['cicilan-termin'])

const everyMenu = (menus: readonly DefaultMenu[]): DefaultMenu[] =>
  menus.flatMap((menu) => [menu, ...everyMenu(menu.children ?? [])])

test('every permission that a route or screen requires is declared', () => {
  const { paths } = (
    t.app as unknown as { swagger(): { paths: Record<string, Record<string, { description?: string }>> } }
  ).swagger()
  const routePermissions = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(
      (operation) => /Needs the permission `([^`]+)`/.exec(operation.description ?? '')?.[1] ?? [],
    ),
  )
  const screenPermissions = allPages
    .map((screen) => screen.access)
    .filter((access) => access !== 'public' && access !== 'signed-in')
  expect(
    [...new Set([...routePermissions, ...screenPermissions])].filter((slug) => !permissionSlugs.has(slug)),
  ).toEqual([])
})

test('every declared permission is seeded, and no role has an undeclared one', async () => {
  const seededRows = await t.db.selectFrom('permissions').select('slug').execute()
  expect(seededRows.map((row) => row.slug).toSorted()).toEqual([...permissionSlugs].toSorted())
  for (const role of defaultRoles) expect(role.permissions.filter((slug) => !permissionSlugs.has(slug))).toEqual([])
})

/** Permissions only administrators hold: roles, accounts, external connections, audit log. */
const administratorsOnly = [
  'settings-url settings-permissions settings-roles settings-whatsapp'
    .split(' ')
    .flatMap((subject) => ['view', 'create', 'update', 'delete'].map((action) => `${subject}-${action}`)),
  'settings-roles-menus settings-roles-permissions settings-accounts-impersonate'.split(' '),
  'settings-accounts-view settings-accounts-create settings-accounts-update'.split(' '),
  'settings-providers-create settings-providers-update settings-approval-limits'.split(' '),
  'settings-general-view settings-general-update settings-opening-view settings-opening-update audit-view'.split(' '),
  'settings-health-view settings-health-update settings-campus-view settings-campus-create'.split(' '),
  'settings-campus-delete settings-feeder-view settings-feeder-update'.split(' '),
  ['create', 'update', 'delete'].map((action) => `master-notifikasi-whatsapp-${action}`),
].flat()

test('every permission belongs to a role besides the administrator, or is for administrators only', () => {
  const otherPermissions = defaultRoles
    .filter(({ name }) => name !== 'Administrator')
    .flatMap((role) => role.permissions)
  const unheldPermissions = [...permissionSlugs].filter((slug) => !otherPermissions.includes(slug))
  expect(unheldPermissions.toSorted()).toEqual(administratorsOnly.toSorted())
})

test('a role lists each of its permissions once', () => {
  for (const { permissions: slugs } of defaultRoles) expect(new Set(slugs).size).toBe(slugs.length)
})

test('every master entity has a screen, and a menu entry for itself or for its parent', () => {
  const menuPaths = new Set(everyMenu(defaultMenus).map((menu) => menu.path))
  const topOf = (entity: Entity): Entity => (entity.parent ? topOf(getEntity(entity.parent.slug)) : entity)
  for (const entity of entities) {
    expect(menuPaths, entity.slug).toContain(`/master/${topOf(entity).slug}`)
    if (editedWithParent.has(entity.slug)) continue
    const entityPermissions = new Set(entityActions.map((action) => permissionOf(entity, action)))
    expect(allPages.filter(({ access }) => entityPermissions.has(access)).length, entity.slug).toBeGreaterThan(0)
  }
})

test('each permission has one name, in both languages', () => {
  expect(new Set(permissions.map((permission) => permission.slug)).size).toBe(permissions.length)
  for (const { name } of permissions) expect(name.en && name.id).toBeTruthy()
})

test('applicants hold no permission of the back office', () => {
  const applicantPermissions = defaultRoles.find((role) => role.name === applicantRole)!.permissions
  expect(
    applicantPermissions.filter((slug) =>
      /^(master|settings|laporan|marketing)-|-(verify|decide|publish|note)$/.test(slug),
    ),
  ).toEqual([])
})

test('every menu entry leads to a screen with the same permission, or one open to all signed-in users', () => {
  const wrongMenus = everyMenu(defaultMenus).filter(({ path: menuPath, permission }) => {
    if (!menuPath) return false
    const screen = allPages.find((candidate) => candidate.path === menuPath)
    if (!screen) return true
    const isNarrower = screen.access === 'signed-in' && permission === screen.menu?.permission
    return !isNarrower && (permission ?? 'signed-in') !== screen.access
  })
  expect(wrongMenus.map((menu) => menu.path)).toEqual([])
})

test('only config.ts and the entry files read the environment', () => {
  const filesBelow = (folder: string): string[] =>
    fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(file) : /(?<!\.test)\.(ts|mjs)$/.test(file) ? [file] : []
    })
  const source = path.resolve(import.meta.dirname, '../..')
  const readers = filesBelow(source).filter((file) => fs.readFileSync(file, 'utf8').includes('process.env'))
  const allowedFiles = [
    'main.mjs',
    'worker.mjs',
    'demo.ts',
    'backup.ts',
    'restore.ts',
    'restore-test.ts',
    'maintenance.ts',
    'facts.ts',
    'administrator.ts',
    'platform/postgres/embedded-postgres.ts',
  ]
  expect(readers.map((file) => path.relative(source, file)).filter((file) => !allowedFiles.includes(file))).toEqual([])
})
