import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/api/client.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Named = { id: string; title: string }
export type BulkPreview = {
  allowed: readonly Named[]
  refused: readonly (Named & { reason: string })[]
  /** Allowed, but listed separately with a reason to check first. */
  warned?: { title: string; rows: readonly (Named & { reason: string })[] }
  /** Further information for the decision. */
  note?: ReactNode
}

type Props = {
  title: string
  preview: () => Promise<BulkPreview>
  /** Sentence that announces the effect for this number of rows. */
  will: (count: number) => string
  /**
   * Applies the action to the allowed rows and reports how many changed. `skippedCount` rows refused by the preview are
   * not sent.
   */
  run: (ids: string[], skippedCount: number) => Promise<{ message: string; partly?: boolean }>
  button: (count: number) => string
  danger?: boolean
  /** Further fields of the dialog, and their checks. */
  children?: ReactNode
  checks?: Checks
  onDone: () => void
  onClose: () => void
}

const shownNames = 12

/**
 * Before anything happens, lists the rows an action will change and the refused rows with reasons. After success all
 * queries on screen reload.
 */
export function BulkDialog({ title, will, button, danger, children, checks, onDone, onClose, ...calls }: Props) {
  const { t } = useTranslation('list')
  const { say } = useSurroundings()
  const queries = useQueryClient()
  const preview = useMutation({ mutationFn: calls.preview })
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once, when the dialog opens
  useEffect(() => preview.mutate(), [])
  const { allowed = [], refused = [], warned, note } = preview.data ?? {}
  const run = useMutation<Awaited<ReturnType<Props['run']>>, ApiError>({
    mutationFn: () =>
      calls.run(
        allowed.map(({ id }) => id),
        refused.length,
      ),
    onSuccess: ({ message, partly }) => {
      notifications.show({ message, color: partly ? 'yellow' : 'green' })
      onDone()
      onClose()
      void queries.invalidateQueries()
    },
    onError: (error) => checks?.refuse(error),
  })
  // A double click arrives before the pending state is rendered, so a ref blocks the second click.
  const isRunning = useRef(false)
  const runOnce = () => {
    if (isRunning.current || !(checks?.isReady() ?? true)) return
    isRunning.current = true
    run.mutate(undefined, { onError: () => (isRunning.current = false) })
  }
  const failure = preview.error?.message ?? (checks ? checks.formError : run.error?.message)
  const more = allowed.length - shownNames
  const [onlyRow, secondRow] = [...allowed, ...refused]
  const name = secondRow ? undefined : onlyRow?.title
  return (
    <Modal
      opened
      onClose={() => !run.isPending && onClose()}
      size="lg"
      title={name ? `${title}: ${name}` : title}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <Stack {...checks?.form}>
        {preview.isPending && <LoadingRows rows={3} />}
        {preview.isSuccess && (allowed.length > 0 || !name) && (
          <Text>{allowed.length > 0 ? will(allowed.length) : t('bulk.nothing')}</Text>
        )}
        {allowed.length > 0 && (
          <Text size="sm" c="dimmed">
            {allowed
              .slice(0, shownNames)
              .map((row) => row.title)
              .join(', ')}
            {more > 0 && ` ${t('bulk.more', { count: more })}`}
          </Text>
        )}
        {refused.length > 0 && (
          <Alert color="orange" variant="light" title={t('bulk.refused', { count: refused.length })}>
            <List size="sm" mah={240} style={{ overflowY: 'auto' }} tabIndex={0}>
              {refused.map(({ id, title: name, reason }) => (
                <List.Item key={id}>
                  <strong>{name}</strong>: {reason}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {warned && warned.rows.length > 0 && (
          <Alert color="yellow" variant="light" title={warned.title}>
            <List size="sm" mah={240} style={{ overflowY: 'auto' }} tabIndex={0}>
              {warned.rows.map(({ id, title: name, reason }) => (
                <List.Item key={id}>
                  <strong>{name}</strong>: {reason}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {note}
        {allowed.length > 0 && children}
        <Failure>{failure}</Failure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            {say(preview.isSuccess && allowed.length === 0 ? 'actions.close' : 'actions.cancel')}
          </Button>
          {allowed.length > 0 && (
            <Button
              color={danger ? 'red.9' : undefined}
              loading={run.isPending}
              onClick={runOnce}
              children={button(allowed.length)}
            />
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
