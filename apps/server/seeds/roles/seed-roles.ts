import type { DefaultMenu } from '#domain/access/menus.ts'
import { permissionGroups, permissions } from '#domain/access/permissions.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import { approvalKinds } from '#domain/payments/approvals/approvals.ts'
import { markSeeded } from '#seeds/seed.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { defaultMenus } from './default-menus.ts'

/**
 * Adds missing permissions, and roles and menus that no earlier start added. Changes made in the back office stay; new
 * permissions go to default roles that still have their name, and new names to menus that nobody renamed.
 */
export const seedRoles = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const newPermissions = await addPermissions(tx)
    await addRoles(tx, newPermissions)
    await renameMenus(tx)
    await addMenus(tx)
  })

async function addPermissions(tx: Tx): Promise<ReadonlySet<string>> {
  const storedPermissions = await tx.selectFrom('permissions').selectAll().execute()
  const bySlug = new Map(storedPermissions.map((row) => [row.slug, row]))
  const declaredPermissions = permissions.map(({ slug, name, group }) => ({
    slug,
    nameEn: name.en,
    nameId: name.id,
    groupName: group in permissionGroups ? group : 'settings',
    builtIn: true,
  }))
  const newPermissions = declaredPermissions.filter((row) => !bySlug.has(row.slug))
  if (newPermissions.length > 0) await tx.insertInto('permissions').values(newPermissions).execute()
  for (const row of declaredPermissions) {
    const storedPermission = bySlug.get(row.slug)
    if (
      storedPermission &&
      (storedPermission.nameEn !== row.nameEn ||
        storedPermission.nameId !== row.nameId ||
        storedPermission.groupName !== row.groupName ||
        !storedPermission.builtIn)
    )
      await tx.updateTable('permissions').set(row).where('slug', '=', row.slug).execute()
  }
  return new Set(newPermissions.map((row) => row.slug))
}

async function addRoles(tx: Tx, newPermissions: ReadonlySet<string>) {
  const markOf = ({ name }: { name: string }) => `role ${name}`
  const newMarks = await markSeeded(tx, defaultRoles.map(markOf))
  for (const role of defaultRoles) {
    const newRole = newMarks.has(markOf(role))
      ? await tx
          .insertInto('roles')
          .values({ name: role.name, description: role.description.en, builtIn: true, sessionHours: role.sessionHours })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('id')
          .executeTakeFirst()
      : undefined
    const storedRole =
      newRole ?? (await tx.selectFrom('roles').select('id').where('name', '=', role.name).executeTakeFirst())
    if (!storedRole) continue
    const { id } = storedRole
    const newGrants = newRole ? role.permissions : role.permissions.filter((slug) => newPermissions.has(slug))
    if (newGrants.length > 0)
      await tx
        .insertInto('rolePermissions')
        .values([...new Set(newGrants)].map((permission) => ({ roleId: id, permission })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const { approvesUpTo: approvalLimit } = role
    if (approvalLimit !== undefined && newGrants.includes('persetujuan-update'))
      await tx
        .insertInto('approvalLimits')
        .values(approvalKinds.map((kind) => ({ roleId: id, kind, most: approvalLimit })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }
}

const withChildren = (menus: readonly DefaultMenu[]): DefaultMenu[] =>
  menus.flatMap((menu) => [menu, ...withChildren(menu.children ?? [])])

/** Gives the declared names to menus that still have the seeded name, separately for each language. */
async function renameMenus(tx: Tx) {
  const storedMenus = await tx.selectFrom('menus').selectAll().where('createdBy', 'is', null).execute()
  const nameByCode = new Map(withChildren(defaultMenus).map(({ code, name }) => [code, name]))
  for (const { id, code, nameEn, nameId, seededNameEn, seededNameId, version } of storedMenus) {
    const declaredName = nameByCode.get(code)
    const newNames = {
      ...(declaredName && nameEn === seededNameEn && nameEn !== declaredName.en && named('En', declaredName.en)),
      ...(declaredName && nameId === seededNameId && nameId !== declaredName.id && named('Id', declaredName.id)),
    }
    if (Object.keys(newNames).length === 0) continue
    await tx
      .updateTable('menus')
      .set({ ...newNames, version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version)
      .execute()
  }
}

const named = <const L extends 'En' | 'Id'>(language: L, name: string) =>
  ({ [`name${language}`]: name, [`seededName${language}`]: name }) as Record<`name${L}` | `seededName${L}`, string>

async function addMenus(tx: Tx) {
  const storedMenus = await tx.selectFrom('menus').select(['id', 'code']).execute()
  const ids = new Map(storedMenus.map((row) => [row.code, row.id]))
  const newMenus = new Map<string, DefaultMenu>()
  const markOf = ({ code }: DefaultMenu) => `menu ${code}`
  const newMarks = await markSeeded(tx, withChildren(defaultMenus).map(markOf))

  // A new menu below a deleted one goes below the nearest remaining ancestor.
  async function add(menus: readonly DefaultMenu[], parentId: string | null) {
    for (const menu of menus) {
      let id = ids.get(menu.code)
      if (!id && newMarks.has(markOf(menu))) {
        const values = {
          code: menu.code,
          ...named('En', menu.name.en),
          ...named('Id', menu.name.id),
          path: menu.path ?? null,
          icon: menu.icon,
          parentId,
          sortOrder: menu.order,
          permission: menu.permission ?? null,
        }
        id = (await tx.insertInto('menus').values(values).returning('id').executeTakeFirstOrThrow()).id
        newMenus.set(id, menu)
      }
      await add(menu.children ?? [], id ?? parentId)
    }
  }
  await add(defaultMenus, null)
  if (newMenus.size > 0) await giveMenusToRoles(tx, newMenus)
}

async function giveMenusToRoles(tx: Tx, newMenus: ReadonlyMap<string, DefaultMenu>) {
  const grants = await tx
    .selectFrom('roles')
    .leftJoin('rolePermissions', 'rolePermissions.roleId', 'roles.id')
    .select(['roles.id', 'permission'])
    .execute()
  const byRole = Map.groupBy(grants, (row) => row.id)
  const rows = [...byRole].flatMap(([roleId, roleGrants]) => {
    const rolePermissions = new Set(roleGrants.map((row) => row.permission))
    const allows = (menu: DefaultMenu): boolean =>
      menu.children ? menu.children.some(allows) : !menu.permission || rolePermissions.has(menu.permission)
    return [...newMenus].filter(([, menu]) => allows(menu)).map(([menuId]) => ({ roleId, menuId }))
  })
  if (rows.length > 0)
    await tx
      .insertInto('roleMenus')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
