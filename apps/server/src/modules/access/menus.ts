import { sql } from 'kysely'
import type { z } from 'zod'
import type { createMenu as createCall, MenuRow, orderMenus as orderCall } from '#domain/access/endpoints.ts'
import { mustGet } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'

type Content = z.output<typeof createCall.body>
type Place = z.output<typeof orderCall.body>['to'][number]

/** Reads all menus in display order. */
export async function findMenus(db: Db): Promise<MenuRow[]> {
  const { rows } = await sql<Omit<MenuRow, 'name' | 'updatedAt'> & { nameEn: string; nameId: string; updatedAt: Date }>`
    SELECT m.id, m.code, m.name_en, m.name_id, m.path, m.icon, m.parent_id, m.permission, m.active, m.version, m.updated_at,
      ARRAY(SELECT r.name FROM role_menus x JOIN roles r ON r.id = x.role_id WHERE x.menu_id = m.id ORDER BY r.name) AS roles
    FROM menus m ORDER BY m.sort_order, m.id`.execute(db)
  return rows.map(({ nameEn, nameId, updatedAt, ...row }) => ({
    ...row,
    name: { en: nameEn, id: nameId },
    updatedAt: updatedAt.toISOString(),
  }))
}

async function getMenu(db: Db, id: string) {
  const row = (await findMenus(db)).find((menu) => menu.id === id)
  if (!row) throw notFound('menu')
  return row
}

