import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type FullUniversity, fullUniversity } from '#server-test/factories/universities/full-university.ts'
import { isList, type Route, routesOf } from '#server-test/routes.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sampleOf } from '#testing/form.ts'
import { allPages } from '#web/app/all-pages.mjs'

/**
 * Calls every endpoint as every default role. The daily form makes all calls as an administrator, who may make every
 * call, and as an affiliate, who may make nearly none, and a seeded sample as each other role.
 */
const completeRoles = ['Administrator', 'Afiliator']
const drawnFor = <T>(role: string, what: string, all: readonly T[], count: number): readonly T[] =>
  completeRoles.includes(role) ? all : sampleOf(`${role} ${what}`, all, count)
/** Calls that affiliates may make; every other role without the permission is refused. */
const ofAffiliates: readonly string[] = defaultRoles.find(({ name }) => name === 'Afiliator')!.permissions

/** Permissions of nested entities as the specification names them, written independently of the declarations. */
const nestedSlugs: Record<string, { view: string; create: string; update: string; delete: string }> = {
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
  nestedSlugs[slug] ?? {
    view: `master-${slug}-view`,
    create: `master-${slug}-create`,
    update: `master-${slug}-update`,
    delete: `master-${slug}-delete`,
  }

/** Entities that pages outside master data offer as choices, by the permission that opens the page. */
const offeredBy: Record<string, readonly string[]> = {
  'pendaftaran-view': ['periode', 'jalur', 'prodi'],
  'pindah-prodi-view': ['periode', 'prodi'],
  'berkas-mahasiswa-view': ['periode', 'prodi'],
  'seleksi-view': ['periode', 'jalur', 'prodi', 'program'],
  'event-afiliator-create': ['sma-nama'],
  'event-afiliator-update': ['sma-nama'],
  'settings-roles-create': ['fakultas', 'prodi'],
  'settings-roles-update': ['fakultas', 'prodi'],
}

/** Whether these permissions open a form or page with a choice of the entity's rows. */
function mayChoose(entity: Entity, permissions: ReadonlySet<string>) {
  if (permissions.has(slugsOf(entity).view)) return true
  const referringEntities = entities.filter(({ fields }) =>
    Object.values(fields).some((field) => 'to' in field && field.to === entity.slug),
  )
  return (
    referringEntities.some((referring) => {
      const { view, create, update } = slugsOf(referring)
      return [view, create, update].some((slug) => permissions.has(slug))
    }) || Object.entries(offeredBy).some(([slug, slugs]) => permissions.has(slug) && slugs.includes(entity.slug))
  )
}

const nobody = crypto.randomUUID()
const fillPath = (path: string) =>
  path
    .replace('/api', '')
    .replace(/\{field\}/, 'photo')
    .replace(/\{\w+\}/g, nobody)

/** The path with ids of existing rows. */
const fillPathWithRows = (path: string, entity?: Entity) =>
  path
    .replace('/api', '')
    .replace(/\{field\}/, 'photo')
    .replace(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
      const row = entity && (name === 'parentId' ? world.rows[segment] : world.rows[entity.slug])
      return `${segment}/${world.ids[segment] ?? row?.id ?? nobody}`
    })

const send = (actor: TestActor, { method }: Route, path: string) =>
  method === 'get' || method === 'delete' ? actor[method](path) : actor[method](path, {})

/** Whether a refusal has only code, message and request id, and no row's id. */
const isBareRefusal = (answer: Awaited<ReturnType<typeof send>>) => {
  const { message, code, request_id, ...rest } = answer.json()
  return (
    code === 'forbidden' &&
    Object.keys(rest).length === 0 &&
    !Object.values(world.ids).some((id) => message.includes(id))
  )
}

/** Entity of a path; for nested paths, the nested entity. */
const entityOf = (path: string) =>
  entities.find(({ parent }) => parent && path.startsWith(`/api/master/${parent.slug}/{parentId}/${parent.path}`)) ??
  entities.find(({ slug }) => new RegExp(`^/api/master/${slug}(/|$)`).test(path))

