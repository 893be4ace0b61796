import { type RawBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Actor, Scope } from './authorization.ts'
import type { Reach, Rows } from './compare-reach.ts'

/** A faculty or a study programme that a role is limited to. */
export type Limit = { name: string; facultyId: string | null; programmeId: string | null }

export type RoleWithReach = {
  id: string
  name: string
  active: boolean
  requireTotp: boolean
  limits: Limit[]
  reach: Reach
}

type StoredRole = Omit<RoleWithReach, 'reach'> & {
  permissions: string[]
  programmes: string[]
  approvals: { kind: string; most: number | null }[]
  custom: { slug: string; en: string; id: string }[]
}

const selectRoles = (where: RawBuilder<unknown>) => sql<StoredRole>`
  SELECT r.id, r.name, r.active, r.require_totp,
    ARRAY(SELECT p.permission FROM role_permissions p WHERE p.role_id = r.id) AS permissions,
    ARRAY(SELECT jsonb_build_object('slug', c.slug, 'en', c.name_en, 'id', c.name_id) FROM role_permissions p
      JOIN permissions c ON c.slug = p.permission AND NOT c.built_in WHERE p.role_id = r.id) AS custom,
    ARRAY(SELECT jsonb_build_object('name', coalesce(f.name, p.name), 'facultyId', s.faculty_id, 'programmeId', s.programme_id)
      FROM role_scopes s LEFT JOIN faculties f ON f.id = s.faculty_id
      LEFT JOIN study_programmes p ON p.id = s.programme_id WHERE s.role_id = r.id
      ORDER BY coalesce(f.name, p.name)) AS limits,
    ARRAY(SELECT p.id::text FROM study_programmes p JOIN role_scopes s
      ON s.programme_id = p.id OR s.faculty_id = p.faculty_id WHERE s.role_id = r.id) AS programmes,
    ARRAY(SELECT jsonb_build_object('kind', l.kind, 'most', l.most) FROM approval_limits l WHERE l.role_id = r.id
      AND EXISTS (SELECT FROM role_permissions p WHERE p.role_id = r.id AND p.permission = 'persetujuan-update')) AS approvals
  FROM roles r WHERE ${where} ORDER BY lower(r.name)`

function rowsOf({ name, limits, programmes }: StoredRole): Rows {
  if (name === applicantRole) return 'own'
  if (limits.length === 0) return 'all'
  return {
    faculties: new Set(limits.flatMap(({ facultyId }) => facultyId ?? [])),
    listed: new Set(limits.flatMap(({ programmeId }) => programmeId ?? [])),
    programmes: new Set(programmes),
  }
}

const withReach = (row: StoredRole): RoleWithReach => {
  const { permissions, programmes: _, approvals, custom, ...role } = row
  const reach = {
    permissions: new Set(permissions),
    rows: rowsOf(row),
    approvals: new Map(approvals.map(({ kind, most }) => [kind, most])),
    customNames: new Map(custom.map(({ slug, ...name }) => [slug, name])),
  }
  return { ...role, reach }
}

/** All roles by name. Account lists look up their few roles here instead of joining them row by row. */
export async function findRoles(db: Db): Promise<RoleWithReach[]> {
  return (await selectRoles(sql`true`).execute(db)).rows.map(withReach)
}

export async function findRole(db: Db, id: string): Promise<RoleWithReach | undefined> {
  return (await selectRoles(sql`r.id = ${id}`).execute(db)).rows.map(withReach)[0]
}

/** Role of an account, whose foreign key keeps the role. */
export async function getRoleWithReach(db: Db, id: string): Promise<RoleWithReach> {
  const role = await findRole(db, id)
  if (!role) throw notFound('role')
  return role
}

/**
 * Ids of the roles with a permission. As a value in a condition on accounts they tell PostgreSQL that few accounts have
 * them; with a join it reads all applicants.
 */
export async function findRolesHolding(db: Db, permission: string): Promise<string[]> {
  const roles = await db.selectFrom('rolePermissions').select('roleId').where('permission', '=', permission).execute()
  return roles.map(({ roleId }) => roleId)
}

/** Active accounts `a` whose active role `r` holds a permission; `wholeView` leaves out roles limited to some study programmes. */
export const accountsHolding = (db: Db, permission: string, { wholeView = false } = {}) =>
  db
    .selectFrom('accounts as a')
    .innerJoin('roles as r', 'r.id', 'a.roleId')
    .innerJoin('rolePermissions as p', 'p.roleId', 'r.id')
    .where('p.permission', '=', permission)
    .where('a.active', '=', true)
    .where('r.active', '=', true)
    .$if(wholeView, (q) =>
      q.where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('roleScopes as s').select('s.roleId').whereRef('s.roleId', '=', 'r.id'))),
      ),
    )

/** Reach of a role that has been deleted meanwhile. */
export const noReach: Reach = { permissions: new Set(), rows: 'own', approvals: new Map() }

/** The actor's own reach, looked up in all roles. */
export const ownReach = (roles: readonly RoleWithReach[], { role }: Actor): Reach =>
  roles.find(({ id }) => id === role.id)?.reach ?? noReach

/** Whether a user with these rows may know that another role has this limit. */
export const seesLimit = (rows: Rows, { facultyId, programmeId }: Omit<Limit, 'name'>) =>
  typeof rows === 'string'
    ? rows === 'all'
    : rows.faculties.has(facultyId ?? '') || rows.programmes.has(programmeId ?? '')

/** A role's rows as the scope that queries filter by. */
export function scopeOf(rows: Rows): Scope {
  if (typeof rows === 'string') return { kind: rows }
  return { kind: 'programmes', programmeIds: [...rows.programmes] }
}
