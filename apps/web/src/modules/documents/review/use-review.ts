import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canTake, type ReviewAction } from '#domain/documents/document-status.ts'
import { approveDocument, type DocumentSlot, undoReview } from '#domain/documents/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDocumentsChanged } from '#web/modules/documents/use-documents.ts'
import { useSession } from '#web/shell/session/session.tsx'
import type { useChosenSlot } from './use-chosen-slot.ts'

/** A lost answer or refused field allows another try; after any other refusal the documents are read again. */
const mayTryAgain = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status === 422)

/**
 * Whether the reader may review documents of a registration in this status; same rule as the server's
 * `requireReviewer`.
 */
export function useMayReview(registrationStatus: string | undefined) {
  const { may } = useSession()
  const isConfirmed = registrationStatus === 'confirmed' || registrationStatus === 'enrolled'
  return may('pendaftaran-verify') || (may('berkas-mahasiswa-update') && isConfirmed)
}

/** Decides about the chosen document: approves at once, or opens the dialog for further input. */
export function useReview(
  { chosenSlot, chooseSlot, chooseNextWaiting }: ReturnType<typeof useChosenSlot>,
  registration: { open: boolean; registrationStatus: string } | undefined,
) {
  const { t } = useTranslation('documents')
  const mayReview = useMayReview(registration?.registrationStatus)
  const refreshDocuments = useDocumentsChanged()
  const [dialog, setDialog] = useState<'keys' | 'request' | Exclude<ReviewAction, 'approve'> | null>(null)

  /** Closes the dialog; after a decision, opens the next document waiting for review. */
  const goOn = (action: ReviewAction, slot: DocumentSlot) => {
    setDialog(null)
    if (action === 'approve' || action === 'reject') chooseNextWaiting(slot)
  }
  async function handleFailure(error: Error) {
    notifications.show({ message: error.message, color: 'red' })
    if (mayTryAgain(error)) return
    // Another reviewer was faster, or the file was replaced: reads the documents again.
    setDialog(null)
    await refreshDocuments()
  }
  const approval = useMutation<unknown, ApiError, DocumentSlot>({
    mutationFn: ({ id: documentId, version }) =>
      sendOnce(approveDocument, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      goOn('approve', slot)
      await refreshDocuments()
    },
    onError: handleFailure,
  })
  const undo = useMutation({
    mutationFn: ({ id: documentId, version }: DocumentSlot) =>
      sendOnce(undoReview, { params: { documentId }, body: { version } }),
    onSuccess: async (_, slot) => {
      notifications.show({ message: t('undoneToast', { name: slot.name }), color: 'green' })
      chooseSlot(slot)
      await refreshDocuments()
    },
    onError: handleFailure,
  })
  const busy = approval.isPending || undo.isPending
  const isOffline = () => {
    if (navigator.onLine) return false
    notifications.show({ message: t('offline'), color: 'red' })
    return true
  }

  const reasonAgainst = (action: ReviewAction): string | null => {
    if (!chosenSlot || !registration) return t('chooseOne')
    if (!mayReview) return t('why.permission')
    if (!registration.open) return t('why.closed')
    if (!canTake(action, chosenSlot.status)) {
      return t('why.wrongStatus', {
        status: t(`staffStatus.${chosenSlot.status}`, { date: chosenSlot.deferredUntil ?? '' }),
      })
    }
    if (action === 'defer' && !chosenSlot.mayDefer) return t('why.notDeferrable')
    if (action === 'reopen' && chosenSlot.decisionFollows) return t('why.decided')
    return null
  }
  return {
    dialog,
    setDialog,
    reasonAgainst,
    busy,
    isApproving: approval.isPending,
    start: (action: ReviewAction) => {
      if (!chosenSlot || reasonAgainst(action) || busy || isOffline()) return
      if (action === 'approve') approval.mutate(chosenSlot)
      else setDialog(action)
    },
    undo: (slot: DocumentSlot) => {
      if (!busy && !isOffline()) undo.mutate(slot)
    },
    goOn,
    noteRefusal: (error: Error) => {
      if (!mayTryAgain(error)) void handleFailure(error)
    },
  }
}
