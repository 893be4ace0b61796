import { sql } from 'kysely'
import { type ExportRecord, listExports } from '#domain/transfer/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { contains } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** Lists exports, for actors who see the whole university. An export of this list appears in it. */
export const serveExports = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listExports, {
    from: () => db.selectFrom('exports'),
    scope: ofWholeView('audit_needs_whole_view'),
    filters: {
      format: 'exports.format',
      status: 'exports.status',
      accountId: 'exports.accountId',
      from: sinceDay('exports.startedAt'),
      to: untilDay('exports.startedAt'),
      q: (q) => (eb) => eb.or([contains('title', q), contains('accountName', q), contains('filterWords', q)]),
    },
    columns: (rows) => rows.selectAll('exports'),
    sorts: {
      startedAt: { by: sql`exports.started_at`, type: 'timestamptz' },
      accountName: { by: sql`exports.account_name`, type: 'text' },
      title: { by: sql`exports.list`, type: 'text' },
      rows: { by: sql`exports.rows`, type: 'bigint' },
    },
    id: sql`exports.id`,
    toRows: (found) => found.map((row) => ({ ...row, filter: row.filter as ExportRecord['filter'] })),
  })
}
