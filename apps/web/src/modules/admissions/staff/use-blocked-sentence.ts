import { useTranslation } from 'react-i18next'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'

/** Returns a function that says why an action is blocked, by an admissions rule or an API error. */
export function useBlockedSentence() {
  const { t } = useTranslation(['admissions', 'errors', 'staff'])
  return (code: string | null, params: Record<string, unknown> = {}): string => {
    if (!code) return ''
    const { status } = params
    if (code === 'wrong_status' && status)
      return t('admissions:blockedInStatus', { status: t(`staff:status.${status as RegistrationStatus}`) })
    const rule = t(`admissions:blocked.${code}`, { ...params, defaultValue: '' }) as string
    return rule || (t(`errors:${code}`, { ...params, defaultValue: code }) as string)
  }
}