/** Permission a master data call must require, by method and path. */
function slugFor(entity: Entity, { method, path }: Route) {
  const slugs = slugsOf(entity)
  if (method === 'get') return path.endsWith('/template') ? slugs.create : slugs.view
  if (method === 'put') return slugs.update
  if (method === 'delete' || path.includes('/bulk/delete')) return slugs.delete
  return /\/(bulk|files|merges?|duplicates|proposals)(\/|$)/.test(path) ? slugs.update : slugs.create
}

let t: TestApp
let routes: Route[]
let world: FullUniversity
let calls: Map<Entity | undefined, Route[]>
beforeAll(async () => {
  t = await testApp()
  routes = routesOf(t.app)
  world = await fullUniversity(t)
  calls = Map.groupBy(
    routes.filter(({ path }) => path.startsWith('/api/master/')),
    ({ path }) => entityOf(path),
  )
}, 120_000)
afterAll(() => t.close())

const pathsOf = (menus: readonly MenuItem[]): string[] =>
  menus.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsOf(children)])

describe.each(defaultRoles.map(({ name }) => name))('as %s', (role) => {
  let actor: TestActor
  let permissions: ReadonlySet<string>
  let menu: ReadonlySet<string>
  /** Permissions the API sends to the web app, which decide about its buttons. */
  let answeredPermissions: ReadonlySet<string>

  beforeAll(async () => {
    actor = await asStaff(t, role)
    const rolePermissions = await t.db
      .selectFrom('rolePermissions')
      .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
      .select('permission')
      .where('roles.name', '=', role)
      .execute()
    permissions = new Set(rolePermissions.map(({ permission }) => permission))
    const [menus, permissionsAnswer] = await Promise.all([actor.get('/auth/menus'), actor.get('/auth/permissions')])
    menu = new Set(pathsOf(menus.json().data))
    answeredPermissions = new Set(permissionsAnswer.json().data.map(({ slug }: { slug: string }) => slug))
  })

  test("the web app receives exactly the role's permissions", () => {
    expect([...answeredPermissions].sort()).toEqual([...permissions].sort())
  })

  test.each(entities.map((entity) => [entity.slug, entity] as const))(
    '%s: every call is allowed exactly when the role holds its permission',
    async (_slug, entity) => {
      const routesOfEntity = calls.get(entity)!
      expect(routesOfEntity.length).toBeGreaterThan(15)
      for (const route of routesOfEntity) expect(route.permission, route.path).toBe(slugFor(entity, route))
      for (const route of drawnFor(role, entity.slug, routesOfEntity, 4)) {
        const call = `${route.method.toUpperCase()} ${route.path}`
        const slug = slugFor(entity, route)
        const isAllowed = route.path.endsWith('/options') ? mayChoose(entity, permissions) : permissions.has(slug)
        // Allowed calls use existing rows only for reads; refused calls must be refused with existing rows too.
        const needsQuery = (route.operation.parameters ?? []).some(
          (parameter) => parameter.in === 'query' && parameter.required,
        )
        const isRead = route.method === 'get' && !route.path.includes('{field}') && !needsQuery
        const path = isAllowed && !isRead ? fillPath(route.path) : fillPathWithRows(route.path, entity)
        const answer = await send(actor, route, path)
        const { statusCode } = answer
        expect(statusCode === 403, `${call} (${slug}) answered ${statusCode}`).toBe(!isAllowed)
        expect([401, 500], call).not.toContain(statusCode)
        if (!isAllowed) expect(isBareRefusal(answer), `${call}: ${answer.body}`).toBe(true)
        else if (isRead) expect(statusCode, `${call}: ${answer.body}`).toBe(200)
      }
    },
  )

  test('choices of master data show only names and codes, and only these are searched', async () => {
    const choosable = entities.filter((entity) => mayChoose(entity, permissions))
    for (const entity of drawnFor(role, 'choices', choosable, 6)) {
      const row = world.rows[entity.slug]!
      const answer = await actor.get(`/master/${entity.slug}/options?ids=${row.id}`)
      expect(answer.json().data.map(({ id }: { id: string }) => id)).toEqual([row.id])
      for (const [key, { kind, sensitive }] of Object.entries(entity.fields)) {
        if ((kind !== 'email' && !sensitive) || typeof row[key] !== 'string') continue
        expect(answer.body, `${entity.slug} ${key}`).not.toContain(row[key])
        const searchAnswer = await actor.get(`/master/${entity.slug}/options?q=${encodeURIComponent(row[key])}`)
        expect(searchAnswer.json().data, `${entity.slug} ${key}`).toEqual([])
      }
    }
  })

  test('every call outside master data is refused without its permission, and the refusal reveals nothing', async () => {
    const refused = routes.filter(
      ({ permission, path }) => permission && !permissions.has(permission) && !entityOf(path),
    )
    const [everyDay, others] = [true, false].map((isEveryDay) =>
      refused.filter(({ permission }) => ofAffiliates.includes(permission!) === isEveryDay),
    )
    for (const route of [...everyDay!, ...drawnFor(role, 'refusals', others!, 60)]) {
      const call = `${route.method.toUpperCase()} ${route.path}`
      const answer = await send(actor, route, fillPathWithRows(route.path))
      expect(answer.statusCode, call).toBe(403)
      expect(isBareRefusal(answer), `${call}: ${answer.body}`).toBe(true)
    }
  })

  test('the buttons require the same permissions as the calls behind them', () => {
    for (const entity of entities) {
      const slugs = slugsOf(entity)
      for (const action of ['view', 'create', 'update', 'delete'] as const)
        expect(permissionOf(entity, action), `${entity.slug} ${action}`).toBe(slugs[action])
    }
  })

  test('the menu leads to a list exactly if the role may read it', () => {
    for (const entity of entities) {
      if (entity.parent) continue
      expect(menu.has(`/master/${entity.slug}`), entity.slug).toBe(permissions.has(slugsOf(entity).view))
    }
  })

  test('every master data screen requires the permission of its calls', () => {
    for (const { path, access } of allPages) {
      const [, root, slug = '', second, third] = path.split('/')
      const entity = root === 'master' ? entities.find((candidate) => candidate.slug === slug) : undefined
      if (!entity || third === 'program' || third === 'file') continue
      const isNested = second === ':id' && third !== undefined
      if (isNested) continue
      const slugs = slugsOf(entity)
      if (second === undefined) expect(access, path).toBe(slugs.view)
      if (second === 'create') expect(access, path).toBe(slugs.create)
      if (second === ':id') expect(access, path).toBe(slugs.update)
      if (second === 'view') expect(access, path).toBe(slugs.view)
    }
  })

  test('no menu entry leads to a screen the role may not open', () => {
    const access = new Map(allPages.map((screen) => [screen.path, screen.access]))
    for (const path of menu) {
      const screenAccess = access.get(path)
      expect(screenAccess, `${path} is no screen`).toBeDefined()
      expect(['public', 'signed-in'].includes(screenAccess!) || permissions.has(screenAccess!), path).toBe(true)
    }
  })
})

