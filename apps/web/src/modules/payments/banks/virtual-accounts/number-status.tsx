import { useTranslation } from 'react-i18next'
import type { VirtualAccountRow } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { accountTone } from '#web/modules/payments/bills/words.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import classes from './virtual-account.module.css'

type Standing = Pick<VirtualAccountRow, 'status' | 'delayed' | 'alert'>

/** Status of a number and its alert. `short` shows only the alert if there is one. */
export function NumberStatus({ row: { status, delayed, alert }, short }: { row: Standing; short?: boolean }) {
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const attention = alert ? t('needsPerson') : delayed ? t('delayed') : null
  return (
    <span className={classes.standing}>
      {!(short && attention) && <StatusDot tone={accountTone(status)} label={words(`accountStatus.${status}`)} />}
      {attention && <StatusDot tone="attention" label={attention} />}
    </span>
  )
}
