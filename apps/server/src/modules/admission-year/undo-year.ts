import { sql } from 'kysely'
import { mustGet, theOnly } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { findEntityOfTable } from '#entities/index.ts'
import { table } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { columnsOf, toRow } from '#server/resource/columns.ts'
import { nounOf, pointersTo } from '#server/resource/users.ts'
import { findCopies, lockYearCopies } from './write-year.ts'

type WrittenRows = { table: string; ids: string[] }[]

async function getWritten(db: Db, id: string) {
  const copy = await db
    .selectFrom('admissionYearCopies')
    .select(['rows', 'undoneAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!copy) throw notFound('admission-year')
  if (copy.undoneAt) throw conflict('year_already_undone')
  return copy.rows as unknown as WrittenRows
}

/** Counts rows that refer to the written rows but were not written by the copy, by table. */
async function countUsers(db: Db, written: WrittenRows, language: Language) {
  const ownIds = new Map(written.map(({ table, ids }) => [table, ids]))
  const counts = new Map<string, number>()
  for (const { table, column, target } of await pointersTo(db, [...ownIds.keys()])) {
    const exceptOwn = ownIds.has(table) ? sql`AND NOT (u.id = ANY(${ownIds.get(table)}::uuid[]))` : sql``
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(table)} u
      WHERE u.${sql.ref(column)} = ANY(${mustGet(ownIds, target)}::uuid[]) ${exceptOwn}`.execute(db)
    const { count } = theOnly(rows)
    if (count > 0) counts.set(table, (counts.get(table) ?? 0) + count)
  }
  return [...counts].map(([table, count]) => ({ what: nounOf(table, count, language), count }))
}

/** Previews an undo: numbers of rows it would delete and of rows that prevent it. */
export async function previewUndo(db: Db, actor: Actor, id: string, language: Language) {
  requireWholeView(actor, 'needs_every_programme')
  const written = await getWritten(db, id)
  let rows = 0
  let changedSince = 0
  let missing = 0
  for (const { table, ids } of written) {
    const found = await sql<{ there: number; changed: number }>`
      SELECT count(*)::int AS there, (count(*) FILTER (WHERE version > 1))::int AS changed
      FROM ${sql.table(table)} WHERE id = ANY(${ids}::uuid[])`.execute(db)
    const { there, changed } = theOnly(found.rows)
    rows += there
    changedSince += changed
    missing += ids.length - there
  }
  return { rows, changedSince, gone: missing, usedBy: await countUsers(db, written, language) }
}

/**
 * Deletes the written rows, last section first. 409 `year_rows_used` if other rows refer to them; a foreign key stops
 * the transaction for a reference added meanwhile.
 */
export const undoYear = (db: Db, actor: Actor, id: string, language: Language, now: Date) =>
  db.transaction().execute(async (tx) => {
    requireWholeView(actor, 'needs_every_programme')
    await lockYearCopies(tx)
    const written = await getWritten(tx, id)
    const users = await countUsers(tx, written, language)
    if (users.length > 0)
      throw conflict('year_rows_used', { users: users.map(({ what, count }) => `${count} ${what}`).join(', ') })
    for (const { table, ids } of written.toReversed()) await removeRows(tx, actor, table, ids)
    await tx
      .updateTable('admissionYearCopies')
      .set({ undoneAt: now, undoneBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'admission-year.undo', on: { 'admission-year': id } })
    return theOnly(await findCopies(tx, id))
  })

async function removeRows(tx: Tx, actor: Actor, name: string, ids: string[]) {
  const entity = findEntityOfTable(name)!
  const { rows } = await sql<Record<string, unknown>>`
    DELETE FROM ${table(entity)} t WHERE id = ANY(${ids}::uuid[]) RETURNING ${columnsOf(entity)}`.execute(tx)
  await recordAudits(
    tx,
    actor,
    rows.map(toRow).map((before) => ({
      action: `${entity.slug}.delete`,
      on: { [entity.slug]: before.id },
      before,
    })),
  )
}
