import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { withoutSecrets } from '#server/platform/sensitive.ts'
import { isVisible } from './visible-accounts.ts'

const pageSize = 30

/** Audit entries of an account, newest first; `before` is the id of the last entry already read. */
export async function readAccountHistory(db: Db, actor: Actor, id: string, beforeId: number | undefined) {
  if (!(await isVisible(db, actor, id))) throw notFound('account')
  const changes = db
    .selectFrom('auditLog')
    .select(['id', 'at', 'action', 'actorId', 'actorName', 'roleName', 'actingAsName', 'before', 'after', 'reason'])
    .where('subjectType', '=', 'account')
    .where('subjectId', '=', id)
  const rows = await (beforeId === undefined ? changes : changes.where('id', '<', beforeId))
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  return {
    data: page.map((row) => ({
      id: row.id,
      at: row.at,
      action: row.action,
      actor: { id: row.actorId, name: row.actorName, role: row.roleName },
      actingAs: row.actingAsName,
      before: withoutSecrets(row.before, 'account', row.action),
      after: withoutSecrets(row.after, 'account', row.action),
      reason: row.reason,
    })),
    meta: { next: rows.length > pageSize ? page.at(-1)!.id : null },
  }
}
