import { useTranslation } from 'react-i18next'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { toneOf } from './next-step.ts'

/** The status; once a result is shown, that instead. */
export function StatusWord({
  registration: { status, result },
}: {
  registration: { status: RegistrationStatus; result: ShownResult }
}) {
  const { t } = useTranslation('admissions')
  const label =
    status === 'decided' || result === 'not_accepted'
      ? t(`result.${result}`)
      : status === 'verified' && result === 'waiting'
        ? t('result.waiting')
        : t(`status.${status}`)
  return <StatusDot tone={toneOf(status, result)} label={label} />
}
