import { sql } from 'kysely'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { lockSchools, type StoredSchool } from './merge-schools.ts'
import type { Moved } from './move-references.ts'

type Merge = {
  schoolId: string
  merged: StoredSchool[]
  before: StoredSchool
  versionAfter: number
  moved: Moved[]
  undoneAt: Date | null
}

/** Puts a stored row back as it was; columns that came later take their defaults. */
async function insertAgain(tx: Db, table: string, row: Record<string, unknown>) {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const { rows } = await sql`
    INSERT INTO ${sql.table(table)} (${names})
    SELECT ${names} FROM jsonb_populate_record(NULL::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)
    ON CONFLICT DO NOTHING RETURNING 1`.execute(tx)
  return rows.length
}

async function moveBack(tx: Db, { table, column, keys, from, rows }: Moved, keptId: string) {
  if (rows.length === 0) return 0
  const key = sql`jsonb_build_array(${sql.join(keys.map((name) => sql`u.${sql.ref(name)}`))})`
  const { rows: done } = await sql`
    UPDATE ${sql.table(table)} u SET ${sql.ref(column)} = ${from}
    WHERE u.${sql.ref(column)} = ${keptId} AND ${key} IN (SELECT value FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb))
    RETURNING 1`.execute(tx)
  return done.length
}

/** Takes a merge back: the schools return, and what was moved from them and still points to the one that stayed. */
export async function undoMerge({ db, clock }: Services, actor: Actor, id: string) {
  try {
    return await db.transaction().execute(async (tx) => {
      const { rows } = await sql<Merge>`
        SELECT school_id, merged, before, version_after, moved, undone_at FROM school_merges WHERE id = ${id} FOR UPDATE`.execute(
        tx,
      )
      const [merge] = rows
      if (!merge) throw notFound('merge')
      if (merge.undoneAt) throw conflict('merge_undone')
      const kept = (await lockSchools(tx, [merge.schoolId])).get(merge.schoolId)
      if (!kept) throw conflict('merge_kept_gone')
      const { before, merged } = merge
      const restored = kept.version === merge.versionAfter
      const now = clock.now()
      await sql`DELETE FROM school_aliases WHERE merge_id = ${id}`.execute(tx)
      // Its own number comes back in any case: the one it took belongs to a school that returns.
      const back = restored
        ? sql`npsn = ${before.npsn}, name = ${before.name}, school_type_id = ${before.school_type_id},
            status = ${before.status}, city_id = ${before.city_id}, district_id = ${before.district_id},
            address = ${before.address}, verified = ${before.verified}`
        : sql`npsn = ${merged.some(({ npsn }) => npsn === kept.npsn) ? before.npsn : kept.npsn}`
      await sql`UPDATE schools SET ${back}, version = version + 1, updated_at = ${now}, updated_by = ${actor.accountId || null}
        WHERE id = ${kept.id}`.execute(tx)
      for (const row of merged) if ((await insertAgain(tx, 'schools', row)) === 0) throw conflict('school_number_taken')
      let moved = 0
      let wanted = 0
      for (const one of merge.moved) {
        wanted += one.rows.length + one.dropped.length
        moved += await moveBack(tx, one, kept.id)
        for (const row of one.dropped) moved += await insertAgain(tx, one.table, row)
      }
      await sql`UPDATE school_merges SET undone_at = ${now} WHERE id = ${id}`.execute(tx)
      const told = { merged: merged.map((row) => `${row.npsn} ${row.name}`), moved }
      for (const row of [kept, ...merged])
        await recordAudit(tx, actor, 'school.unmerge', { type: 'sma-nama', id: row.id }, { after: told })
      return { moved, left: wanted - moved, restored }
    })
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    throw code === '23505' && constraint === 'schools_npsn_key' ? conflict('school_number_taken') : error
  }
}
