import { sql } from 'kysely'
import type { z } from 'zod'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { createRole as createCall, RoleRow, updateRole as updateCall } from '#domain/access/endpoints.ts'
import { listRoles } from '#domain/access/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { type Giver, keepAnAdministrator, lockGiver, refusalOf } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRole, seesLimit } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db, type Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { makeRoleReader, type StoredDetail } from './role-reader.ts'

type Create = z.output<typeof createCall.body>
type Update = z.output<typeof updateCall.body>

/** Roles the code refers to by name. */
const fixedNames = [applicantRole, 'Administrator']

const holderCount = sql<number>`(SELECT count(*)::int FROM accounts a WHERE a.role_id = r.id)`
const isLimited = sql<boolean>`EXISTS (SELECT FROM role_scopes s WHERE s.role_id = r.id)`

const roleColumns = [
  'r.id',
  'r.name',
  'r.description',
  'r.builtIn',
  'r.requireTotp',
  'r.sessionHours',
  'r.active',
  'r.version',
  'r.updatedAt',
  holderCount.as('holders'),
  sql<number>`(SELECT count(*)::int FROM role_permissions p WHERE p.role_id = r.id)`.as('permissions'),
  sql<number>`(SELECT count(*)::int FROM role_menus m WHERE m.role_id = r.id)`.as('menus'),
  isLimited.as('limited'),
] as const

export const serveRoles = (app: App, services: Services) =>
  serveList(app, services, listRoles, {
    from: () => services.db.selectFrom('roles as r'),
    scope: 'everyone',
    filters: {
      q: (q) => contains('r.name', q),
      active: 'r.active',
      limited: (limited) => (eb) => eb(isLimited, '=', limited === 'true'),
    },
    columns: (rows) => rows.select(roleColumns),
    sorts: {
      name: { by: sql`r.name`, type: 'text' },
      holders: { by: holderCount },
      updatedAt: { by: sql`r.updated_at`, type: 'timestamptz' },
    },
    id: sql`r.id`,
    toRows: async (found, { connection, actor, language }) => {
      const { toListedRole } = await makeRoleReader(connection, actor, language)
      return found.map(toListedRole)
    },
  })

type StoredRole = Omit<RoleRow, 'refusal' | 'copyRefusal'>

export async function getRole(db: Db, id: string): Promise<StoredRole> {
  const row = await db.selectFrom('roles as r').select(roleColumns).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('role')
  return { ...row, updatedAt: row.updatedAt.toISOString() }
}

/** Reads a role with the faculties and study programmes it is limited to. */
export async function getRoleDetail(db: Db, id: string): Promise<StoredDetail> {
  const role = await getRole(db, id)
  const limits = await db
    .selectFrom('roleScopes as s')
    .leftJoin('faculties as f', 'f.id', 's.facultyId')
    .leftJoin('studyProgrammes as p', 'p.id', 's.programmeId')
    .select(['s.facultyId', 's.programmeId', 'f.name as faculty', 'p.name as programme'])
    .where('s.roleId', '=', id)
    .orderBy('f.name')
    .orderBy('p.name')
    .execute()
  return {
    ...role,
    scope: {
      faculties: limits.flatMap((limit) =>
        limit.facultyId ? [{ id: limit.facultyId, name: limit.faculty ?? '' }] : [],
      ),
      programmes: limits.flatMap((limit) =>
        limit.programmeId ? [{ id: limit.programmeId, name: limit.programme ?? '' }] : [],
      ),
    },
  }
}

/** Locks a role; throws 403 if it exceeds the giver's, 409 if `version` is stale. */
export async function lockRole(tx: Tx, giver: Giver, id: string, version?: number): Promise<StoredDetail> {
  await tx.selectFrom('roles').select('id').where('id', '=', id).forUpdate().execute()
  const role = await getRoleDetail(tx, id)
  if (await refusalOfRole(tx, giver, id)) throw new AppError(403, 'role_beyond_own', { role: role.name })
  if (version !== undefined && role.version !== version) throw conflict('stale_version', { current: role })
  return role
}

/** Why the giver may not assign or change a role, read in this transaction; null if allowed. */
export async function refusalOfRole(tx: Tx, giver: Giver, id: string) {
  const role = await findRole(tx, id)
  return role ? refusalOf(role.reach, giver.reach) : null
}

/** Name of the form field whose rows exceed the giver's. */
const fieldBeyondReach = ({ reach: { rows } }: Giver, { facultyIds }: Create | Update) =>
  facultyIds.some((facultyId) => !seesLimit(rows, { facultyId, programmeId: null })) ? 'facultyIds' : 'programmeIds'

export const raiseVersion = (tx: Tx, actor: Actor, id: string, now: Date) =>
  tx
    .updateTable('roles')
    .set({ version: sql`version + 1`, updatedAt: now, updatedBy: actor.accountId })
    .where('id', '=', id)
    .execute()

