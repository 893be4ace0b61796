import { Alert, Button, Group, Modal, Progress, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canTake, documentStages } from '#domain/documents/document-status.ts'
import { type DocumentSlot, documentTemplate, postponeDocument, uploadDocument } from '#domain/documents/endpoints.ts'
import { mimesOf } from '#domain/documents/file-types.ts'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import { longDate } from '#locales/format.ts'
import { ApiError, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { useDownload } from '#web/api/use-download.ts'
import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './document-slots.module.css'
import { DocumentStatusDot } from './document-status-dot.tsx'
import { DocumentViewer, uprightAndFitting } from './document-viewer.tsx'
import { useUnfinishedFile } from './unfinished-file.ts'
import { isToSend, useDocuments, useDocumentsChanged } from './use-documents.ts'

type SlotProps = { slot: DocumentSlot; open: boolean; onPreview: (slot: DocumentSlot) => void }

function Slot({ slot, open, onPreview }: SlotProps) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const refreshDocuments = useDocumentsChanged()
  const template = useDownload()
  const sendable = open && canTake('upload', slot.status)
  const path = pathOf(uploadDocument.path, { id: slot.registrationId, documentId: slot.id })
  const unfinished = useUnfinishedFile(path, { enabled: sendable, version: slot.version })
  return (
    <Card title={slot.name} actions={<DocumentStatusDot slot={slot} />}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {slot.required ? t('required') : t('optional')}
          {slot.requested && ` · ${t('requested')}`}
          {slot.dueOn && slot.status !== 'approved' && ` · ${t('dueOn', { date: longDate(slot.dueOn, language) })}`}
        </Text>
        {slot.status === 'rejected' && slot.rejectReason && (
          <Alert color="orange" title={t('status.rejected')}>
            {reasonSentence(slot.rejectReason, t)}
          </Alert>
        )}
        {sendable && unfinished.dropped && (
          <Alert color="orange">{t('changedSince', { name: unfinished.dropped })}</Alert>
        )}
        {sendable ? (
          <FileDrop
            label={slot.file ? t('replace') : t('send')}
            accept={mimesOf(slot.acceptedTypes)}
            maxBytes={slot.maxMb * 1_048_576}
            {...(slot.acceptedTypes.some((type) => type !== 'pdf') && { camera: 'environment' as const })}
            interrupted={unfinished.file}
            current={slot.file && { name: slot.file.name, previewUrl: slot.file.thumbnailUrl }}
            onSend={async (file, onProgress, signal) => {
              const send = (version: number) => {
                const form = new FormData()
                form.append('version', String(version))
                form.append('file', file)
                return upload(path, form, onProgress, { signal })
              }
              await unfinished.keepWhile(file, send).catch(async (error) => {
                if (error instanceof ApiError && error.code === 'document_changed') await refreshDocuments()
                throw error
              })
              await refreshDocuments()
            }}
          />
        ) : (
          slot.file && (
            <Group gap="md" wrap="nowrap">
              {slot.file.thumbnailUrl && <img src={slot.file.thumbnailUrl} alt="" className={classes.thumbnail} />}
              <Text size="sm" className={classes.fileName}>
                {slot.file.name}
              </Text>
            </Group>
          )
        )}
        {open && slot.mayFollowUntil && <FollowButton slot={slot} until={slot.mayFollowUntil} />}
        {(slot.file || slot.hasTemplate) && (
          <Group gap="sm">
            {slot.file && (
              <Button variant="default" onClick={() => onPreview(slot)}>
                {t('preview')}
              </Button>
            )}
            {slot.hasTemplate && sendable && (
              <Button
                variant="subtle"
                loading={template.busy}
                onClick={() => template.start(pathOf(documentTemplate.path, { documentId: slot.id }), slot.name)}
              >
                {t('template')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  )
}

/** Lets the document follow until a day. */
function FollowButton({ slot, until }: { slot: DocumentSlot; until: string }) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const refreshDocuments = useDocumentsChanged()
  const date = longDate(until, language)
  const postpone = useMutation({
    mutationFn: () =>
      sendOnce(postponeDocument, {
        params: { id: slot.registrationId, documentId: slot.id },
        body: { version: slot.version },
      }),
    onSuccess: () => notifications.show({ message: t('followed', { name: slot.name, date }) }),
    onSettled: refreshDocuments,
  })
  return (
    <div>
      <Button variant="subtle" loading={postpone.isPending} onClick={() => postpone.mutate()}>
        {t('follow', { date })}
      </Button>
      <Failure>{postpone.error?.message}</Failure>
    </div>
  )
}

/** Slots for the applicant's documents, with progress. */
export function SlotList({ documents, open }: { documents: readonly DocumentSlot[]; open: boolean }) {
  const { t } = useTranslation('documents')
  const [previewed, setPreviewed] = useState<DocumentSlot | null>(null)
  const [turn, setTurn] = useState(uprightAndFitting)
  if (documents.length === 0)
    return (
      <Card>
        <EmptyState title={t('none')} />
      </Card>
    )
  const required = documents.filter((slot) => slot.required)
  const settledCount = required.filter(({ status }) => ['approved', 'waived', 'deferred'].includes(status)).length
  const toSend = documents.filter(isToSend).length
  // Enrolment documents open last but are listed first, because only they are left to send.
  const stages = documentStages.toReversed().filter((stage) => documents.some((slot) => slot.stage === stage))
  return (
    <Stack gap="md">
      {required.length > 0 && (
        <div>
          <Text fw={600}>
            {toSend > 0
              ? t('toDo', { count: toSend })
              : settledCount < required.length
                ? t('nothingOpen')
                : t('state.complete')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('progress', { done: settledCount, total: required.length })}
          </Text>
          <Progress
            mt={6}
            maw={400}
            value={(settledCount / required.length) * 100}
            color={settledCount === required.length ? 'green' : 'primary'}
            aria-label={t('progress', { done: settledCount, total: required.length })}
          />
        </div>
      )}
      {!open && <Alert>{t('closed')}</Alert>}
      {stages.map((stage) => (
        <Stack key={stage} gap="md">
          {stages.length > 1 && (
            <div>
              <Title order={2}>{t(`stage.${stage}`)}</Title>
              <Text size="sm" c="dimmed">
                {t(`stageHelp.${stage}`)}
              </Text>
            </div>
          )}
          {documents
            .filter((slot) => slot.stage === stage)
            .map((slot) => (
              <Slot
                key={slot.id}
                slot={slot}
                open={open}
                onPreview={(chosenSlot) => {
                  setTurn(uprightAndFitting)
                  setPreviewed(chosenSlot)
                }}
              />
            ))}
        </Stack>
      ))}
      <Modal
        opened={previewed !== null}
        onClose={() => setPreviewed(null)}
        title={previewed?.name}
        size="xl"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {previewed && (
          <div className={classes.preview}>
            <DocumentViewer
              documentId={previewed.id}
              version={previewed.version}
              name={previewed.name}
              turn={turn}
              onTurn={setTurn}
            />
          </div>
        )}
      </Modal>
    </Stack>
  )
}

/** All documents of a registration, for its applicant. */
export function DocumentSlots({ registrationId }: { registrationId: string }) {
  const { data, error, refetch } = useDocuments(registrationId)
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={96} />
  return <SlotList documents={data.data} open={data.meta.open} />
}
