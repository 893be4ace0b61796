import { sql } from 'kysely'
import { type ExportRecord, listExports } from '#domain/transfer/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { withinDays } from '#server/list/within-days.ts'
import { contains } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** Lists exports, for actors who see the whole university. An export of this list appears in it. */
export const serveExports = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listExports, {
    from: ({ actor }, { format, status, accountId, from, to, q }) => {
      requireWholeView(actor, 'audit_needs_whole_view')
      return db
        .selectFrom('exports')
        .$if(format !== undefined, (rows) => rows.where('format', '=', format!))
        .$if(status !== undefined, (rows) => rows.where('status', '=', status!))
        .$if(accountId !== undefined, (rows) => rows.where('accountId', '=', accountId!))
        .where(withinDays('exports.startedAt', from, to))
        .$if(q !== undefined, (rows) =>
          rows.where((eb) => eb.or([contains('title', q!), contains('accountName', q!), contains('filterWords', q!)])),
        )
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