/** Throws 422 with every problem of a menu. */
async function refuseInvalidMenu(tx: Db, content: Content, id?: string) {
  const problems: FieldErrors = {}
  if (content.permission) {
    const menusById = await tx
      .selectFrom('permissions')
      .select('slug')
      .where('slug', '=', content.permission)
      .executeTakeFirst()
    if (!menusById) problems.permission = 'not_found'
  }
  if (content.parentId) {
    const menus = await tx.selectFrom('menus').select(['id', 'parentId', 'path']).execute()
    const parent = menus.find((menu) => menu.id === content.parentId)
    if (!parent) problems.parentId = 'not_found'
    else if (parent.path) problems.parentId = 'menu_parent_has_path'
    else if (id && isBelow(menus, content.parentId, id)) problems.parentId = 'menu_inside_itself'
  }
  if (id && content.path) {
    const child = await tx.selectFrom('menus').select('id').where('parentId', '=', id).executeTakeFirst()
    if (child) problems.path = 'menu_holds_others'
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Whether menu `id` is menu `ancestorId` or is below it. */
function isBelow(menus: readonly { id: string; parentId: string | null }[], id: string, ancestorId: string): boolean {
  const parents = new Map(menus.map((menu) => [menu.id, menu.parentId]))
  for (let menuId: string | null | undefined = id; menuId; menuId = parents.get(menuId))
    if (menuId === ancestorId) return true
  return false
}

const columnsOf = ({ name, path, icon, parentId, permission, active }: Content) => ({
  nameEn: name.en,
  nameId: name.id,
  path,
  icon,
  parentId,
  permission,
  active,
})

/** Derives a code from the address or name; appends a number if the code is taken. */
async function makeFreeCode(tx: Db, { name, path }: Content) {
  const slug = (path ?? name.en)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const existingCodes = new Set((await tx.selectFrom('menus').select('code').execute()).map(({ code }) => code))
  for (let number = 1; ; number++) {
    const code = `${slug || 'menu'}${number > 1 ? `-${number}` : ''}`
    if (!existingCodes.has(code)) return code
  }
}

/** Adds a menu after its siblings, for every role with its permission, like menus added by a release. */
export const createMenu = (db: Db, actor: Actor, content: Content, now: Date) =>
  db.transaction().execute(async (tx) => {
    await lockMenus(tx)
    await refuseInvalidMenu(tx, content)
    const { last } = await tx
      .selectFrom('menus')
      .select((eb) => eb.fn.max('sortOrder').as('last'))
      .where('parentId', content.parentId ? '=' : 'is', content.parentId)
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('menus')
      .values({
        ...columnsOf(content),
        code: await makeFreeCode(tx, content),
        sortOrder: (last ?? 0) + 10,
        createdBy: actor.accountId,
        updatedBy: actor.accountId,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      INSERT INTO role_menus (role_id, menu_id)
      SELECT r.id, ${id} FROM roles r
      WHERE ${content.permission}::text IS NULL AND r.id = ${actor.role.id}
        OR EXISTS (SELECT FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ${content.permission})`.execute(
      tx,
    )
    const after = await getMenu(tx, id)
    await recordAudit(tx, actor, { action: 'menu.create', on: { menu: id }, after })
    return after
  })

export const updateMenu = (db: Db, actor: Actor, id: string, content: Content & { version: number }, now: Date) =>
  db.transaction().execute(async (tx) => {
    await lockMenus(tx)
    const before = await getMenu(tx, id)
    if (before.version !== content.version) throw conflict('stale_version', { current: before })
    await refuseInvalidMenu(tx, content, id)
    await tx
      .updateTable('menus')
      .set({ ...columnsOf(content), version: before.version + 1, updatedAt: now, updatedBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    const after = await getMenu(tx, id)
    await recordAudit(tx, actor, { action: 'menu.update', on: { menu: id }, before, after })
    return after
  })

export const removeMenu = (db: Db, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    await lockMenus(tx)
    const before = await getMenu(tx, id)
    const child = await tx.selectFrom('menus').select('id').where('parentId', '=', id).executeTakeFirst()
    if (child) throw conflict('menu_holds_others')
    await tx.deleteFrom('menus').where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: 'menu.delete', on: { menu: id }, before })
  })

const lockMenus = (tx: Tx) => sql`LOCK TABLE menus IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
const orderKey = (places: readonly Place[]) => JSON.stringify(places.map(({ id, parentId }) => [id, parentId]))

/** Sets the order of all menus; throws 409 if the order has changed since `from` was read. */
export const orderMenus = (db: Db, actor: Actor, { from, to }: { from: Place[]; to: Place[] }, now: Date) =>
  db.transaction().execute(async (tx) => {
    await lockMenus(tx)
    const before = await findMenus(tx)
    if (orderKey(inDisplayOrder(before)) !== orderKey(from)) throw conflict('stale_version')
    const menusById = new Map(before.map((menu) => [menu.id, menu]))
    const complete = to.length === before.length && new Set(to.map(({ id }) => id)).size === to.length
    if (!complete || to.some(({ id }) => !menusById.has(id))) throw invalid({ to: 'invalid_input' })
    const problems = to.flatMap(({ id, parentId }) => {
      if (!parentId) return []
      const parent = menusById.get(parentId)
      if (!parent || parent.path) return ['menu_parent_has_path' as const]
      return isBelow(to, parentId, id) ? ['menu_inside_itself' as const] : []
    })
    if (problems.length > 0) throw invalid({ to: [...new Set(problems)] })
    const positions = to.map(({ id, parentId }, index) => ({ id, parentId, sortOrder: (index + 1) * 10 }))
    await sql`
      UPDATE menus m SET sort_order = t.sort_order, parent_id = t.parent_id,
        version = m.version + (m.parent_id IS DISTINCT FROM t.parent_id)::int, updated_at = ${now}, updated_by = ${actor.accountId}
      FROM unnest(${positions.map(({ id }) => id)}::uuid[], ${positions.map(({ parentId }) => parentId)}::uuid[],
        ${positions.map(({ sortOrder }) => sortOrder)}::int[]) AS t (id, parent_id, sort_order)
      WHERE m.id = t.id AND (m.sort_order, m.parent_id) IS DISTINCT FROM (t.sort_order, t.parent_id)`.execute(tx)
    const after = await findMenus(tx)
    const names = (menus: MenuRow[]) => {
      const namesById = new Map(menus.map(({ id, name }) => [id, name.en]))
      return inDisplayOrder(menus).map(({ id }) => mustGet(namesById, id))
    }
    await recordAudit(tx, actor, {
      action: 'menu.order',
      on: { menu: 'all' },
      before: { order: names(before) },
      after: { order: names(after) },
    })
    return after
  })

/** Orders menus depth first, as the sidebar shows them. */
function inDisplayOrder(menus: readonly MenuRow[]): Place[] {
  const childrenOf = Map.groupBy(menus, ({ parentId }) => parentId)
  const visit = (parent: string | null): Place[] =>
    (childrenOf.get(parent) ?? []).flatMap(({ id, parentId }) => [{ id, parentId }, ...visit(id)])
  return visit(null)
}
