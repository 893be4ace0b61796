import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readOpening } from '#domain/opening/endpoints.ts'
import {
  readWorkbookImport,
  readWorkbookUndo,
  undoWorkbookImport,
  type WorkbookRecord,
} from '#domain/workbook/endpoints.ts'
import { listWorkbookImports } from '#domain/workbook/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'

/** Before anything happens, says what undoing the workbook would delete and restore, or every reason against it. */
export function UndoButton({ record: { id, fileName } }: { record: WorkbookRecord }) {
  const { t } = useTranslation('workbook')
  const close = useTranslation('common').t('actions.close')
  const [opened, setOpened] = useState(false)
  const params = { params: { id } }
  const preview = useEndpoint(readWorkbookUndo, params, { enabled: opened, staleTime: 0, gcTime: 0 })
  const opening = useEndpoint(readOpening, {}, { enabled: opened, staleTime: 0 })
  const undo = useMutation<Awaited<ReturnType<typeof sendOnce<typeof undoWorkbookImport>>>, ApiError>({
    mutationFn: () => sendOnce(undoWorkbookImport, params),
    onSuccess: (answer) => {
      notifications.show({ message: t('undo.done'), color: 'green' })
      queryClient.setQueryData(keyOf(readWorkbookImport, params), answer)
      void queryClient.invalidateQueries({ queryKey: keyOf(listWorkbookImports) })
      void queryClient.invalidateQueries({ queryKey: keyOf(readOpening) })
      void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/') })
      setOpened(false)
    },
    onError: () => void preview.refetch(),
  })
  const outcome = preview.data?.data
  const isRefused = outcome !== undefined && outcome.reasons.length > 0
  // The reasons are listed one by one; the refusal would repeat them in one sentence.
  const failure = isRefused ? preview.error : (undo.error ?? preview.error)
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)} aria-haspopup="dialog">
        {t('undo.open')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('undo.title', { file: fileName })}
        centered
        closeButtonProps={{ 'aria-label': close }}
      >
        <Stack>
          {preview.isPending && <LoadingRows rows={2} />}
          {failure && (
            <Alert color="red" variant="light" role="alert">
              {failure.message}
            </Alert>
          )}
          {isRefused && (
            <Alert color="orange" variant="light" title={t('undo.refused')}>
              <List size="sm">
                {outcome.reasons.map(({ sheet, row, reason }) => (
                  <List.Item key={`${sheet} ${row} ${reason}`}>
                    {sheet}: {row}. {reason}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {outcome && !isRefused && (
            <Text>
              {t('undo.text', { deleted: wholeNumber(outcome.deleted), restored: wholeNumber(outcome.restored) })}
            </Text>
          )}
          {outcome && !isRefused && opening.data?.data.open && (
            <Alert color="red" variant="light">
              {t('undo.registrationOpen')}
            </Alert>
          )}
          {outcome && !isRefused && outcome.editedSince > 0 && (
            <Alert color="orange" variant="light">
              {t('undo.editedSince', { count: outcome.editedSince })}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)} data-autofocus>
              {t('undo.keep')}
            </Button>
            <Button
              color="red.9"
              disabled={!outcome || isRefused}
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              {t('undo.open')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
