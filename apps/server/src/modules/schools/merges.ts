import { sql } from 'kysely'
import { listMerges } from '#domain/schools/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { nameWithNumber } from './pairs.ts'

type Stored = { npsn: string; name: string }
type MovedRows = { rows: unknown[]; dropped: unknown[] }

/** Lists merges of schools, newest first. */
export const serveMerges = (app: App, services: Services) =>
  serveList(app, services, listMerges, {
    from: () => services.db.selectFrom('schoolMerges as m').leftJoin('accounts as u', 'u.id', 'm.mergedBy'),
    scope: 'everyone',
    filters: {
      q: (q) => sql<boolean>`(${contains('m.school_name', q)} OR EXISTS (SELECT
        FROM jsonb_to_recordset(m.merged) AS x (npsn text, name text) WHERE ${contains(sql`x.name || ' ' || x.npsn`, q)}))`,
    },
    columns: (rows) =>
      rows.select([
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
    toRows: (found) =>
      found.map(({ merged, moved, ...row }) => {
        const schools = (merged as unknown as Stored[]).map(({ npsn, name }) => ({ npsn, name }))
        return {
          ...row,
          merged: schools,
          mergedNames: schools.map(nameWithNumber).join(', '),
          moved: (moved as unknown as MovedRows[]).reduce((sum, one) => sum + one.rows.length, 0),
          state: row.undoneAt === null ? ('merged' as const) : ('undone' as const),
        }
      }),
  })