test('every list has rows for the administrator, so that a leak would be visible', async () => {
  const emptyLists: string[] = []
  for (const route of routes) {
    if (!isList(route) || route.path.includes('{')) continue
    const answer = await world.admin.get(route.path)
    expect(answer.statusCode, `${route.path}: ${answer.body}`).toBe(200)
    if (answer.json().meta.total === 0) emptyLists.push(route.path)
  }
  expect(emptyLists).toEqual([])
})

test('an applicant chooses only from waves, tracks and study programmes, by name', async () => {
  const applicant = await asStaff(t, applicantRole)
  const openEntities: string[] = []
  for (const entity of entities) {
    const answer = await applicant.get(`/master/${entity.slug}/options`)
    if (answer.statusCode === 403) continue
    openEntities.push(entity.slug)
    for (const { id: _, title, ...rest } of answer.json().data) {
      expect(title).toBeTruthy()
      expect(rest).toEqual({ hint: null, active: true })
    }
  }
  expect(openEntities).toEqual(['prodi', 'periode', 'jalur'])
})

test('every call below /master concerns rows of one entity', () => {
  expect(calls.get(undefined)).toBeUndefined()
})

test('nested rows open with the permissions the specification names', () => {
  const access = Object.fromEntries(allPages.map((screen) => [screen.path, screen.access]))
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
