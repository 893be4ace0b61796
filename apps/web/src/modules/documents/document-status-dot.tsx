import { useTranslation } from 'react-i18next'
import type { DocumentStatus } from '#domain/documents/document-status.ts'
import type { DocumentSlot } from '#domain/documents/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Colours for the applicant: amber marks a document the applicant must send. */
const forApplicant: Record<DocumentStatus, Tone> = {
  empty: 'attention',
  uploaded: 'progress',
  approved: 'done',
  rejected: 'attention',
  waived: 'done',
  deferred: 'waiting',
}
/** Colours for staff: amber marks a document waiting for review. */
const forStaff: Record<DocumentStatus, Tone> = {
  empty: 'waiting',
  uploaded: 'attention',
  approved: 'done',
  rejected: 'stopped',
  waived: 'done',
  deferred: 'waiting',
}

type Props = { slot: Pick<DocumentSlot, 'status' | 'deferredUntil' | 'required'>; staff?: boolean }

export function DocumentStatusDot({ slot, staff }: Props) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const date = slot.deferredUntil ? longDate(slot.deferredUntil, language) : ''
  const label = staff ? t(`staffStatus.${slot.status}`, { date }) : t(`status.${slot.status}`, { date })
  const tone = staff
    ? forStaff[slot.status]
    : slot.status === 'empty' && !slot.required
      ? 'waiting'
      : forApplicant[slot.status]
  return <StatusDot tone={tone} label={label} />
}
