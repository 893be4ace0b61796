import { Alert, Button, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readOpening } from '#domain/opening/endpoints.ts'
import { readWorkbookUndo, undoWorkbookImport, type WorkbookRecord } from '#domain/workbook/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

export function UndoButton({ record }: { record: WorkbookRecord }) {
  const { t } = useTranslation('workbook')
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsks(true)} aria-haspopup="dialog">
        {t('undo.open')}
      </Button>
      {asks && <UndoDialog record={record} onClose={() => setAsks(false)} />}
    </>
  )
}

type DialogProps = { record: WorkbookRecord; onClose: () => void }

/** Before anything happens, says what undoing the workbook would delete and restore, or every reason against it. */
function UndoDialog({ record: { id, fileName }, onClose }: DialogProps) {
  const { t } = useTranslation('workbook')
  const { data, error, refetch } = useEndpoint(readWorkbookUndo, { params: { id } }, { staleTime: 0, gcTime: 0 })
  const opening = useEndpoint(readOpening, {}, { staleTime: 0 })
  const undo = useForm({
    call: undoWorkbookImport,
    params: { id },
    done: t('undo.done'),
    // Closes first: a workbook taken back has no preview any more.
    onDone: onClose,
    onRefused: () => refetch(),
  })
  const outcome = data?.data
  const isRefused = outcome !== undefined && outcome.reasons.length > 0
  return (
    <ConfirmDialog
      danger
      title={t('undo.title', { file: fileName })}
      message={
        !outcome ? (
          <LoadingOrFailed error={error} onRetry={refetch} rows={2} />
        ) : isRefused ? (
          <Alert color="orange" variant="light" title={t('undo.refused')}>
            <List size="sm">
              {outcome.reasons.map(({ sheet, row, reason }) => (
                <List.Item key={`${sheet} ${row} ${reason}`}>
                  {sheet}: {row}. {reason}
                </List.Item>
              ))}
            </List>
          </Alert>
        ) : (
          <>
            <Text>
              {t('undo.text', { deleted: wholeNumber(outcome.deleted), restored: wholeNumber(outcome.restored) })}
            </Text>
            {opening.data?.data.open && (
              <Alert color="red" variant="light">
                {t('undo.registrationOpen')}
              </Alert>
            )}
            {outcome.editedSince > 0 && (
              <Alert color="orange" variant="light">
                {t('undo.editedSince', { count: outcome.editedSince })}
              </Alert>
            )}
          </>
        )
      }
      confirmLabel={outcome && !isRefused ? t('undo.open') : null}
      cancelLabel={t('undo.keep')}
      onConfirm={() => undo.send()}
      onClose={onClose}
    />
  )
}
