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
import { type Db, likePattern } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { findMenus } from './menus.ts'
import { getRole, lockRole, raiseVersion, refusalOfRole } from './roles.ts'

const difference = (from: readonly string[], without: readonly string[]) => {
  const known = new Set(without)
  return from.filter((slug) => !known.has(slug))
}

const heldBy = async (db: Db, roleId: string) =>
  (
    await db
      .selectFrom('rolePermissions')
      .select('permission')
      .where('roleId', '=', roleId)
      .orderBy('permission')
      .execute()
  ).map(({ permission }) => permission)

const rowOf = ({ slug, nameEn, nameId, groupName, builtIn, roles }: Stored): PermissionRow => ({
  slug,
  name: { en: nameEn, id: nameId },
  group: groupName,
  builtIn,
  roles,
})
type Stored = { slug: string; nameEn: string; nameId: string; groupName: string; builtIn: boolean; roles: number }

const roleCount = sql<number>`(SELECT count(*)::int FROM role_permissions x WHERE x.permission = p.slug)`

const permissionColumns = ['p.slug', 'p.nameEn', 'p.nameId', 'p.groupName', 'p.builtIn', roleCount.as('roles')] as const

const counted = (db: Db) => db.selectFrom('permissions as p').select(permissionColumns)

/** Every permission, which of them the role holds, and the role itself. */
export async function readRolePermissions(db: Db, roleId: string) {
  const [role, catalogue, held] = await Promise.all([
    getRole(db, roleId),
    counted(db).orderBy('p.slug').execute(),
    heldBy(db, roleId),
  ])
  return { role, catalogue: catalogue.map(rowOf), held }
}

/** Sets what a role may do, which stays within the giver's reach; an administrator always remains. */
export const setRolePermissions = (
  db: Db,
  actor: Actor,
  roleId: string,
  { version, held: wanted }: { version: number; held: string[] },
  now: Date,
) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-permissions')
    await lockRole(tx, giver, roleId, version)
    const before = await heldBy(tx, roleId)
    const added = difference(wanted, before)
    const removed = difference(before, wanted)
    if (added.length > 0) {
      const known = await tx.selectFrom('permissions').select('slug').where('slug', 'in', added).execute()
      if (known.length < new Set(added).size) throw invalid({ held: 'not_found' })
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
      await recordAudit(
        tx,
        giver,
        'role.permissions',
        { type: 'role', id: roleId },
        { before: { removed }, after: { added } },
      )
    }
    return getRole(tx, roleId)
  })

/** All menus, those of the role, and what it may do: enough to show its aside. */
export async function readRoleMenus(db: Db, roleId: string) {
  const [role, menus, chosen, permissions] = await Promise.all([
    getRole(db, roleId),
    findMenus(db),
    db.selectFrom('roleMenus').select('menuId').where('roleId', '=', roleId).execute(),
    heldBy(db, roleId),
  ])
  return { role, menus, chosen: chosen.map(({ menuId }) => menuId), permissions }
}

/** Chooses the menus of a role; a menu brings the headings it stands under. */
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
    for (const id of chosen) for (let at: string | null = id; at; at = menus.get(at)?.parentId ?? null) complete.add(at)
    const old = (await tx.selectFrom('roleMenus').select('menuId').where('roleId', '=', roleId).execute()).map(
      ({ menuId }) => menuId,
    )
    const added = difference([...complete], old)
    const removed = difference(old, [...complete])
    if (removed.length > 0)
      await tx.deleteFrom('roleMenus').where('roleId', '=', roleId).where('menuId', 'in', removed).execute()
    if (added.length > 0)
      await tx
        .insertInto('roleMenus')
        .values(added.map((menuId) => ({ roleId, menuId })))
        .execute()
    if (added.length + removed.length > 0) {
      await raiseVersion(tx, giver, roleId, now)
      const named = (ids: string[]) => ids.map((id) => menus.get(id)?.name.en ?? id)
      await recordAudit(
        tx,
        giver,
        'role.menus',
        { type: 'role', id: roleId },
        { before: { removed: named(removed) }, after: { added: named(added) } },
      )
    }
    return getRole(tx, roleId)
  })

export const servePermissions = (app: App, services: Services) =>
  serveList(app, services, listPermissions, {
    from: (_reader, { q, group, builtIn }) =>
      services.db
        .selectFrom('permissions as p')
        .$if(q !== undefined, (rows) =>
          rows.where((eb) => {
            const pattern = likePattern(q!)
            return eb.or([
              eb('p.slug', 'ilike', pattern),
              eb('p.nameEn', 'ilike', pattern),
              eb('p.nameId', 'ilike', pattern),
            ])
          }),
        )
        .$if(group !== undefined, (rows) => rows.where('p.groupName', '=', group!))
        .$if(builtIn !== undefined, (rows) => rows.where('p.builtIn', '=', builtIn === 'true')),
    columns: (rows) => rows.select(permissionColumns),
    sorts: { slug: { by: sql`p.slug` }, roles: { by: roleCount } },
    id: sql`p.slug`,
    toRows: (found, { language }) =>
      found.map((row) => ({ ...rowOf(row), title: language === 'id' ? row.nameId : row.nameEn })),
    nameOf: (_filter, group, { language }) => permissionGroups[group as PermissionGroup]?.[language],
  })

async function getPermission(db: Db, slug: string): Promise<PermissionRow> {
  const row = await counted(db).where('p.slug', '=', slug).executeTakeFirst()
  if (!row) throw notFound('permission')
  return rowOf(row)
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

/** One permission with every call, menu and role that speaks of it. */
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

const checkGroup = (group: string) => {
  if (!Object.hasOwn(permissionGroups, group)) throw invalid({ group: 'invalid_input' })
}

/** A permission of the university's own. Who adds it holds it, or nobody could ever give it. */
export const createPermission = (db: Db, actor: Actor, { slug, name, group }: z.output<typeof createCall.body>) =>
  db.transaction().execute(async (tx) => {
    checkGroup(group)
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
    await recordAudit(tx, giver, 'permission.create', { type: 'permission', id: slug }, { after })
    return after
  })

async function lockOwn(tx: Db, slug: string) {
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
    checkGroup(group)
    const before = await lockOwn(tx, slug)
    await tx
      .updateTable('permissions')
      .set({ nameEn: name.en, nameId: name.id, groupName: group })
      .where('slug', '=', slug)
      .execute()
    const after = await getPermission(tx, slug)
    await recordAudit(tx, actor, 'permission.update', { type: 'permission', id: slug }, { before, after })
    return after
  })

/** Takes the permission from every role that holds it; 403 while one of them exceeds the giver's. */
export const removePermission = (db: Db, actor: Actor, slug: string) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-permissions-delete')
    const before = await lockOwn(tx, slug)
    const menu = await tx.selectFrom('menus').select('nameEn').where('permission', '=', slug).executeTakeFirst()
    if (menu) throw conflict('permission_in_menu', { menu: menu.nameEn })
    for (const { id, name } of await holdersOf(tx, slug))
      if (await refusalOfRole(tx, giver, id)) throw new AppError(403, 'role_beyond_own', { role: name })
    await tx.deleteFrom('permissions').where('slug', '=', slug).execute()
    await recordAudit(tx, giver, 'permission.delete', { type: 'permission', id: slug }, { before })
  })
