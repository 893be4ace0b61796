import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import type { DocumentSlot } from '#domain/documents/endpoints.ts'
import classes from './document-review.module.css'

const doneWords = {
  approve: 'approvedToast',
  reject: 'rejectedToast',
  waive: 'waivedToast',
  defer: 'deferredToast',
  reopen: 'reopenedToast',
} as const satisfies Record<ReviewAction, string>

type Props = {
  slots: readonly DocumentSlot[]
  /**
   * Device time at which the slots arrived. The undo seconds count from then, so a wrong device clock does not matter.
   */
  answeredAt: number
  running: boolean
  onUndo: (slot: DocumentSlot) => void
}

/** Undo buttons for the reviews of the last minute; they stay while the reviewer opens the next document. */
export function UndoOffers({ slots, answeredAt, running, onUndo }: Props) {
  const { t } = useTranslation('documents')
  const [now, setNow] = useState(Date.now)
  const undoableSlots = slots.flatMap((slot) => {
    const secondsLeft = (slot.undoSeconds ?? 0) - Math.max(0, Math.floor((now - answeredAt) / 1000))
    return slot.lastReview && secondsLeft > 0 ? [{ slot, action: slot.lastReview, secondsLeft }] : []
  })
  const any = slots.some(({ undoSeconds }) => undoSeconds !== null)
  useEffect(() => {
    setNow(Date.now())
    if (!any) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [any])
  return (
    <div role="status" className={classes.undo} data-empty={undoableSlots.length === 0 || undefined}>
      {undoableSlots.map(({ slot, action, secondsLeft }) => (
        <Group key={slot.id} gap="sm" justify="space-between">
          <Text size="sm">{t(doneWords[action], { name: slot.name })}</Text>
          <Button size="compact-sm" variant="default" disabled={running} onClick={() => onUndo(slot)}>
            {t('undo', { name: slot.name })}&nbsp;
            <span aria-hidden="true" className="tabular">
              {t('undoSeconds', { count: secondsLeft })}
            </span>
          </Button>
        </Group>
      ))}
    </div>
  )
}
