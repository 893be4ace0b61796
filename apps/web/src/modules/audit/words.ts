import { useTranslation } from 'react-i18next'
import { differencesOf } from '#domain/audit/differences.ts'
import type { AuditEntry } from '#domain/audit/lists.ts'
import { actionSentence, subjectTypeWord } from '#domain/audit/sentence.ts'
import { findEntity } from '#entities/index.ts'
import { audit } from '#locales/en/audit.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Texts of the audit log in the reader's language. */
export function useAuditWords() {
  const { t } = useTranslation(['audit', 'settings'])
  const { language } = useSurroundings()
  const say = t as unknown as (key: string, params?: Record<string, unknown>) => string
  return {
    sentence: (entry: Pick<AuditEntry, 'action'>) => actionSentence(say, entry.action, language),
    subjectType: (type: string) => subjectTypeWord(say, type, language),
    /** Name of the actor, and of the account they viewed the product as. */
    who: ({ actor: { name, actingAs } }: AuditEntry) => (actingAs ? t('seenAs', { name, as: actingAs }) : name),
    /** Title of the record; for a settings section, its heading. */
    record: ({ subject: { type, id, title } }: AuditEntry) =>
      title ?? (type === 'settings' ? say(`settings:${id}`, { defaultValue: id }) : null),
    fieldLabel: (type: string, field: string) =>
      findEntity(type)?.fields[field]?.label[language] ??
      ((type === 'settings' && say(`settings:fields.${field}`, { defaultValue: '' })) ||
        say(`audit:fields.${field}`, { defaultValue: '' }) ||
        field),
    /** Actions to filter by; actions on master data are filtered by record kind instead. */
    actions: Object.entries(audit.actions).flatMap(([subject, steps]) =>
      Object.keys(steps).map((step) => ({
        value: `${subject}.${step}`,
        label: actionSentence(say, `${subject}.${step}`, language),
      })),
    ),
    /** Changed fields in the order of the entity's form; fields not in the form come last. */
    differences(entry: AuditEntry) {
      const order = Object.keys(findEntity(entry.subject.type)?.fields ?? {})
      const positionOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length)
      return differencesOf(entry.before, entry.after).toSorted((a, b) => positionOf(a.field) - positionOf(b.field))
    },
  }
}
