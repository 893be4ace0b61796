import type { ApprovalLimits } from '#domain/payments/approvals/endpoints.ts'
import { lockGiver, refusalOf } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRole } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** Active roles with the permission to decide, and the highest rupiah each may decide. */
export async function readApprovalLimits(db: Db): Promise<ApprovalLimits> {
  const [roles, limits] = await Promise.all([
    db
      .selectFrom('roles as r')
      .innerJoin('rolePermissions as p', 'p.roleId', 'r.id')
      .select(['r.id', 'r.name'])
      .where('p.permission', '=', 'persetujuan-update')
      .where('r.active', '=', true)
      .orderBy('r.name')
      .execute(),
    db.selectFrom('approvalLimits').select(['roleId', 'kind', 'most']).orderBy('kind').execute(),
  ])
  return {
    roles,
    limits: limits.filter(({ roleId }) => roles.some(({ id }) => id === roleId)) as ApprovalLimits['limits'],
  }
}

const limitsOf = (limits: ApprovalLimits['limits'], id: string) =>
  JSON.stringify(limits.flatMap(({ roleId, kind, most }) => (roleId === id ? [[kind, most]] : [])).toSorted())

/** Replaces all limits at once; 403 if a change concerns a role that exceeds the actor's. */
export async function writeApprovalLimits(
  services: Services,
  actor: Actor,
  { limits }: Pick<ApprovalLimits, 'limits'>,
) {
  return services.db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, actor, 'settings-approval-limits')
    const before = await readApprovalLimits(tx)
    if (limits.some(({ roleId }) => !before.roles.some(({ id }) => id === roleId)))
      throw invalid({ limits: 'invalid_input' })
    for (const { id, name } of before.roles) {
      if (limitsOf(before.limits, id) === limitsOf(limits, id)) continue
      const role = await findRole(tx, id)
      if (!role) throw notFound('role')
      if (refusalOf(role.reach, giver.reach)) throw new AppError(403, 'role_beyond_own', { role: name })
    }
    const ids = before.roles.map(({ id }) => id)
    if (ids.length > 0) await tx.deleteFrom('approvalLimits').where('roleId', 'in', ids).execute()
    if (limits.length > 0) await tx.insertInto('approvalLimits').values(limits).execute()
    const after = await readApprovalLimits(tx)
    await recordAudit(tx, giver, {
      action: 'settings.approval-limits',
      on: { settings: 'approval-limits' },
      before: before.limits,
      after: after.limits,
    })
    return after
  })
}
