import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentSlot } from '#domain/documents/endpoints.ts'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import { longDate } from '#locales/format.ts'
import { DocumentStatusDot } from '#web/modules/documents/document-status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './document-review.module.css'

type SlotListProps = {
  slots: readonly DocumentSlot[]
  chosenId: string | undefined
  onChoose: (slot: DocumentSlot) => void
  list: RefObject<HTMLUListElement | null>
}

/** A registration's documents with status and last review; the chosen one is marked. */
export function SlotList({ slots, chosenId, onChoose, list }: SlotListProps) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  return (
    <ul className={classes.list} ref={list}>
      {slots.map((slot) => (
        <li key={slot.id}>
          <button
            type="button"
            className={classes.slot}
            data-id={slot.id}
            aria-current={slot.id === chosenId || undefined}
            onClick={() => onChoose(slot)}
          >
            <span className={classes.slotName}>{slot.name}</span>
            <DocumentStatusDot slot={slot} staff />
            <span className={classes.slotNote}>
              {[
                slot.stage === 'enrolment' && t('stage.enrolment'),
                slot.required ? t('required') : t('optional'),
                slot.requested && t('requested'),
                slot.reviewedBy &&
                  slot.reviewedAt &&
                  t('lastReview', { name: slot.reviewedBy, date: longDate(slot.reviewedAt, language) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {slot.rejectReason && <span className={classes.slotNote}>{reasonSentence(slot.rejectReason, t)}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
