import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { differencesOf } from '#domain/audit/differences.ts'
import { type AuditEntry, listAudit } from '#domain/audit/lists.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import type { Language } from '#entities/define/language.ts'
import { findEntity } from '#entities/index.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { Services } from '#server/platform/services.ts'
import { textOf } from '#server/platform/sheets/columns.ts'
import { sentences } from '#server/platform/text.ts'
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

/** An entry as text cells, for an export. */
function cellsOfEntry({ actor, action, subject, before, after }: AuditEntry, language: Language) {
  const t = sentences(language)
  const fields = findEntity(subject.type)?.fields ?? {}
  const labelOf = (field: string) =>
    fields[field]?.label[language] ?? (t(`audit:fields.${field}`, { defaultValue: '' }) || field)
  const changes = differencesOf(before, after).map((change) =>
    before === null
      ? `${labelOf(change.field)}: ${textOf(change.after)}`
      : `${labelOf(change.field)}: ${textOf(change.before) || '—'} → ${textOf(change.after) || '—'}`,
  )
  return {
    what: actionSentence(t, action, language),
    record: [subjectTypeWord(t, subject.type, language), subject.title].filter(Boolean).join(' · '),
    who: actor.actingAs ? t('audit:seenAs', { name: actor.name, as: actor.actingAs }) : actor.name,
    role: actor.role,
    recordId: subject.id,
    changes: changes.join('\n'),
  }
}

export const auditRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) =>
    serveList(app, services, listAudit, auditSource(services))
