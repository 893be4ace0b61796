import { differencesOf } from '#domain/audit/differences.ts'
import type { AuditEntry } from '#domain/audit/lists.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import type { Language } from '#entities/define/language.ts'
import { findEntity } from '#entities/index.ts'
import { textOf } from '#server/platform/sheets/columns.ts'
import { sentences } from '#server/platform/text.ts'

/** An entry as text cells, for an export. */
export function cellsOfEntry({ actor, action, subject, before, after }: AuditEntry, language: Language) {
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
