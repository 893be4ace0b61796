import { sql } from 'kysely'
import type { z } from 'zod'
import type {
  createPermission as createCall,
  PermissionRow,
  updatePermission as updateCall,
} from '#domain/access/endpoints.ts'
import { listPermissions } from '#domain/access/lists.ts'
import { type PermissionGroup, permissionGroups } from '#domain/access/permissions.ts'
import { serveList } from '#server/list/serve-list.ts'
import { keepAnAdministrator, lockGiver } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { findMenus } from './menus.ts'
import { getRole, lockRole, raiseVersion, refusalOfRole } from './roles.ts'

const subtract = (from: readonly string[], without: readonly string[]) => {
  const excluded = new Set(without)
  return from.filter((slug) => !excluded.has(slug))
}

const permissionsOf = async (db: Db, roleId: string) =>
  (
    await db
      .selectFrom('rolePermissions')
      .select('permission')
      .where('roleId', '=', roleId)
      .orderBy('permission')
      .execute()
  ).map(({ permission }) => permission)

const toPermissionRow = ({ slug, nameEn, nameId, groupName, builtIn, roles }: Stored): PermissionRow => ({
  slug,
  name: { en: nameEn, id: nameId },
  group: groupName,
  builtIn,
  roles,
})
type Stored = { slug: string; nameEn: string; nameId: string; groupName: string; builtIn: boolean; roles: number }

const roleCount = sql<number>`(SELECT count(*)::int FROM role_permissions x WHERE x.permission = p.slug)`

const permissionColumns = ['p.slug', 'p.nameEn', 'p.nameId', 'p.groupName', 'p.builtIn', roleCount.as('roles')] as const

const permissionsWithRoleCount = (db: Db) => db.selectFrom('permissions as p').select(permissionColumns)

/** Reads a role, every permission, and the slugs the role holds. */
export async function readRolePermissions(db: Db, roleId: string) {
  const [role, catalogue, held] = await Promise.all([
    getRole(db, roleId),
    permissionsWithRoleCount(db).orderBy('p.slug').execute(),
    permissionsOf(db, roleId),
  ])
  return { role, catalogue: catalogue.map(toPermissionRow), held }
}

/** Sets the permissions of a role; throws if they exceed the giver's or if no administrator would remain. */
export const setRolePermissions = (
  db: Db,
  actor: Actor,
  roleId: string,
  { version, held: newPermissions }: { version: number; held: string[] },
  now: Date,
) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-permissions')
    await lockRole(tx, giver, roleId, version)
    const before = await permissionsOf(tx, roleId)
    const added = subtract(newPermissions, before)
    const removed = subtract(before, newPermissions)
    if (added.length > 0) {
      const excluded = await tx.selectFrom('permissions').select('slug').where('slug', 'in', added).execute()
      if (excluded.length < new Set(added).size) throw invalid({ held: 'not_found' })
      await tx
        .insertInto('rolePermissions')
        .values([...new Set(added)].map((permission) => ({ roleId, permission })))
        .execute()
    }
    if (removed.length > 0)
      await tx.deleteFrom('rolePermissions').where('roleId', '=', roleId).where('permission', 'in', removed).execute()
    const refusal = await refusalOfRole(tx, giver, roleId)
    if (refusal) throw invalid({ held: refusal })
    if (added.length + removed.length > 0) {
      await raiseVersion(tx, giver, roleId, now)
      await keepAnAdministrator(tx)
      await recordAudit(tx, giver, {
        action: 'role.permissions',
        on: { role: roleId },
        before: { removed },
        after: { added },
      })
    }
    return getRole(tx, roleId)
  })

/** Reads a role with all menus, its own menus and its permissions, for the preview of its sidebar. */
export async function readRoleMenus(db: Db, roleId: string) {
  const [role, menus, chosen, permissions] = await Promise.all([
    getRole(db, roleId),
    findMenus(db),
    db.selectFrom('roleMenus').select('menuId').where('roleId', '=', roleId).execute(),
    permissionsOf(db, roleId),
  ])
  return { role, menus, chosen: chosen.map(({ menuId }) => menuId), permissions }
}

/** Sets the menus of a role, together with the headings above them. */
export const setRoleMenus = (
  db: Db,
  actor: Actor,
  roleId: string,
  { version, chosen }: { version: number; chosen: string[] },
  now: Date,
) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-menus')
    await lockRole(tx, giver, roleId, version)
    const menus = new Map((await findMenus(tx)).map((menu) => [menu.id, menu]))
    if (chosen.some((id) => !menus.has(id))) throw invalid({ chosen: 'not_found' })
    const complete = new Set<string>()
    for (const id of chosen)
      for (let menuId: string | null = id; menuId; menuId = menus.get(menuId)?.parentId ?? null) complete.add(menuId)
    const before = (await tx.selectFrom('roleMenus').select('menuId').where('roleId', '=', roleId).execute()).map(
      ({ menuId }) => menuId,
    )
    const added = subtract([...complete], before)
    const removed = subtract(before, [...complete])
    if (removed.length > 0)
      await tx.deleteFrom('roleMenus').where('roleId', '=', roleId).where('menuId', 'in', removed).execute()
    if (added.length > 0)
      await tx
        .insertInto('roleMenus')
        .values(added.map((menuId) => ({ roleId, menuId })))
        .execute()
    if (added.length + removed.length > 0) {
      await raiseVersion(tx, giver, roleId, now)
      const namesOf = (ids: string[]) => ids.map((id) => menus.get(id)?.name.en ?? id)
      await recordAudit(tx, giver, {
        action: 'role.menus',
        on: { role: roleId },
        before: { removed: namesOf(removed) },
        after: { added: namesOf(added) },
      })
    }
    return getRole(tx, roleId)
  })

