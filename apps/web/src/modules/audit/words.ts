import { useTranslation } from 'react-i18next'
import { differencesOf } from '#domain/audit/differences.ts'
import type { AuditEntry } from '#domain/audit/lists.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import { findEntity } from '#entities/index.ts'
import { audit } from '#locales/en/audit.ts'
import { useSurroundings } from '#web/ui/words.tsx'

/** What the log says in words, in the reader's language. */
export function useAuditWords() {
  const { t } = useTranslation(['audit', 'settings'])
  const { language } = useSurroundings()
  const say = t as unknown as (key: string, params?: Record<string, unknown>) => string
  return {
    sentence: (entry: Pick<AuditEntry, 'action'>) => actionSentence(say, entry.action, language),
    subjectType: (type: string) => subjectTypeWord(say, type, language),
    /** Who did it, and as whom when they looked with the eyes of somebody else. */
    who: ({ actor: { name, actingAs } }: AuditEntry) => (actingAs ? t('seenAs', { name, as: actingAs }) : name),
    /** What the record is called; a section of the settings by its heading. */
    record: ({ subject: { type, id, title } }: AuditEntry) =>
      title ?? (type === 'settings' ? say(`settings:${id}`, { defaultValue: id }) : null),
    fieldLabel: (type: string, field: string) =>
      findEntity(type)?.fields[field]?.label[language] ??
      ((type === 'settings' && say(`settings:fields.${field}`, { defaultValue: '' })) ||
        say(`audit:fields.${field}`, { defaultValue: '' }) ||
        field),
    /** Actions to choose from; those of master data are found by the kind of record. */
    actions: Object.entries(audit.actions).flatMap(([subject, steps]) =>
      Object.keys(steps).map((step) => ({
        value: `${subject}.${step}`,
        label: actionSentence(say, `${subject}.${step}`, language),
      })),
    ),
    /** In the order of the form, where there is one. */
    differences(entry: AuditEntry) {
      const order = Object.keys(findEntity(entry.subject.type)?.fields ?? {})
      const place = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length)
      return differencesOf(entry.before, entry.after).toSorted((a, b) => place(a.field) - place(b.field))
    },
  }
}
