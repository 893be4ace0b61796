import { useTranslation } from 'react-i18next'
import type { ImportStatus } from '#domain/transfer/import-status.ts'
import type { Localized } from '#entities/define/language.ts'
import { findEntity } from '#entities/index.ts'
import { wholeNumber } from '#locales/format.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

export const toneOf: Record<ImportStatus, Tone> = {
  checking: 'progress',
  checked: 'attention',
  running: 'progress',
  done: 'done',
  failed: 'stopped',
  cancelled: 'waiting',
}

/** `3,9 MB`. */
export const sizeOf = (bytes: number) =>
  bytes >= 1_000_000
    ? `${(bytes / 1_000_000).toFixed(1).replace('.', ',')} MB`
    : `${wholeNumber(Math.max(1, Math.round(bytes / 1000)))} kB`

export function useTransferWords() {
  const { t } = useTranslation(['transfer', 'resource'])
  const { language } = useSurroundings()
  const say = (text: Localized) => text[language]
  const entityName = (slug: string) => {
    const entity = findEntity(slug)
    return entity ? say(entity.label.many) : slug
  }
  /** Label of a column from the importer's key, such as `cityId.code`. */
  const columnName = (slug: string, key: string) => {
    if (key === 'active') return t('resource:active')
    const [field = '', part] = key.split('.')
    const label = findEntity(slug)?.fields[field]?.label
    if (!label) return key
    return part ? `${say(label)} (${t('template.code').toLowerCase()})` : say(label)
  }
  return { t, language, say, entityName, columnName }
}
