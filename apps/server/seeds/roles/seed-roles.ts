import type { DefaultMenu } from '#domain/access/menus.ts'
import { permissionGroups, permissions } from '#domain/access/permissions.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import { approvalKinds } from '#domain/payments/approvals/approvals.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { defaultMenus } from './default-menus.ts'

/** Permissions, roles and menus. What was changed in the back office stays; new ones are given to the default roles. */
export const seedRoles = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const newPermissions = await addPermissions(tx)
    await addRoles(tx, newPermissions)
    await addMenus(tx)
  })

async function addPermissions(tx: Tx): Promise<ReadonlySet<string>> {
  const known = await tx.selectFrom('permissions').selectAll().execute()
  const bySlug = new Map(known.map((row) => [row.slug, row]))
  const wanted = permissions.map(({ slug, name, group }) => ({
    slug,
    nameEn: name.en,
    nameId: name.id,
    groupName: group in permissionGroups ? group : 'settings',
    builtIn: true,
  }))
  const fresh = wanted.filter((row) => !bySlug.has(row.slug))
  if (fresh.length > 0) await tx.insertInto('permissions').values(fresh).execute()
  for (const row of wanted) {
    const old = bySlug.get(row.slug)
    if (
      old &&
      (old.nameEn !== row.nameEn || old.nameId !== row.nameId || old.groupName !== row.groupName || !old.builtIn)
    )
      await tx.updateTable('permissions').set(row).where('slug', '=', row.slug).execute()
  }
  return new Set(fresh.map((row) => row.slug))
}

async function addRoles(tx: Tx, newPermissions: ReadonlySet<string>) {
  for (const role of defaultRoles) {
    const made = await tx
      .insertInto('roles')
      .values({ name: role.name, description: role.description.en, builtIn: true, sessionHours: role.sessionHours })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    const { id } =
      made ?? (await tx.selectFrom('roles').select('id').where('name', '=', role.name).executeTakeFirstOrThrow())
    const granted = made ? role.permissions : role.permissions.filter((slug) => newPermissions.has(slug))
    if (granted.length > 0)
      await tx
        .insertInto('rolePermissions')
        .values([...new Set(granted)].map((permission) => ({ roleId: id, permission })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const { approvesUpTo: most } = role
    if (most !== undefined && granted.includes('persetujuan-update'))
      await tx
        .insertInto('approvalLimits')
        .values(approvalKinds.map((kind) => ({ roleId: id, kind, most })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }
}

async function addMenus(tx: Tx) {
  const known = await tx.selectFrom('menus').select(['id', 'code']).execute()
  const ids = new Map(known.map((row) => [row.code, row.id]))
  const fresh = new Map<string, DefaultMenu>()

  async function add(menus: readonly DefaultMenu[], parentId: string | null) {
    for (const menu of menus) {
      let id = ids.get(menu.code)
      if (!id) {
        const values = {
          code: menu.code,
          nameEn: menu.name.en,
          nameId: menu.name.id,
          path: menu.path ?? null,
          icon: menu.icon,
          parentId,
          sortOrder: menu.order,
          permission: menu.permission ?? null,
        }
        id = (await tx.insertInto('menus').values(values).returning('id').executeTakeFirstOrThrow()).id
        fresh.set(id, menu)
      }
      await add(menu.children ?? [], id)
    }
  }
  await add(defaultMenus, null)
  if (fresh.size > 0) await giveMenusToRoles(tx, fresh)
}

async function giveMenusToRoles(tx: Tx, fresh: ReadonlyMap<string, DefaultMenu>) {
  const grants = await tx
    .selectFrom('roles')
    .leftJoin('rolePermissions', 'rolePermissions.roleId', 'roles.id')
    .select(['roles.id', 'permission'])
    .execute()
  const byRole = Map.groupBy(grants, (row) => row.id)
  const rows = [...byRole].flatMap(([roleId, own]) => {
    const held = new Set(own.map((row) => row.permission))
    const allows = (menu: DefaultMenu): boolean =>
      menu.children ? menu.children.some(allows) : !menu.permission || held.has(menu.permission)
    return [...fresh].filter(([, menu]) => allows(menu)).map(([menuId]) => ({ roleId, menuId }))
  })
  if (rows.length > 0)
    await tx
      .insertInto('roleMenus')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
