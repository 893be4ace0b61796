import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MenuItem } from '#domain/access/endpoints.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import { screens } from '#domain/navigation/screens.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { asStaff, type TestActor } from './actors.ts'
import { type Route, routesOf } from './routes.ts'
import { type TestApp, testApp } from './test-app.ts'

/** What the specification calls the permissions of rows below others, written out apart from the declarations. */
const special: Record<string, { view: string; create: string; update: string; delete: string }> = {
  'prodi-detail': {
    view: 'master-prodi-view',
    create: 'master-prodi-detail-create',
    update: 'master-prodi-detail-edit',
    delete: 'master-prodi-detail-delete',
  },
  'uang-kuliah': {
    view: 'master-prodi-view',
    create: 'master-uang-kuliah-create',
    update: 'master-uang-kuliah-edit',
    delete: 'master-uang-kuliah-delete',
  },
  'jalur-detail': {
    view: 'master-jalur-view',
    create: 'master-jalur-detail-create',
    update: 'master-jalur-detail-edit',
    delete: 'master-jalur-detail-delete',
  },
  'jalur-file': {
    view: 'master-jalur-view',
    create: 'master-jalur-file-create',
    update: 'master-jalur-file-edit',
    delete: 'master-jalur-file-delete',
  },
  'sma-jurusan': {
    view: 'master-sma-view',
    create: 'master-sma-jurusan-create',
    update: 'master-sma-jurusan-edit',
    delete: 'master-sma-jurusan-delete',
  },
  voucher: {
    view: 'master-diskon-view',
    create: 'master-voucher-create',
    update: 'master-voucher-edit',
    delete: 'master-voucher-delete',
  },
  'cicilan-termin': {
    view: 'master-cicilan-view',
    create: 'master-cicilan-update',
    update: 'master-cicilan-update',
    delete: 'master-cicilan-update',
  },
}

const slugsOf = ({ slug }: Entity) =>
  special[slug] ?? {
    view: `master-${slug}-view`,
    create: `master-${slug}-create`,
    update: `master-${slug}-update`,
    delete: `master-${slug}-delete`,
  }

const nobody = crypto.randomUUID()
const filled = (path: string) =>
  path
    .replace('/api', '')
    .replace(/\{field\}/, 'photo')
    .replace(/\{\w+\}/g, nobody)

/** The entity whose rows a path speaks of: of a row below another, the lower one. */
const entityOf = (path: string) =>
  entities.find(({ parent }) => parent && path.startsWith(`/api/master/${parent.slug}/{parentId}/${parent.path}`)) ??
  entities.find(({ slug }) => new RegExp(`^/api/master/${slug}(/|$)`).test(path))

/** Permission that a call of master data must ask for, read off its method and path; nothing for choices. */
function slugFor(entity: Entity, { method, path }: Route) {
  const wanted = slugsOf(entity)
  if (path.endsWith('/options')) return undefined
  if (method === 'get') return path.endsWith('/template') ? wanted.create : wanted.view
  if (method === 'put') return wanted.update
  if (method === 'delete' || path.includes('/bulk/delete')) return wanted.delete
  return /\/(bulk|files|merges?|duplicates|proposals)(\/|$)/.test(path) ? wanted.update : wanted.create
}

let t: TestApp
let calls: Map<Entity | undefined, Route[]>
beforeAll(async () => {
  t = await testApp()
  calls = Map.groupBy(
    routesOf(t.app).filter(({ path }) => path.startsWith('/api/master/')),
    ({ path }) => entityOf(path),
  )
})
afterAll(() => t.close())

const pathsOf = (menus: readonly MenuItem[]): string[] =>
  menus.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsOf(children)])

