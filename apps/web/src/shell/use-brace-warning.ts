import { useTranslation } from 'react-i18next'
import { singleBraced } from '#domain/messaging/placeholders.ts'

/**
 * Returns the warning below a text with a name in single braces, which would be sent unchanged; undefined for other
 * texts.
 */
export function useBraceWarning() {
  const { t } = useTranslation('common')
  return (text: string) => {
    const found = singleBraced(text)
    return found && t('singleBraces', { found, name: `{${found}}` })
  }
}
