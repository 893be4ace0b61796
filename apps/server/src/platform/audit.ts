import { withoutSecrets } from '#domain/audit/sensitive.ts'
import type { Actor } from './access/authorization.ts'
import type { Db } from './database/database.ts'

type Subject = { type: string; id: string }
type Change = { before?: unknown; after?: unknown; reason?: string }

/**
 * Writes an entry of the audit log, in the transaction of the change itself. Removes secrets and whole identity numbers, so
 * that no caller can forget to. If the actor sees the product as another account, the entry names both accounts.
 */
export const recordAudit = (tx: Db, actor: Actor, action: string, subject: Subject, change: Change = {}) =>
  tx
    .insertInto('auditLog')
    .values(entryOf(actor, { action, subject, ...change }))
    .execute()

/** `recordAudit` for many changes of one transaction, 500 per statement. */
export async function recordAudits(tx: Db, actor: Actor, entries: readonly Entry[]) {
  for (let start = 0; start < entries.length; start += 500)
    await tx
      .insertInto('auditLog')
      .values(entries.slice(start, start + 500).map((entry) => entryOf(actor, entry)))
      .execute()
}

type Entry = Change & { action: string; subject: Subject }

function entryOf(actor: Actor, { action, subject, before, after, reason }: Entry) {
  const json = (value: unknown) =>
    value === undefined ? null : JSON.stringify(withoutSecrets(value, subject.type, action))
  return {
    actorId: actor.seenBy?.accountId ?? (actor.accountId || null),
    actorName: actor.seenBy?.name ?? actor.name,
    roleName: actor.seenBy?.role ?? actor.role.name,
    actingAsId: actor.seenBy ? actor.accountId : null,
    actingAsName: actor.seenBy ? actor.name : null,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    before: json(before),
    after: json(after),
    reason: reason ?? null,
    ip: actor.request?.ip ?? null,
    requestId: actor.request?.id ?? null,
  }
}
