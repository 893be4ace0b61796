import { Button, Group, Kbd } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canTake, type ReviewAction } from '#domain/documents/document-status.ts'
import { approveDocument, type DocumentSlot, undoReview } from '#domain/documents/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import classes from './document-review.module.css'
import { DocumentStatusDot } from './document-status-dot.tsx'
import { DocumentViewer, turnOn, uprightAndFitting, zoomBy } from './document-viewer.tsx'
import { RequestDocumentDialog } from './request-document-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { ReviewKeysDialog, useReviewKeys } from './review-keys.tsx'
import { UndoOffers } from './undo-offers.tsx'
import { useDocuments, useDocumentsChanged } from './use-documents.ts'

/** A lost answer or a refused field allows another try; after any other refusal the documents are read again. */
const mayTryAgain = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status === 422)

type Props = {
  registrationId: string
  /** Data of the applicant, to compare with the documents. */
  beside?: ReactNode
}

/** Reviews the documents of a registration beside a viewer, by mouse or by the keys A, R, J and K. */
export function DocumentReview({ registrationId, beside }: Props) {
  const { t } = useTranslation('documents')
  const { may } = useSession()
  const refreshDocuments = useDocumentsChanged()
  const { data, error, refetch, dataUpdatedAt, isFetching } = useDocuments(registrationId)
  const slots = data?.data ?? []
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [turn, setTurn] = useState(uprightAndFitting)
  /** Id of the file on screen; keys judge no other file. */
  const [drawnFileId, setDrawnFileId] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'keys' | 'request' | Exclude<ReviewAction, 'approve'> | null>(null)
  const list = useRef<HTMLUListElement>(null)

  // Opens the first document that waits for review.
  const chosenSlot =
    slots.find(({ id }) => id === chosenId) ?? slots.find(({ status }) => status === 'uploaded') ?? slots[0] ?? null
  const chooseSlot = useCallback((slot: DocumentSlot | undefined) => {
    if (!slot) return
    setChosenId(slot.id)
    setTurn(uprightAndFitting)
    list.current?.querySelector(`[data-id="${slot.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [])

  /** Closes the dialog; after a decision, opens the next document that waits for review. */
  const goOn = (action: ReviewAction, slot: DocumentSlot) => {
    setDialog(null)
    const index = slots.findIndex(({ id }) => id === slot.id)
    const nextWaiting = [...slots.slice(index + 1), ...slots.slice(0, index)].find(
      ({ status }) => status === 'uploaded',
    )
    if (action === 'approve' || action === 'reject') chooseSlot(nextWaiting)
  }
  const approval = useMutation<unknown, ApiError, DocumentSlot>({
    mutationFn: ({ id: documentId, version }) =>
      sendOnce(approveDocument, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      goOn('approve', slot)
      await refreshDocuments()
    },
    onError: (error) => handleFailure(error),
  })
  const undo = useMutation({
    mutationFn: ({ id: documentId, version }: DocumentSlot) =>
      sendOnce(undoReview, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      notifications.show({ message: t('undoneToast', { name: slot.name }), color: 'green' })
      chooseSlot(slot)
      await refreshDocuments()
    },
    onError: (error) => handleFailure(error),
  })
  const busy = approval.isPending || undo.isPending
  async function handleFailure(error: Error) {
    notifications.show({ message: error.message, color: 'red' })
    if (mayTryAgain(error)) return
    // Another reviewer was faster, or the file was replaced: read the documents again.
    setDialog(null)
    await refreshDocuments()
  }
  const isOffline = () => {
    if (navigator.onLine) return false
    notifications.show({ message: t('offline'), color: 'red' })
    return true
  }

  const reasonAgainst = (action: ReviewAction): string | null => {
    if (!chosenSlot || !data) return t('chooseOne')
    if (!may('pendaftaran-verify')) return t('why.permission')
    if (!data.meta.open) return t('why.closed')
    if (!canTake(action, chosenSlot.status)) {
      return t('why.wrongStatus', {
        status: t(`staffStatus.${chosenSlot.status}`, { date: chosenSlot.deferredUntil ?? '' }),
      })
    }
    if (action === 'defer' && !chosenSlot.mayDefer) return t('why.notDeferrable')
    if (action === 'reopen' && chosenSlot.decisionFollows) return t('why.decided')
    return null
  }
  const startReview = (action: ReviewAction) => {
    if (!chosenSlot || reasonAgainst(action) || busy || isOffline()) return
    if (action === 'approve') approval.mutate(chosenSlot)
    else setDialog(action)
  }
  const moveBy = (step: number) => {
    const index = slots.findIndex(({ id }) => id === chosenSlot?.id)
    chooseSlot(slots[Math.min(slots.length - 1, Math.max(0, index + step))])
  }

  /** A key judges the file on screen: ignored while held down, while data is loading, and before the file is drawn. */
  const judge = (action: ReviewAction, repeated: boolean) => {
    if (repeated || isFetching || drawnFileId !== chosenSlot?.file?.id) return
    startReview(action)
  }
  useReviewKeys({
    a: ({ repeat }) => judge('approve', repeat),
    r: ({ repeat }) => judge('reject', repeat),
    j: () => moveBy(1),
    k: () => moveBy(-1),
    '+': () => setTurn((previous) => zoomBy(previous, 0.25)),
    '-': () => setTurn((previous) => zoomBy(previous, -0.25)),
    t: () => setTurn(turnOn),
    '?': () => setDialog('keys'),
  })

  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
  return (
    <div className={classes.review}>
      <div className={classes.column}>
        <Card
          flush
          title={t('slots')}
          actions={
            may('pendaftaran-verify') &&
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
            <SlotList slots={slots} chosenId={chosenSlot?.id} onChoose={chooseSlot} list={list} />
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
              turn={turn}
              onTurn={setTurn}
              onDrawn={() => setDrawnFileId(chosenSlot.file?.id ?? null)}
            />
          ) : (
            <EmptyState title={chosenSlot ? t('noFile') : t('chooseOne')} />
          )}
        </div>
        <div className={classes.bar}>
          <UndoOffers
            slots={slots}
            answeredAt={dataUpdatedAt}
            running={busy}
            onUndo={(slot) => !busy && !isOffline() && undo.mutate(slot)}
          />
          <ReviewButtons
            blocked={reasonAgainst}
            approving={approval.isPending}
            onStart={startReview}
            onKeys={() => setDialog('keys')}
          />
        </div>
      </Card>

      {chosenSlot && dialog && dialog !== 'keys' && dialog !== 'request' && (
        <ReviewDialog
          action={dialog}
          slot={chosenSlot}
          onReviewed={() => goOn(dialog, chosenSlot)}
          onRefused={(error) => !mayTryAgain(error) && void handleFailure(error)}
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

type SlotListProps = {
  slots: readonly DocumentSlot[]
  chosenId: string | undefined
  onChoose: (slot: DocumentSlot) => void
  list: RefObject<HTMLUListElement | null>
}

function SlotList({ slots, chosenId, onChoose, list }: SlotListProps) {
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
                slot.required ? t('required') : t('optional'),
                slot.requested && t('requested'),
                slot.reviewedBy &&
                  slot.reviewedAt &&
                  t('lastReview', { name: slot.reviewedBy, date: longDate(slot.reviewedAt, language) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {slot.rejectReason && <span className={classes.slotNote}>{slot.rejectReason}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

type ReviewButtonsProps = {
  /** Reason why an action is not possible now; null if it is possible. */
  blocked: (action: ReviewAction) => string | null
  approving: boolean
  onStart: (action: ReviewAction) => void
  onKeys: () => void
}

function ReviewButtons({ blocked, approving, onStart, onKeys }: ReviewButtonsProps) {
  const { t } = useTranslation('documents')
  return (
    <Group gap="sm" className={classes.actions}>
      <DisabledReason reason={blocked('approve')} loading={approving} onClick={() => onStart('approve')}>
        {t('approve')}&nbsp;<Kbd size="xs">A</Kbd>
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('reject')} onClick={() => onStart('reject')}>
        {t('reject')}&nbsp;<Kbd size="xs">R</Kbd>
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('waive')} onClick={() => onStart('waive')}>
        {t('waive')}
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('defer')} onClick={() => onStart('defer')}>
        {t('defer')}
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('reopen')} onClick={() => onStart('reopen')}>
        {t('reopen')}
      </DisabledReason>
      <Button variant="subtle" onClick={onKeys}>
        {t('keysTitle')}&nbsp;<Kbd size="xs">?</Kbd>
      </Button>
    </Group>
  )
}