describe.each(defaultRoles.map(({ name }) => name))('as %s', (role) => {
  let actor: TestActor
  let granted: ReadonlySet<string>
  let menu: ReadonlySet<string>
  /** What the web app knows of the signed-in account: its buttons ask for nothing else. */
  let told: ReadonlySet<string>

  beforeAll(async () => {
    actor = await asStaff(t, role)
    const held = await t.db
      .selectFrom('rolePermissions')
      .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
      .select('permission')
      .where('roles.name', '=', role)
      .execute()
    granted = new Set(held.map(({ permission }) => permission))
    const [menus, permissions] = await Promise.all([actor.get('/auth/menus'), actor.get('/auth/permissions')])
    menu = new Set(pathsOf(menus.json().data))
    told = new Set(permissions.json().data.map(({ slug }: { slug: string }) => slug))
  })

  test('the web app is told exactly what the role holds', () => {
    expect([...told].sort()).toEqual([...granted].sort())
  })

  test.each(entities.map((entity) => [entity.slug, entity] as const))(
    '%s: every call is allowed exactly when the role holds its permission',
    async (_slug, entity) => {
      const own = calls.get(entity)!
      expect(own.length).toBeGreaterThan(15)
      for (const route of own) {
        const call = `${route.method.toUpperCase()} ${route.path}`
        const slug = slugFor(entity, route)
        expect(route.permission, call).toBe(slug)
        if (!slug) continue
        const path = filled(route.path)
        const { statusCode } = await (route.method === 'get' || route.method === 'delete'
          ? actor[route.method](path)
          : actor[route.method](path, {}))
        expect(statusCode === 403, `${call} (${slug}) answered ${statusCode}`).toBe(!granted.has(slug))
        expect([401, 500], call).not.toContain(statusCode)
      }
    },
  )

  test('the buttons ask for the same permissions as the calls behind them', () => {
    for (const entity of entities) {
      const wanted = slugsOf(entity)
      for (const action of ['view', 'create', 'update', 'delete'] as const)
        expect(permissionOf(entity, action), `${entity.slug} ${action}`).toBe(wanted[action])
    }
  })

  test('the menu leads to a list exactly when the role may read it', () => {
    for (const entity of entities) {
      if (entity.parent) continue
      expect(menu.has(`/master/${entity.slug}`), entity.slug).toBe(granted.has(slugsOf(entity).view))
    }
  })

  test('every screen of master data opens for whom its calls answer', () => {
    for (const { path, access } of screens) {
      const [, root, slug = '', second, third] = path.split('/')
      const entity = root === 'master' ? entities.find((candidate) => candidate.slug === slug) : undefined
      if (!entity || third === 'program' || third === 'file') continue
      const nested = second === ':id' && third !== undefined
      if (nested) continue
      const wanted = slugsOf(entity)
      if (second === undefined) expect(access, path).toBe(wanted.view)
      if (second === 'create') expect(access, path).toBe(wanted.create)
      if (second === ':id') expect(access, path).toBe(wanted.update)
      if (second === 'view') expect(access, path).toBe(wanted.view)
    }
  })

  test('no entry of the menu leads to a screen the role may not open', () => {
    const access = new Map(screens.map((screen) => [screen.path, screen.access]))
    for (const path of menu) {
      const needed = access.get(path)
      expect(needed, `${path} is no screen`).toBeDefined()
      expect(['public', 'signed-in'].includes(needed!) || granted.has(needed!), path).toBe(true)
    }
  })
})

test('every call below /master speaks of rows of one entity', () => {
  expect(calls.get(undefined)).toBeUndefined()
})

test('rows below others open for the permissions the specification names', () => {
  const access = Object.fromEntries(screens.map((screen) => [screen.path, screen.access]))
  expect(access).toMatchObject({
    '/master/prodi/:id/create': 'master-prodi-detail-create',
    '/master/prodi/:id/edit/:idDetail': 'master-prodi-detail-edit',
    '/master/prodi/:id/create-uang-kuliah': 'master-uang-kuliah-create',
    '/master/prodi/:id/edit-uang-kuliah/:idDetail': 'master-uang-kuliah-edit',
    '/master/jalur/:id/create-jalur-file': 'master-jalur-file-create',
    '/master/jalur/:id/edit-jalur-file/:idDetail': 'master-jalur-file-edit',
    '/master/jalur/:id/create': 'master-jalur-detail-create',
    '/master/jalur/:id/edit/:idDetail': 'master-jalur-detail-edit',
    '/master/provinsi/:id/create': 'master-kota-create',
    '/master/provinsi/:id/edit-kota/:idKota': 'master-kota-update',
    '/master/kota/:id/create': 'master-kecamatan-create',
    '/master/kota/:id/edit-kecamatan/:idKecamatan': 'master-kecamatan-update',
    '/master/kecamatan/:id/create': 'master-kelurahan-create',
    '/master/kecamatan/:id/edit-kelurahan/:idKelurahan': 'master-kelurahan-update',
    '/master/sma/:id/create': 'master-sma-jurusan-create',
    '/master/sma/:id/edit/:idJurusan': 'master-sma-jurusan-edit',
  })
})
