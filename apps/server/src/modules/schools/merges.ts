import { sql } from 'kysely'
import type { z } from 'zod'
import type { listMerges as call } from '#domain/schools/endpoints.ts'
import { pageOf } from '#server/list/page.ts'
import type { Db } from '#server/platform/database.ts'

type Stored = { npsn: string; name: string }
type MovedRows = { rows: unknown[]; dropped: unknown[] }

export async function findMerges(db: Db, query: z.output<typeof call.query>) {
  let from = db.selectFrom('schoolMerges as m').leftJoin('accounts as u', 'u.id', 'm.mergedBy')
  if (query.q) {
    const like = `%${query.q.replace(/[%_\\]/g, '\\$&')}%`
    from = from.where(sql<boolean>`(m.school_name ILIKE ${like} OR EXISTS (SELECT
      FROM jsonb_to_recordset(m.merged) AS x (npsn text, name text) WHERE x.name ILIKE ${like} OR x.npsn ILIKE ${like}))`)
  }
  const { data, meta } = await pageOf(db, query, {
    from,
    columns: (merges) =>
      merges.select([
        'm.id',
        'm.schoolId',
        'm.schoolName',
        'm.merged',
        'm.moved',
        'u.name as mergedBy',
        'm.mergedAt',
        'm.undoneAt',
      ]),
    sorts: { mergedAt: { by: sql`m.merged_at`, type: 'timestamptz' } },
    id: sql`m.id`,
  })
  return {
    data: data.map(({ merged, moved, mergedAt, undoneAt, ...row }) => ({
      ...row,
      merged: (merged as unknown as Stored[]).map(({ npsn, name }) => ({ npsn, name })),
      moved: (moved as unknown as MovedRows[]).reduce((sum, one) => sum + one.rows.length, 0),
      mergedAt: mergedAt.toISOString(),
      undoneAt: undoneAt?.toISOString() ?? null,
    })),
    meta,
  }
}
