import type { SelectQueryBuilder } from 'kysely'
import { differencesOf } from '#domain/audit/differences.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import { findEntity } from '#entities/index.ts'
import type { Locale } from '#locales/index.ts'
import type { Database, Db } from '#server/platform/database.ts'
import { type SheetColumn, textOf } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sentences } from '#server/platform/text.ts'
import { type AuditFilter, entryColumns, snapshotsOf } from './find-entries.ts'

export function sheetColumns(language: Locale): SheetColumn[] {
  const t = sentences(language)
  const text = (key: string, label: string, width?: number): SheetColumn => ({
    key,
    label: t(`audit:${label}`),
    kind: 'text',
    ...(width && { width }),
  })
  return [
    { key: 'at', label: t('audit:when'), kind: 'dateTime' },
    text('who', 'who', 24),
    text('role', 'role', 16),
    text('what', 'what', 32),
    text('type', 'recordType', 18),
    text('subjectId', 'recordId', 38),
    text('changes', 'changes', 60),
    text('reason', 'reason', 30),
    text('ip', 'address', 16),
    text('requestId', 'request', 20),
  ]
}

/** Entries of a filter, newest first, in words. */
export async function* entriesForSheet(
  db: Db,
  matching: SelectQueryBuilder<Database, 'auditLog', object>,
  language: Locale,
) {
  const t = sentences(language)
  const query = matching.select(entryColumns).orderBy('auditLog.at', 'desc').orderBy('auditLog.id', 'desc')
  type Entry = Awaited<ReturnType<typeof query.executeTakeFirstOrThrow>>
  for await (const row of readRows<Entry>(db, query)) {
    const { before: old, after: now } = snapshotsOf(row)
    const fields = findEntity(row.subjectType)?.fields ?? {}
    const labelOf = (field: string) =>
      fields[field]?.label[language] ?? (t(`audit:fields.${field}`, { defaultValue: '' }) || field)
    yield {
      at: row.at,
      who: row.actingAsName ? t('audit:seenAs', { name: row.actorName, as: row.actingAsName }) : row.actorName,
      role: row.roleName,
      what: actionSentence(t, row.action, language),
      type: subjectTypeWord(t, row.subjectType, language),
      subjectId: row.subjectId,
      changes: differencesOf(old, now)
        .map(({ field, before, after }) =>
          old === null
            ? `${labelOf(field)}: ${textOf(after)}`
            : `${labelOf(field)}: ${textOf(before) || '—'} → ${textOf(after) || '—'}`,
        )
        .join('\n'),
      reason: row.reason,
      ip: row.ip,
      requestId: row.requestId,
    }
  }
}

/** The filter as the head of the sheet and the register of exports tell it. */
export function filterInWords(filter: AuditFilter, language: Locale) {
  const t = sentences(language)
  const told: [label: string, value: string | undefined][] = [
    ['recordType', filter.subjectType && subjectTypeWord(t, filter.subjectType, language)],
    ['recordId', filter.subjectId],
    ['actor', filter.actorId],
    ['action', filter.action && actionSentence(t, filter.action, language)],
    ['kind', filter.kind && t(`audit:kinds.${filter.kind}`)],
    ['from', filter.from],
    ['to', filter.to],
    ['address', filter.ip],
    ['searchLabel', filter.q],
  ]
  return told.flatMap(([label, value]) => (value ? [{ label: t(`audit:${label}`), value }] : []))
}