async function refuseInvalidRole(tx: Tx, { name, facultyIds, programmeIds }: Create | Update, ownId?: string) {
  const problems: FieldErrors = {}
  const namesake = await tx
    .selectFrom('roles')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('id', '!=', ownId ?? '00000000-0000-0000-0000-000000000000')
    .executeTakeFirst()
  if (namesake) problems.name = 'already_exists'
  const allExist = async (table: 'faculties' | 'studyProgrammes', ids: string[]) =>
    ids.length === 0 ||
    (await tx.selectFrom(table).select('id').where('id', 'in', ids).execute()).length === new Set(ids).size
  if (!(await allExist('faculties', facultyIds))) problems.facultyIds = 'not_found'
  if (!(await allExist('studyProgrammes', programmeIds))) problems.programmeIds = 'not_found'
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

async function setScope(tx: Tx, roleId: string, { facultyIds, programmeIds }: Create | Update) {
  await tx.deleteFrom('roleScopes').where('roleId', '=', roleId).execute()
  const limits = [
    ...[...new Set(facultyIds)].map((facultyId) => ({ roleId, facultyId, programmeId: null })),
    ...[...new Set(programmeIds)].map((programmeId) => ({ roleId, facultyId: null, programmeId })),
  ]
  if (limits.length > 0) await tx.insertInto('roleScopes').values(limits).execute()
}

const columnsOf = ({ name, description, requireTotp, sessionHours, active }: Create | Update) => ({
  name,
  description,
  requireTotp,
  sessionHours,
  active,
})

/** Creates a role, empty or with the permissions and menus of another; throws 422 if it exceeds the giver's. */
export const createRole = (db: Db, actor: Actor, content: Create, now: Date) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-create')
    await refuseInvalidRole(tx, content)
    const { copyOf } = content
    if (copyOf) await getRole(tx, copyOf)
    const { id } = await tx
      .insertInto('roles')
      .values({ ...columnsOf(content), createdBy: actor.accountId, updatedBy: actor.accountId, updatedAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setScope(tx, id, content)
    if (copyOf) {
      await sql`INSERT INTO role_permissions SELECT ${id}, permission FROM role_permissions WHERE role_id = ${copyOf}`.execute(
        tx,
      )
      await sql`INSERT INTO role_menus SELECT ${id}, menu_id FROM role_menus WHERE role_id = ${copyOf}`.execute(tx)
    }
    const refusal = await refusalOfRole(tx, giver, id)
    if (refusal)
      throw invalid({ [refusal.code === 'grant_beyond_own' ? 'copyOf' : fieldBeyondReach(giver, content)]: refusal })
    const after = await getRoleDetail(tx, id)
    await recordAudit(tx, giver, {
      action: 'role.create',
      on: { role: id },
      after: { ...after, ...(copyOf && { copyOf }) },
    })
    return after
  })

export const updateRole = (db: Db, actor: Actor, id: string, content: Update, now: Date) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-update')
    const before = await lockRole(tx, giver, id, content.version)
    if (fixedNames.includes(before.name) && content.name !== before.name) throw invalid({ name: 'role_name_fixed' })
    if (before.name === applicantRole && !content.active) throw invalid({ active: 'role_name_fixed' })
    await refuseInvalidRole(tx, content, id)
    await tx.updateTable('roles').set(columnsOf(content)).where('id', '=', id).execute()
    await setScope(tx, id, content)
    const refusal = await refusalOfRole(tx, giver, id)
    if (refusal) throw invalid({ [fieldBeyondReach(giver, content)]: refusal })
    await raiseVersion(tx, giver, id, now)
    await keepAnAdministrator(tx)
    const after = await getRoleDetail(tx, id)
    await recordAudit(tx, giver, { action: 'role.update', on: { role: id }, before, after })
    return after
  })

/** Deletes a role; `moveTo` receives its holders. Throws 409 if it has holders and `moveTo` is missing. */
export const removeRole = (db: Db, actor: Actor, id: string, moveTo: string | undefined) =>
  db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-roles-delete')
    const before = await lockRole(tx, giver, id)
    if (fixedNames.includes(before.name)) throw conflict('role_name_fixed')
    if (before.holders > 0 && !moveTo) throw conflict('role_held', { count: before.holders })
    if (moveTo) {
      if (moveTo === id) throw invalid({ moveTo: 'invalid_input' })
      const target = await findRole(tx, moveTo)
      if (!target?.active) throw invalid({ moveTo: 'not_found' })
      const refusal = refusalOf(target.reach, giver.reach)
      if (refusal) throw invalid({ moveTo: refusal })
      await tx.updateTable('accounts').set({ roleId: moveTo }).where('roleId', '=', id).execute()
    }
    await tx.deleteFrom('roles').where('id', '=', id).execute()
    await keepAnAdministrator(tx)
    await recordAudit(tx, giver, {
      action: 'role.delete',
      on: { role: id },
      before,
      after: moveTo ? { moveTo } : undefined,
    })
    return { id, moved: moveTo ? before.holders : 0 }
  })
