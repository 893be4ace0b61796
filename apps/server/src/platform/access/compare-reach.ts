import type { Localized } from '#entities/define/language.ts'
/**
 * Rows a role's holders see: their own, all, or those of some faculties and study programmes. `listed` are the
 * programmes named directly; `programmes` adds the faculties' current ones.
 */
export type Rows =
  | 'own'
  | 'all'
  | { faculties: ReadonlySet<string>; listed: ReadonlySet<string>; programmes: ReadonlySet<string> }

/** Everything a role grants: permissions, visible rows, and amounts its holders may approve. */
export type Reach = {
  permissions: ReadonlySet<string>
  rows: Rows
  /** Largest amount in rupiah by kind of request; null: any amount; missing: none. */
  approvals: ReadonlyMap<string, number | null>
  /** Names of permissions created in the back office, by slug. */
  customNames?: ReadonlyMap<string, Localized>
}

export type Excess = { permissions: string[]; rows: boolean; approvals: boolean }

/** Holders set the limits of all roles, so their own limits do not restrict the roles they assign. */
const limitsPermission = 'settings-approval-limits'

const isSubset = (inner: ReadonlySet<string>, outer: ReadonlySet<string>) =>
  [...inner].every((element) => outer.has(element))

/**
 * A faculty needs the same faculty in `outer`, not just all its programmes, because it also covers programmes added
 * later.
 */
export function rowsWithin(inner: Rows, outer: Rows): boolean {
  if (outer === 'all' || inner === 'own') return true
  if (outer === 'own' || inner === 'all') return false
  return isSubset(inner.faculties, outer.faculties) && isSubset(inner.listed, outer.programmes)
}

const sumsWithin = (inner: Reach, outer: Reach) =>
  outer.permissions.has(limitsPermission) ||
  [...inner.approvals].every(([kind, maximum]) => {
    const ownMaximum = outer.approvals.get(kind)
    return ownMaximum === null || (ownMaximum !== undefined && maximum !== null && maximum <= ownMaximum)
  })

/**
 * Permissions, rows and amounts in `reach` beyond `limit`; null if none. Assigning a role, changing a role and acting
 * on its holders all require null against the actor's own reach.
 */
export function excessOf(reach: Reach, limit: Reach): Excess | null {
  const permissions = [...reach.permissions].filter((slug) => !limit.permissions.has(slug)).toSorted()
  const rows = !rowsWithin(reach.rows, limit.rows)
  const approvals = !sumsWithin(reach, limit)
  return permissions.length > 0 || rows || approvals ? { permissions, rows, approvals } : null
}
