import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SelectQueryBuilder, sql } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import type { ExportRecord } from '#domain/transfer/endpoints.ts'
import { pageOf } from '#server/list/page.ts'
import { type Actor, actorOf } from '#server/platform/authorization.ts'
import { type Database, likePattern } from '#server/platform/database.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { requireWholeView } from '#server/platform/shared-rows.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { type SheetFormat, sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'

type Filters = {
  q?: string | undefined
  format?: SheetFormat | undefined
  status?: ExportRecord['status'] | undefined
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

function matching(
  from: SelectQueryBuilder<Database, 'exports', object>,
  { q, format, status, accountId, from: first, to: last }: Filters,
  timeZone: string,
) {
  let rows = from
  if (format) rows = rows.where('format', '=', format)
  if (status) rows = rows.where('status', '=', status)
  if (accountId) rows = rows.where('accountId', '=', accountId)
  if (first) rows = rows.where('startedAt', '>=', calendarOf(timeZone).startOfDay(first))
  if (last) rows = rows.where('startedAt', '<', calendarOf(timeZone).boundsOfDay(last)[1])
  if (q) {
    const pattern = likePattern(q)
    rows = rows.where((eb) =>
      eb.or([eb('title', 'ilike', pattern), eb('accountName', 'ilike', pattern), eb('filterWords', 'ilike', pattern)]),
    )
  }
  return rows
}

type ListQuery = Filters & { page: number; per_page: number; after?: string | undefined; sort: string }

/** The register of exports, newest first. */
export async function findExports({ db }: Services, actor: Actor, query: ListQuery) {
  requireWholeView(actor, 'audit_needs_whole_view')
  const { timeZone } = await getSettings(db)
  const page = await pageOf(db, query, {
    from: matching(db.selectFrom('exports'), query, timeZone),
    columns: (rows) => rows.selectAll('exports'),
    sorts: {
      startedAt: { by: sql`exports.started_at`, type: 'timestamptz' },
      accountName: { by: sql`exports.account_name`, type: 'text' },
      list: { by: sql`exports.list`, type: 'text' },
      rows: { by: sql`exports.rows`, type: 'bigint' },
    },
    id: sql`exports.id`,
  })
  return { ...page, data: page.data.map((row) => ({ ...row, filter: row.filter as ExportRecord['filter'] })) }
}

const sortColumns = { startedAt: 'started_at', accountName: 'account_name', list: 'list', rows: 'rows' } as const

/** The register as a sheet; it is an export like any other and joins the register. */
export async function exportsRegister(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { db } = services
  requireWholeView(actorOf(request), 'audit_needs_whole_view')
  const t = sentences(languageOfRequest(request))
  const query = request.query as Filters & { sort: string; format: SheetFormat }
  const { timeZone } = await getSettings(db)
  const descending = query.sort.startsWith('-')
  const by = sortColumns[(descending ? query.sort.slice(1) : query.sort) as keyof typeof sortColumns]
  // `format` asks for the sheet here, so it cannot filter the register as well.
  const { format, ...filters } = query
  const rows = matching(db.selectFrom('exports'), filters, timeZone)
    .selectAll('exports')
    .orderBy(sql`${sql.ref(by)} ${sql.raw(descending ? 'DESC' : 'ASC')}, id`)
  const column = (key: string, kind: 'text' | 'number' | 'dateTime') => ({
    key,
    kind,
    label: t(`transfer:register.${key}`),
  })
  return sendExport(services, request, reply, {
    name: 'exports',
    title: t('transfer:register.title'),
    format,
    columns: [
      column('startedAt', 'dateTime'),
      column('accountName', 'text'),
      column('roleName', 'text'),
      { ...column('list', 'text'), key: 'title' },
      column('format', 'text'),
      column('filterWords', 'text'),
      column('rows', 'number'),
      column('status', 'text'),
      column('ip', 'text'),
    ],
    rows: readRows(db, rows),
    filter: query.q ? [{ label: t('transfer:search'), value: query.q }] : [],
  })
}
