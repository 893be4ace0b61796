import { useTranslation } from 'react-i18next'
import type { DayRow, StatementLineRow } from '#domain/payments/reconciliation/endpoints.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const useReconciliationWords = () => useTranslation(['reconciliation', 'common', 'approvals'])

export const dayTone = (state: DayRow['state']): Tone =>
  ({ open: 'attention', no_statement: 'waiting', balanced: 'done' })[state] as Tone

export const lineTone = (state: StatementLineRow['state']): Tone =>
  ({ new: 'attention', held: 'attention', same: 'done', matched: 'done', explained: 'done' })[state] as Tone
