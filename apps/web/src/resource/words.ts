import { useTranslation } from 'react-i18next'
import type { Entity } from '#entities/define/entity.ts'
import type { Localized } from '#entities/define/language.ts'
import type { Row } from '#entities/define/row.ts'
import { currentLanguage, useLanguage } from '#web/shell/language.ts'

/** Entity and field names come from their declarations, the rest from locale files. */
export function useEntityWords() {
  const { t } = useTranslation('resource')
  const language = useLanguage()
  const say = (text: Localized) => text[language]
  const labelOf = (entity: Entity, key: string): string => {
    const field = entity.fields[key]
    if (field) return say(field.label)
    return t(key === 'createdAt' ? 'created' : key === 'updatedAt' ? 'updated' : 'status')
  }
  return {
    t: t as (key: string, params?: Record<string, unknown>) => string,
    language,
    say,
    labelOf,
    noun: (entity: Entity) => say(entity.label.one).toLowerCase(),
    nouns: (entity: Entity) => say(entity.label.many).toLowerCase(),
  }
}

/** Title of a row, from the fields other rows show it by; undefined ones count as empty. */
export function titleOf({ fields, titleFields }: Entity, row: Row | undefined): string {
  if (!row) return ''
  const parts = titleFields.map((key) => {
    const [field, value] = [fields[key], row[key]]
    return field?.kind === 'choice' ? (field.choices[String(value)]?.[currentLanguage()] ?? value) : value
  })
  return parts.filter(Boolean).join(' · ')
}
