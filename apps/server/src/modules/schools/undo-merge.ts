import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { dismissedPairsKey, lockSchools, type StoredSchool } from './merge-schools.ts'
import type { Moved } from './move-references.ts'
import { retryTransaction } from './with-patience.ts'

type Merge = {
  schoolId: string
  merged: StoredSchool[]
  before: StoredSchool
  versionAfter: number
  moved: Moved[]
  undoneAt: Date | null
}

/** Inserts a stored row; columns added to the table since then get their defaults. */
async function reinsert(tx: Db, table: string, row: Record<string, unknown>) {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const { rows } = await sql`
    INSERT INTO ${sql.table(table)} (${names})
    SELECT ${names} FROM jsonb_populate_record(NULL::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)
    ON CONFLICT DO NOTHING RETURNING 1`.execute(tx)
  return rows.length
}

/** Clears references to accounts that no longer exist. */
async function clearDeletedAccounts(tx: Db, rows: StoredSchool[]) {
  const columns = ['proposed_by', 'created_by', 'updated_by']
  const accountIds = rows.flatMap((row) => columns.map((column) => row[column])).filter(Boolean)
  const { rows: found } = await sql<{ id: string }>`
    SELECT id FROM accounts WHERE id = ANY(${accountIds}::uuid[])`.execute(tx)
  const existing = new Set(found.map(({ id }) => id))
  const existingOrNull = (id: unknown) => (existing.has(String(id)) ? id : null)
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(columns.map((column) => [column, existingOrNull(row[column])])),
  }))
}

/** Restores the returning schools' dismissed pairs whose other school still exists. */
async function restoreDismissedPairs(tx: Db, pairs: unknown) {
  await sql`
    INSERT INTO school_pairs (id, low_id, high_id, city_id, similarity, dismissed, dismissed_by, dismissed_at, found_at)
    SELECT p.id, p.low_id, p.high_id, p.city_id, p.similarity, true, a.id, p.dismissed_at, p.found_at
    FROM jsonb_populate_recordset(NULL::school_pairs, ${JSON.stringify(pairs ?? [])}::jsonb) p
    JOIN schools l ON l.id = p.low_id JOIN schools h ON h.id = p.high_id LEFT JOIN accounts a ON a.id = p.dismissed_by
    ON CONFLICT DO NOTHING`.execute(tx)
}

async function moveBack(tx: Db, { table, column, keys, from, rows }: Moved, schoolId: string) {
  if (rows.length === 0) return 0
  const key = sql`jsonb_build_array(${sql.join(keys.map((name) => sql`u.${sql.ref(name)}`))})`
  const { rows: updated } = await sql`
    UPDATE ${sql.table(table)} u SET ${sql.ref(column)} = ${from}
    WHERE u.${sql.ref(column)} = ${schoolId} AND ${key} IN (SELECT value FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb))
    RETURNING 1`.execute(tx)
  return updated.length
}

/** Undoes a merge: restores the schools and those of their references that still point to the remaining school. */
export async function undoMerge({ db, clock }: Services, actor: Actor, id: string) {
  try {
    return await retryTransaction(db, async (tx) => {
      const { rows } = await sql<Merge>`
        SELECT school_id, merged, before, version_after, moved, undone_at FROM school_merges WHERE id = ${id} FOR UPDATE`.execute(
        tx,
      )
      const [merge] = rows
      if (!merge) throw notFound('merge')
      if (merge.undoneAt) throw conflict('merge_undone')
      const existingOrNull = (await lockSchools(tx, [merge.schoolId])).get(merge.schoolId)
      if (!existingOrNull) throw conflict('merge_kept_gone')
      const { before, merged } = merge
      const restored = existingOrNull.version === merge.versionAfter
      const now = clock.now()
      await sql`DELETE FROM school_aliases WHERE merge_id = ${id}`.execute(tx)
      // The number is restored in any case: the one taken over belongs to a returning school.
      const columnValues = restored
        ? sql`npsn = ${before.npsn}, name = ${before.name}, school_type_id = ${before.school_type_id},
            status = ${before.status}, city_id = ${before.city_id}, district_id = ${before.district_id},
            address = ${before.address}, verified = ${before.verified}`
        : sql`npsn = ${merged.some(({ npsn }) => npsn === existingOrNull.npsn) ? before.npsn : existingOrNull.npsn}`
      await sql`UPDATE schools SET ${columnValues}, version = version + 1, updated_at = ${now}, updated_by = ${actor.accountId || null}
        WHERE id = ${existingOrNull.id}`.execute(tx)
      for (const row of await clearDeletedAccounts(tx, merged))
        if ((await reinsert(tx, 'schools', row)) === 0) throw conflict('school_number_taken')
      await restoreDismissedPairs(tx, before[dismissedPairsKey])
      let moved = 0
      let total = 0
      for (const reference of merge.moved) {
        total += reference.rows.length + reference.dropped.length
        moved += await moveBack(tx, reference, existingOrNull.id)
        for (const row of reference.dropped) moved += await reinsert(tx, reference.table, row)
      }
      await sql`UPDATE school_merges SET undone_at = ${now} WHERE id = ${id}`.execute(tx)
      const audited = { merged: merged.map((row) => `${row.npsn} ${row.name}`), moved }
      for (const row of [existingOrNull, ...merged])
        await recordAudit(tx, actor, { action: 'school.unmerge', on: { 'sma-nama': row.id }, after: audited })
      return { moved, left: total - moved, restored }
    })
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    throw code === '23505' && constraint === 'schools_npsn_key' ? conflict('school_number_taken') : error
  }
}
