import { sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { maskEmail } from '#server/platform/access/masks.ts'
import { accountsHolding, findRolesHolding } from '#server/platform/access/reach.ts'
import { accountsVisibleTo } from '#server/platform/access/row-scope.ts'
import { contains, type Db } from '#server/platform/database/database.ts'

/** Active staff `a` with role `r` who may open the report and whose accounts the actor may see. */
export const possibleRecipients = (db: Db, actor: Actor, report: ReportSlug) =>
  accountsHolding(db, `laporan-${report}`)
    .where('r.name', '<>', applicantRole)
    .where('a.emailVerifiedAt', 'is not', null)
    .where(accountsVisibleTo(actor))

/**
 * The first twenty by name whose name or role contains `q`. Addresses are shown shortened, so they cannot be searched.
 */
export async function findRecipients(
  db: Db,
  actor: Actor,
  { report, q }: { report: ReportSlug; q?: string | undefined },
) {
  requirePermission(actor, `laporan-${report}`)
  const roleIds = await findRolesHolding(db, `laporan-${report}`)
  const found = await possibleRecipients(db, actor, report)
    .where(sql<boolean>`a.role_id = ANY(${roleIds}::uuid[])`)
    .select(['a.id', 'a.name', 'a.email', 'r.name as role'])
    .where((eb) => (q ? eb.or([contains('a.name', q), contains('r.name', q)]) : eb.lit(true)))
    // The actor comes first: most mails go to their owner.
    .orderBy(sql`a.id = ${actor.accountId}`, 'desc')
    .orderBy('a.name')
    .orderBy('a.id')
    .limit(20)
    .execute()
  return found.map((row) => ({ ...row, email: maskEmail(row.email) }))
}
