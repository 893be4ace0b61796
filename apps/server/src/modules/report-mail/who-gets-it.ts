import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Why a recipient gets nothing; sentences are under `report-mail:reason`. */
export type RefusalReason = 'taken_out' | 'without_right' | 'no_account' | 'owner_without_right'

type People = { mailId: string; ownerId: string; accountId: string; report: string }

/** Owner and recipient of a report with their permissions at a moment, or why nothing may be sent. */
export async function findReaders(
  db: Db,
  { mailId, ownerId, accountId, report }: People,
  at: Date,
): Promise<{ owner: Actor; reader: Actor } | { refusal: RefusalReason }> {
  const right = `laporan-${report}`
  const owner = await findActorOf(db, ownerId, at)
  if (!owner?.permissions.has(right)) return { refusal: 'owner_without_right' }
  const recipient = await db
    .selectFrom('reportMailRecipients')
    .select('accountId')
    .where('mailId', '=', mailId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!recipient) return { refusal: 'taken_out' }
  const reader = await findActorOf(db, accountId, at)
  if (!reader || isApplicant(reader)) return { refusal: 'no_account' }
  return reader.permissions.has(right) ? { owner, reader } : { refusal: 'without_right' }
}
