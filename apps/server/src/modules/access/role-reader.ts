import type { RoleDetail } from '#domain/access/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { refusalText } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles, noReach, ownReach, seesLimit } from '#server/platform/access/reach.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A role as stored, before it is adapted to a reader. */
export type StoredDetail = Omit<RoleDetail, 'refusal' | 'copyRefusal'>

/**
 * Returns functions that adapt roles to the reader: they add the reason why a change is refused and remove names
 * outside the reader's rows.
 */
export async function makeRoleReader(db: Db, actor: Actor, language: Language) {
  const roles = await findRoles(db)
  const own = ownReach(roles, actor)
  const reaches = new Map(roles.map(({ id, reach }) => [id, reach]))
  const toListedRole = <R extends { id: string }>(row: R) => {
    const reach = reaches.get(row.id) ?? noReach
    return {
      ...row,
      refusal: refusalText(reach, own, language),
      copyRefusal: refusalText({ ...reach, rows: noReach.rows, approvals: noReach.approvals }, own, language),
    }
  }
  const detail = ({ scope, ...row }: StoredDetail) => ({
    ...toListedRole(row),
    scope: {
      faculties: scope.faculties.filter(({ id }) => seesLimit(own.rows, { facultyId: id, programmeId: null })),
      programmes: scope.programmes.filter(({ id }) => seesLimit(own.rows, { facultyId: null, programmeId: id })),
    },
  })
  return { toListedRole, detail }
}
