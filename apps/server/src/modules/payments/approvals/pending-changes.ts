import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { PendingChange } from '#domain/payments/approvals/pending-change.ts'
import { accountsHolding } from '#server/platform/access/reach.ts'
import type { Db } from '#server/platform/database/database.ts'
import { askerColumns } from './approval-askers.ts'

type SettingsKind = 'bank_account' | 'provider_connection'

/** Pending requests about settings, oldest first; `subjectId` is null for a new record. */
export async function pendingChangesOf(
  db: Db,
  kind: SettingsKind,
): Promise<{ subjectId: string | null; details: Record<string, unknown>; change: PendingChange }[]> {
  const rows = await db
    .selectFrom('approvalRequests as q')
    .innerJoin('accounts as c', 'c.id', 'q.requestedBy')
    .select(['q.id', 'q.details', 'q.requestedBy', 'q.requestedAt', 'q.bankAccountId', 'q.providerAccountId'])
    .select(['c.name as requesterName', ...askerColumns])
    .where('q.kind', '=', kind)
    .where('q.status', '=', 'pending')
    .orderBy('q.requestedAt')
    .orderBy('q.id')
    .execute()
  if (rows.length === 0) return []
  const deciders = await decidersOf(db, kind)
  return rows.map(
    ({ id, details, requestedBy, requesterName, requestedAt, askedBy, bankAccountId, providerAccountId }) => {
      const { action, name } = details as Pick<PendingChange, 'action' | 'name'>
      return {
        subjectId: bankAccountId ?? providerAccountId,
        details: details as Record<string, unknown>,
        change: {
          id,
          action,
          name,
          requestedBy: { id: requestedBy, name: requesterName },
          requestedAt: requestedAt.toISOString(),
          deciders: deciders
            .filter((one) => !askedBy.includes(one.id))
            .slice(0, 5)
            .map((one) => one.name),
        },
      }
    },
  )
}

/** Up to six active accounts whose role may decide requests of a kind without registration and sum. */
const decidersOf = (db: Db, kind: ApprovalKind) =>
  // A role limited to some study programmes sees no request without a registration.
  accountsHolding(db, 'persetujuan-update', { wholeView: true })
    .innerJoin('approvalLimits as l', 'l.roleId', 'r.id')
    .select(['a.id', 'a.name'])
    .where('l.kind', '=', kind)
    .orderBy('a.name')
    .orderBy('a.id')
    .limit(6)
    .execute()
