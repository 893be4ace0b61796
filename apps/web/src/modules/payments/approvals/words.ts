import { useTranslation } from 'react-i18next'
import type { ApprovalRow } from '#domain/payments/approvals/endpoints.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const useApprovalWords = () => useTranslation(['approvals', 'money', 'bills', 'common'])
export const useMoneyWords = () => useTranslation(['money', 'approvals', 'bills', 'common'])

export const approvalTone = (status: ApprovalRow['status']): Tone =>
  ({ pending: 'attention', approved: 'done', rejected: 'stopped', withdrawn: 'stopped', superseded: 'stopped' })[
    status
  ] as Tone
