import { type Kysely, sql } from 'kysely'
import { mustGet } from '#domain/must.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { BulkAction } from '#entities/endpoints.ts'
import { table } from '#server/list/row-titles.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseSharedToLimited } from '#server/platform/database/shared-rows.ts'
import { sentences } from '#server/platform/text.ts'
import { columnsOf, scopeSql, titleSql, toRow } from '#server/resource/columns.ts'
import type { Writing } from '#server/resource/store.ts'
import { usersOf } from '#server/resource/users.ts'

/** Splits rows into those the action may change and those it may not, with the reason; `lock` locks the rows. */
async function sortOut(db: Db, entity: Entity, action: BulkAction, ids: readonly string[], by: Writing, lock: boolean) {
  refuseSharedToLimited(entity, by.actor)
  const t = sentences(by.language)
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)}, ${titleSql(entity)} AS own_title FROM ${table(entity)} t
    WHERE t.id = ANY(${ids}::uuid[]) AND ${scopeSql(entity, by.actor, true)}
    ORDER BY t.id ${sql.raw(lock ? 'FOR UPDATE OF t' : '')}`.execute(db)
  const found = new Map(rows.map(({ ownTitle, ...row }) => [row.id as string, { row: toRow(row), ownTitle }]))
  const users = action === 'delete' ? await usersOf(db, entity, [...found.keys()], by.language) : undefined
  const reasonAgainst = (id: string) => {
    const row = found.get(id)?.row
    if (!row) return t('errors:not_found')
    const used = users?.get(id)
    if (used) return t('errors:in_use_by', { users: used })
    if (action !== 'delete' && row.active === (action === 'activate')) return t(`resource:already.${action}`)
    return undefined
  }
  const judged = [...new Set(ids)].map((id) => {
    const title = String(found.get(id)?.ownTitle || entity.label.one[by.language])
    return { id, title, reason: reasonAgainst(id) }
  })
  return {
    rows: new Map([...found].map(([id, { row }]) => [id, row])),
    allowed: judged.filter(({ reason }) => !reason).map(({ id, title }) => ({ id, title })),
    refused: judged.flatMap(({ reason, ...row }) => (reason ? [{ ...row, reason }] : [])),
  }
}

export async function previewBulk(db: Db, entity: Entity, action: BulkAction, ids: readonly string[], by: Writing) {
  const { allowed, refused } = await sortOut(db, entity, action, ids, by, false)
  return { allowed, refused }
}

/** Changes all allowed rows in one transaction; the answer lists the others with the reason. */
export const runBulk = (db: Db, entity: Entity, action: BulkAction, ids: readonly string[], by: Writing) =>
  db.transaction().execute(async (tx) => {
    const { rows, allowed, refused } = await sortOut(tx, entity, action, ids, by, true)
    const chosen = allowed.map(({ id }) => id)
    const loose = tx as unknown as Kysely<any>
    const active = action === 'activate'
    if (chosen.length === 0) return { allowed, refused }
    if (action === 'delete') await loose.deleteFrom(entity.table).where('id', 'in', chosen).execute()
    else
      await loose
        .updateTable(entity.table)
        .set({ active, version: sql`version + 1`, updatedAt: by.now, updatedBy: by.actor.accountId || null })
        .where('id', 'in', chosen)
        .execute()
    for (const id of chosen) {
      const before = mustGet(rows, id)
      const after = action === 'delete' ? undefined : { ...before, active, version: before.version + 1 }
      await recordAudit(tx, by.actor, { action: `${entity.slug}.${action}`, on: { [entity.slug]: id }, before, after })
    }
    return { allowed, refused }
  })
