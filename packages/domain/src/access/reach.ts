/**
 * Rows a role shows its holders: an applicant's own, all, or those of some faculties and study programmes. `listed` are
 * the study programmes named one by one, `programmes` these and those that the faculties have now.
 */
export type Rows =
  | 'own'
  | 'all'
  | { faculties: ReadonlySet<string>; listed: ReadonlySet<string>; programmes: ReadonlySet<string> }

/** What a role lets its holders do, which rows they see, and about what sums they decide. */
export type Reach = {
  permissions: ReadonlySet<string>
  rows: Rows
  /** By kind of request, in rupiah; null: any sum. Kinds that are missing are decided by others. */
  approvals: ReadonlyMap<string, number | null>
  /** Names of the permissions made in the back office, by slug. */
  customNames?: ReadonlyMap<string, { en: string; id: string }>
}

export type Excess = { permissions: string[]; rows: boolean; approvals: boolean }

/** Whoever holds it sets the sums of every role, so that these are no bound to what it gives. */
const limitsPermission = 'settings-approval-limits'

const isSubset = (inner: ReadonlySet<string>, outer: ReadonlySet<string>) => [...inner].every((one) => outer.has(one))

/** A faculty is only covered as a faculty: study programmes that join it later are seen by its holders as well. */
export function rowsWithin(inner: Rows, outer: Rows): boolean {
  if (outer === 'all' || inner === 'own') return true
  if (outer === 'own' || inner === 'all') return false
  return isSubset(inner.faculties, outer.faculties) && isSubset(inner.listed, outer.programmes)
}

const sumsWithin = (inner: Reach, outer: Reach) =>
  outer.permissions.has(limitsPermission) ||
  [...inner.approvals].every(([kind, most]) => {
    const own = outer.approvals.get(kind)
    return own === null || (own !== undefined && most !== null && most <= own)
  })

/**
 * What `wanted` has beyond `own`, null when nothing. The one rule of access: nobody gives a role, changes one, or acts
 * on those who hold one, unless it is covered by the own reach.
 */
export function excessOf(wanted: Reach, own: Reach): Excess | null {
  const permissions = [...wanted.permissions].filter((slug) => !own.permissions.has(slug)).toSorted()
  const rows = !rowsWithin(wanted.rows, own.rows)
  const approvals = !sumsWithin(wanted, own)
  return permissions.length > 0 || rows || approvals ? { permissions, rows, approvals } : null
}
