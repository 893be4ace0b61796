import { type RawBuilder, sql } from 'kysely'
import type { Actor } from './access/authorization.ts'
import type { Db } from './database/database.ts'
import { withoutSecrets } from './sensitive.ts'

type Entry = {
  /** The action, such as `letter.withdraw`. */
  action: string
  /** Type and id of the affected record, such as `{ letter: id }`. */
  on: Readonly<Record<string, string>> & { type?: never; id?: never }
  before?: unknown
  after?: unknown
  reason?: string | null | undefined
}

/**
 * Writes an audit log entry in the transaction of the change. Removes secrets and full identity numbers, so callers
 * cannot forget to. If the actor views the product as another account, the entry names both accounts.
 */
export const recordAudit = (tx: Db, actor: Actor, entry: Entry) =>
  tx.insertInto('auditLog').values(rowOf(actor, entry)).execute()

/** `recordAudit` as part of a larger statement: an INSERT that writes the entry if `condition` holds. */
export function auditInsert(actor: Actor, entry: Entry, condition: RawBuilder<boolean>) {
  const row = rowOf(actor, entry)
  const columns = Object.keys(row).map((column) => sql.ref(column))
  return sql`INSERT INTO audit_log (${sql.join(columns)}) SELECT ${sql.join(Object.values(row))} WHERE ${condition}`
}

/** `recordAudit` for many changes in one transaction, 500 per statement. */
export async function recordAudits(tx: Db, actor: Actor, entries: readonly Entry[]) {
  for (let start = 0; start < entries.length; start += 500)
    await tx
      .insertInto('auditLog')
      .values(entries.slice(start, start + 500).map((entry) => rowOf(actor, entry)))
      .execute()
}

function rowOf(actor: Actor, { action, on, before, after, reason }: Entry) {
  const [[subjectType, subjectId], ...others] = Object.entries(on) as [[string, string]]
  if (others.length > 0) throw new Error(`${action} is about one record`)
  const json = (value: unknown) =>
    value === undefined ? null : JSON.stringify(withoutSecrets(value, subjectType, action))
  return {
    actorId: actor.seenBy?.accountId ?? (actor.accountId || null),
    actorName: actor.seenBy?.name ?? actor.name,
    roleName: actor.seenBy?.role ?? actor.role.name,
    actingAsId: actor.seenBy ? actor.accountId : null,
    actingAsName: actor.seenBy ? actor.name : null,
    action,
    subjectType,
    subjectId,
    before: json(before),
    after: json(after),
    reason: reason || null,
    ip: actor.request?.ip ?? null,
    requestId: actor.request?.id ?? null,
  }
}
