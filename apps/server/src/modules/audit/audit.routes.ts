import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { listAudit } from '#domain/audit/lists.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { cellsOfEntry } from './entry-cells.ts'
import { entryColumns, entryFilters, hidesUnpublished, snapshotsOf } from './find-entries.ts'
import { nameSubjects } from './name-subjects.ts'

/** The list of audit entries, for its page and for the test of its query plans. */
export const auditSource = ({ db }: Pick<Services, 'db'>) =>
  sourceFor(listAudit, {
    from: () => db.selectFrom('auditLog'),
    scope: ({ actor, now }) => {
      requireWholeView(actor, 'audit_needs_whole_view')
      return seesUnpublished(actor) ? 'everyone' : hidesUnpublished(now)
    },
    filters: entryFilters(db),
    columns: (from) => from.select(entryColumns),
    sorts: { at: { by: sql`audit_log.at`, type: 'timestamptz' } },
    id: sql`audit_log.id`,
    idType: 'bigint',
    toRows: async (found, { connection }) => {
      const nameOf = await nameSubjects(
        connection,
        found.map((row) => ({ type: row.subjectType, id: row.subjectId })),
      )
      return found.map((row) => {
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
      })
    },
    toCells: (entry, { language }) => cellsOfEntry(entry, language),
    nameOf: (filter, value, { language }) => {
      const t = sentences(language)
      if (filter === 'subjectType') return subjectTypeWord(t, value, language)
      return filter === 'action' ? actionSentence(t, value, language) : undefined
    },
  })

export const auditRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) =>
    serveList(app, services, listAudit, auditSource(services))