export const servePermissions = (app: App, services: Services) =>
  serveList(app, services, listPermissions, {
    from: () => services.db.selectFrom('permissions as p'),
    scope: 'everyone',
    filters: {
      q: (q) => (eb) => eb.or([contains('p.slug', q), contains('p.nameEn', q), contains('p.nameId', q)]),
      group: 'p.groupName',
      builtIn: 'p.builtIn',
    },
    columns: (rows) => rows.select(permissionColumns),
    sorts: { slug: { by: sql`p.slug` }, roles: { by: roleCount } },
    id: sql`p.slug`,
    toRows: (found, { language }) => found.map(toPermissionRow).map((row) => ({ ...row, title: row.name[language] })),
    nameOf: (_filter, group, { language }) => permissionGroups[group as PermissionGroup]?.[language],
  })

async function getPermission(db: Db, slug: string): Promise<PermissionRow> {
  const row = await permissionsWithRoleCount(db).where('p.slug', '=', slug).executeTakeFirst()
  if (!row) throw notFound('permission')
  return toPermissionRow(row)
}

const holdersOf = (db: Db, slug: string) =>
  db
    .selectFrom('rolePermissions')
    .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
    .select(['roles.id', 'roles.name'])
    .where('permission', '=', slug)
    .orderBy('roles.name')
    .execute()

type Route = { method: string; path: string; access: string; alsoFor: readonly string[] }

/** Reads a permission with every route, menu and role that uses it. */
export async function readPermission(db: Db, slug: string, routes: readonly Route[]) {
  const [row, menus, roles] = await Promise.all([getPermission(db, slug), findMenus(db), holdersOf(db, slug)])
  return {
    ...row,
    use: {
      routes: routes
        .filter(({ access, alsoFor }) => access === slug || alsoFor.includes(slug))
        .map(({ method, path }) => ({ method, path })),
      menus: menus.filter(({ permission }) => permission === slug).map(({ id, name }) => ({ id, name })),
      roles,
    },
  }
}

const refuseUnknownGroup = (group: string) => {
  if (!Object.hasOwn(permissionGroups, group)) throw invalid({ group: 'invalid_input' })
}

/** Adds a custom permission and gives it to the actor's role; otherwise nobody could assign it. */
export const createPermission = (db: Db, actor: Actor, { slug, name, group }: z.output<typeof createCall.body>) =>
  db.transaction().execute(async (tx) => {
    refuseUnknownGroup(group)
    const giver = await lockGiver(tx, actor, 'settings-permissions-create')
    const added = await tx
      .insertInto('permissions')
      .values({ slug, nameEn: name.en, nameId: name.id, groupName: group, builtIn: false })
      .onConflict((conflict) => conflict.doNothing())
      .returning('slug')
      .executeTakeFirst()
    if (!added) throw invalid({ slug: 'already_exists' })
    await tx.insertInto('rolePermissions').values({ roleId: giver.role.id, permission: slug }).execute()
    const after = await getPermission(tx, slug)
    await recordAudit(tx, giver, { action: 'permission.create', on: { permission: slug }, after })
    return after
  })

async function lockCustom(tx: Db, slug: string) {
  await tx.selectFrom('permissions').select('slug').where('slug', '=', slug).forUpdate().execute()
  const row = await getPermission(tx, slug)
  if (row.builtIn) throw conflict('permission_built_in')
  return row
}

export const updatePermission = (
  db: Db,
  actor: Actor,
  slug: string,
  { name, group }: z.output<typeof updateCall.body>,
) =>
  db.transaction().execute(async (tx) => {
    refuseUnknownGroup(group)
    const before = await lockCustom(tx, slug)
    await tx
      .updateTable('permissions')
      .set({ nameEn: name.en, nameId: name.id, groupName: group })
      .where('slug', '=', slug)
      .execute()
    const after = await getPermission(tx, slug)
    await recordAudit(tx, actor, { action: 'permission.update', on: { permission: slug }, before, after })
    return after
  })

/** Deletes a permission from every role; throws 403 if one of these roles exceeds the giver's. */
export const removePermission = (db: Db, actor: Actor, slug: string) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-permissions-delete')
    const before = await lockCustom(tx, slug)
    const menu = await tx.selectFrom('menus').select('nameEn').where('permission', '=', slug).executeTakeFirst()
    if (menu) throw conflict('permission_in_menu', { menu: menu.nameEn })
    for (const { id, name } of await holdersOf(tx, slug))
      if (await refusalOfRole(tx, giver, id)) throw new AppError(403, 'role_beyond_own', { role: name })
    await tx.deleteFrom('permissions').where('slug', '=', slug).execute()
    await recordAudit(tx, giver, { action: 'permission.delete', on: { permission: slug }, before })
  })
