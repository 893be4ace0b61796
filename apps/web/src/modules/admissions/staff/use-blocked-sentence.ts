import { useTranslation } from 'react-i18next'

/** Returns a function that words why an action is blocked, by a rule of admissions or an error of the API. */
export function useBlockedSentence() {
  const { t } = useTranslation(['admissions', 'errors'])
  return (code: string | null, params: Record<string, unknown> = {}): string => {
    if (!code) return ''
    const rule = t(`admissions:blocked.${code}`, { ...params, defaultValue: '' }) as string
    return rule || (t(`errors:${code}`, { ...params, defaultValue: code }) as string)
  }
}
