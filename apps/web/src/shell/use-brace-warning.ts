import { useTranslation } from 'react-i18next'
import { singleBraced } from '#domain/messaging/placeholders.ts'

/** Returns the warning beneath a text with a name in single braces, which are sent as they are; undefined for other texts. */
export function useBraceWarning() {
  const { t } = useTranslation('common')
  return (text: string) => {
    const found = singleBraced(text)
    return found && t('singleBraces', { found, name: `{${found}}` })
  }
}
