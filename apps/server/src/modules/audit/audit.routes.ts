import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { exportAudit, listAudit } from '#domain/audit/endpoints.ts'
import { pageOf } from '#server/list/page.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { requireWholeView } from '#server/platform/shared-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { entriesForSheet, filterInWords, sheetColumns } from './export-entries.ts'
import { entryColumns, matchingEntries, snapshotsOf } from './find-entries.ts'
import { nameSubjects } from './name-subjects.ts'

export const auditRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serve(app, listAudit, async (request) => {
      requireWholeView(actorOf(request), 'audit_needs_whole_view')
      const { query } = request
      const { data, meta } = await pageOf(db, query, {
        from: await matchingEntries(db, query),
        columns: (from) => from.select(entryColumns),
        sorts: { at: { by: sql`audit_log.at`, type: 'timestamptz' } },
        id: sql`audit_log.id`,
        idType: 'bigint',
      })
      const nameOf = await nameSubjects(
        db,
        data.map((row) => ({ type: row.subjectType, id: row.subjectId })),
      )
      return {
        data: data.map((row) => {
          const subject = { type: row.subjectType, id: row.subjectId }
          return {
            id: row.id,
            at: row.at.toISOString(),
            actor: { id: row.actorId, name: row.actorName, role: row.roleName, actingAs: row.actingAsName },
            action: row.action,
            subject: { ...subject, ...nameOf(subject) },
            ...snapshotsOf(row),
            reason: row.reason,
            ip: row.ip,
            requestId: row.requestId,
          }
        }),
        meta,
      }
    })

    serve(
      app,
      exportAudit,
      async (request, reply) => {
        requireWholeView(actorOf(request), 'audit_needs_whole_view')
        const language = languageOfRequest(request)
        const { format, columns: _columns, sort: _sort, ...filter } = request.query
        return sendExport(services, request, reply, {
          name: 'audit',
          title: { en: 'Audit log', id: 'Log audit' }[language],
          format,
          columns: sheetColumns(language),
          rows: entriesForSheet(db, await matchingEntries(db, filter), language),
          filter: filterInWords(filter, language),
        })
      },
      { raw: true },
    )
  }
