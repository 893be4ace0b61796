import { useTranslation } from 'react-i18next'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { toneOf } from './dashboard/next-step.ts'

/** The status, or the result once it is published. */
export function StatusWord({
  registration: { status, result, feeOwed = false },
}: {
  /** `feeOwed`: the status is beyond payment, but the fee is still due. */
  registration: { status: RegistrationStatus; result: ShownResult; feeOwed?: boolean }
}) {
  const { t } = useTranslation('admissions')
  const label =
    feeOwed && result !== 'not_accepted'
      ? t('feeOwed')
      : status === 'decided' || result === 'not_accepted'
        ? t(`result.${result}`)
        : status === 'verified' && result === 'waiting'
          ? t('result.waiting')
          : t(`status.${status}`)
  return <StatusDot tone={toneOf(status, result, feeOwed)} label={label} />
}
