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
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import classes from './document-review.module.css'
import { DocumentStatusDot } from './document-status-dot.tsx'
import { DocumentViewer, turnOn, uprightAndFitting, zoomBy } from './document-viewer.tsx'
import { RequestDocumentDialog } from './request-document-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { ReviewKeysDialog, useReviewKeys } from './review-keys.tsx'
import { UndoOffers } from './undo-offers.tsx'
import { useDocuments, useDocumentsChanged } from './use-documents.ts'

/** After a lost answer or a refused field the same step can be tried again; after other refusals the documents are read again. */
const mayTryAgain = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status === 422)

type Props = {
  registrationId: string
  /** What is compared with the documents: the data of their applicant. */
  beside?: ReactNode
}

/** The documents of a registration beside a viewer, judged by mouse or by keys: A, R, J, K. */
export function DocumentReview({ registrationId, beside }: Props) {
  const { t } = useTranslation('documents')
  const { may } = useSession()
  const changed = useDocumentsChanged()
  const { data, error, refetch, dataUpdatedAt, isFetching } = useDocuments(registrationId)
  const slots = data?.data ?? []
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [turn, setTurn] = useState(uprightAndFitting)
  /** Id of the file that is drawn; keys judge no other. */
  const [drawn, setDrawn] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'keys' | 'request' | Exclude<ReviewAction, 'approve'> | null>(null)
  const list = useRef<HTMLUListElement>(null)

  // Opens on the first one that waits for a look.
  const chosen =
    slots.find(({ id }) => id === chosenId) ?? slots.find(({ status }) => status === 'uploaded') ?? slots[0] ?? null
  const choose = useCallback((slot: DocumentSlot | undefined) => {
    if (!slot) return
    setChosenId(slot.id)
    setTurn(uprightAndFitting)
    list.current?.querySelector(`[data-id="${slot.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [])

  /** Closes the dialog and, after a judgement, goes on to the next one that waits for a look. */
  const goOn = (action: ReviewAction, slot: DocumentSlot) => {
    setDialog(null)
    const at = slots.findIndex(({ id }) => id === slot.id)
    const waiting = [...slots.slice(at + 1), ...slots.slice(0, at)].find(({ status }) => status === 'uploaded')
    if (action === 'approve' || action === 'reject') choose(waiting)
  }
  const approval = useMutation<unknown, ApiError, DocumentSlot>({
    mutationFn: ({ id: documentId, version }) =>
      sendOnce(approveDocument, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      goOn('approve', slot)
      await changed()
    },
    onError: (error) => failed(error),
  })
  const undo = useMutation({
    mutationFn: ({ id: documentId, version }: DocumentSlot) =>
      sendOnce(undoReview, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      notifications.show({ message: t('undoneToast', { name: slot.name }), color: 'green' })
      choose(slot)
      await changed()
    },
    onError: (error) => failed(error),
  })
  const busy = approval.isPending || undo.isPending
  async function failed(error: Error) {
    notifications.show({ message: error.message, color: 'red' })
    if (mayTryAgain(error)) return
    // Somebody was faster, or the file was replaced: show what is true now.
    setDialog(null)
    await changed()
  }
  const isOffline = () => {
    if (navigator.onLine) return false
    notifications.show({ message: t('offline'), color: 'red' })
    return true
  }

  const blocked = (action: ReviewAction): string | null => {
    if (!chosen || !data) return t('chooseOne')
    if (!may('pendaftaran-verify')) return t('why.permission')
    if (!data.meta.open) return t('why.closed')
    if (!canTake(action, chosen.status)) {
      return t('why.wrongStatus', { status: t(`staffStatus.${chosen.status}`, { date: chosen.deferredUntil ?? '' }) })
    }
    if (action === 'defer' && !chosen.mayDefer) return t('why.notDeferrable')
    if (action === 'reopen' && chosen.decisionFollows) return t('why.decided')
    return null
  }
  const start = (action: ReviewAction) => {
    if (!chosen || blocked(action) || busy || isOffline()) return
    if (action === 'approve') approval.mutate(chosen)
    else setDialog(action)
  }
  const move = (step: number) => {
    const at = slots.findIndex(({ id }) => id === chosen?.id)
    choose(slots[Math.min(slots.length - 1, Math.max(0, at + step))])
  }

  /** A key judges what is on the screen, once, and nothing that is about to change. */
  const judge = (action: ReviewAction, repeated: boolean) => {
    if (repeated || isFetching || drawn !== chosen?.file?.id) return
    start(action)
  }
  useReviewKeys({
    a: ({ repeat }) => judge('approve', repeat),
    r: ({ repeat }) => judge('reject', repeat),
    j: () => move(1),
    k: () => move(-1),
    '+': () => setTurn((before) => zoomBy(before, 0.25)),
    '-': () => setTurn((before) => zoomBy(before, -0.25)),
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
            <SlotList slots={slots} chosenId={chosen?.id} onChoose={choose} list={list} />
          )}
        </Card>
        {beside}
      </div>

      <Card flush>
        <div className={classes.stage}>
          {chosen?.file ? (
            <DocumentViewer
              key={`${chosen.id} ${chosen.file.id}`}
              documentId={chosen.id}
              version={chosen.version}
              name={chosen.file.name}
              turn={turn}
              onTurn={setTurn}
              onDrawn={() => setDrawn(chosen.file?.id ?? null)}
            />
          ) : (
            <EmptyState title={chosen ? t('noFile') : t('chooseOne')} />
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
            blocked={blocked}
            approving={approval.isPending}
            onStart={start}
            onKeys={() => setDialog('keys')}
          />
        </div>
      </Card>

      {chosen && dialog && dialog !== 'keys' && dialog !== 'request' && (
        <ReviewDialog
          action={dialog}
          slot={chosen}
          onReviewed={() => goOn(dialog, chosen)}
          onRefused={(error) => !mayTryAgain(error) && void failed(error)}
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
  /** Why an action is not possible now; null if it is. */
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
