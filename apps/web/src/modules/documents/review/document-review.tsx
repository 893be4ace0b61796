import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import { DocumentViewer } from '#web/modules/documents/document-viewer.tsx'
import { useDocuments } from '#web/modules/documents/use-documents.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import classes from './document-review.module.css'
import { RequestDocumentDialog } from './request-document-dialog.tsx'
import { ReviewButtons } from './review-buttons.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { ReviewKeysDialog, useReviewKeys } from './review-keys.tsx'
import { SlotList } from './slot-list.tsx'
import { UndoOffers } from './undo-offers.tsx'
import { useChosenSlot } from './use-chosen-slot.ts'
import { useMayReview, useReview } from './use-review.ts'

type Props = {
  registrationId: string
  /** The applicant's data, to compare with the documents. */
  beside?: ReactNode
  /** Document shown first; by default the first that waits for review. */
  firstId?: string | null
}

/** Reviews a registration's documents beside a viewer, by mouse or by the keys A, R, J and K. */
export function DocumentReview({ registrationId, beside, firstId = null }: Props) {
  const { t } = useTranslation('documents')
  const { data, error, refetch, dataUpdatedAt, isFetching } = useDocuments(registrationId)
  const mayReview = useMayReview(data?.meta.registrationStatus)
  const slots = data?.data ?? []
  const chosen = useChosenSlot(slots, firstId)
  const review = useReview(chosen, data?.meta)
  /** Id of the file on screen; keys judge no other file. */
  const [drawnFileId, setDrawnFileId] = useState<string | null>(null)
  const { chosenSlot, moveBy, zoom } = chosen
  const { dialog, setDialog } = review

  // The head of the page would leave a strip of the document between itself and the buttons.
  const desk = useRef<HTMLDivElement>(null)
  const isDesk = mayReview && slots.length > 0
  useEffect(() => {
    if (isDesk && matchMedia('(min-width: 901px)').matches) desk.current?.scrollIntoView()
  }, [isDesk])

  /** A key judges the file on screen: ignored while held down, while data loads, and before the file is drawn. */
  const judge = (action: ReviewAction, repeated: boolean) => {
    if (repeated || isFetching || drawnFileId !== chosenSlot?.file?.id) return
    review.start(action)
  }
  useReviewKeys({
    a: ({ repeat }) => judge('approve', repeat),
    r: ({ repeat }) => judge('reject', repeat),
    j: () => moveBy(1),
    k: () => moveBy(-1),
    '+': () => zoom(0.25),
    '-': () => zoom(-0.25),
    t: chosen.turnOn,
    '?': () => setDialog('keys'),
  })

  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
  return (
    <div className={classes.review} ref={desk}>
      <div className={classes.column}>
        <Card
          flush
          title={t('slots')}
          actions={
            mayReview &&
            data.meta.open && (
              <Button size="xs" variant="default" onClick={() => setDialog('request')}>
                {t('request')}
              </Button>
            )
          }
        >
          {slots.length === 0 ? (
            <EmptyState title={t('none')} />
          ) : (
            <SlotList slots={slots} chosenId={chosenSlot?.id} onChoose={chosen.chooseSlot} list={chosen.list} />
          )}
        </Card>
        {beside}
      </div>

      <Card flush>
        <div className={classes.stage}>
          {chosenSlot?.file ? (
            <DocumentViewer
              key={`${chosenSlot.id} ${chosenSlot.file.id}`}
              documentId={chosenSlot.id}
              version={chosenSlot.version}
              name={chosenSlot.file.name}
              turn={chosen.turn}
              onTurn={chosen.setTurn}
              onDrawn={() => setDrawnFileId(chosenSlot.file?.id ?? null)}
            />
          ) : (
            <EmptyState title={chosenSlot ? t('noFile') : t('chooseOne')} />
          )}
        </div>
        <div className={classes.bar}>
          <UndoOffers slots={slots} answeredAt={dataUpdatedAt} running={review.busy} onUndo={review.undo} />
          <ReviewButtons
            blocked={review.reasonAgainst}
            approving={review.isApproving}
            onStart={review.start}
            onKeys={() => setDialog('keys')}
          />
        </div>
      </Card>

      {chosenSlot && dialog && dialog !== 'keys' && dialog !== 'request' && (
        <ReviewDialog
          action={dialog}
          slot={chosenSlot}
          onReviewed={() => review.goOn(dialog, chosenSlot)}
          onRefused={review.noteRefusal}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'request' && (
        <RequestDocumentDialog registrationId={registrationId} onClose={() => setDialog(null)} />
      )}
      <ReviewKeysDialog opened={dialog === 'keys'} onClose={() => setDialog(null)} />
    </div>
  )
}
