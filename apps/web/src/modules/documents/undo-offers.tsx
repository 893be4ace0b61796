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
  /** When this device got the slots; seconds count from then, whatever its clock says. */
  answeredAt: number
  running: boolean
  onUndo: (slot: DocumentSlot) => void
}

/** Reviews of the last minute, each with its way back; they stay while the reviewer goes on to the next document. */
export function UndoOffers({ slots, answeredAt, running, onUndo }: Props) {
  const { t } = useTranslation('documents')
  const [now, setNow] = useState(Date.now)
  const offered = slots.flatMap((slot) => {
    const left = (slot.undoSeconds ?? 0) - Math.max(0, Math.floor((now - answeredAt) / 1000))
    return slot.lastReview && left > 0 ? [{ slot, action: slot.lastReview, left }] : []
  })
  const any = slots.some(({ undoSeconds }) => undoSeconds !== null)
  useEffect(() => {
    setNow(Date.now())
    if (!any) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [any])
  return (
    <div role="status" className={classes.undo} data-empty={offered.length === 0 || undefined}>
      {offered.map(({ slot, action, left }) => (
        <Group key={slot.id} gap="sm" justify="space-between">
          <Text size="sm">{t(doneWords[action], { name: slot.name })}</Text>
          <Button size="compact-md" variant="default" disabled={running} onClick={() => onUndo(slot)}>
            {t('undo', { name: slot.name })}&nbsp;
            <span aria-hidden="true" className="tabular">
              {t('undoSeconds', { count: left })}
            </span>
          </Button>
        </Group>
      ))}
    </div>
  )
}
