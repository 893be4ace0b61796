import type { Entity } from '#entities/define/entity.ts'
import type { Titles } from '#entities/define/row.ts'
import type { HistoryEntry } from '#entities/endpoints.ts'
import { maskText } from '#server/platform/access/masks.ts'
import type { Db } from '#server/platform/database/database.ts'

type Snapshot = Record<string, unknown> & { titles?: Titles }

/** Lists changes of a row with their actor, newest first, from the audit log. */
export async function historyOf(db: Db, entity: Entity, id: string): Promise<HistoryEntry[]> {
  const entries = await db
    .selectFrom('auditLog')
    .select(['id', 'at', 'actorName', 'roleName', 'action', 'before', 'after'])
    .where('subjectType', '=', entity.slug)
    .where('subjectId', '=', id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return entries.map((entry) => ({
    id: Number(entry.id),
    at: new Date(entry.at).toISOString(),
    actor: entry.actorName,
    role: entry.roleName,
    action: entry.action.split('.').at(-1)!,
    changes: changesBetween(entity, (entry.before ?? {}) as Snapshot, (entry.after ?? {}) as Snapshot),
  }))
}

function changesBetween(entity: Entity, before: Snapshot, after: Snapshot): HistoryEntry['changes'] {
  const maskSensitive = (key: string, value: unknown) =>
    entity.fields[key]?.sensitive && typeof value === 'string' ? maskText(value) : (value ?? null)
  return [...Object.keys(entity.fields), 'active']
    .filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null))
    .map((field) => ({
      field,
      before: maskSensitive(field, before[field]),
      after: maskSensitive(field, after[field]),
      beforeTitle: before.titles?.[field] ?? null,
      afterTitle: after.titles?.[field] ?? null,
    }))
}
