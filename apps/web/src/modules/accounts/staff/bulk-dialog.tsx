import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AccountBulkAction,
  listAccounts,
  previewAccountsBulk,
  runAccountsBulk,
} from '#domain/accounts/staff-endpoints.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

type Props = { action: AccountBulkAction; ids: string[]; done: () => void; onClose: () => void }
const shownNames = 12

/** Says which accounts an action will change and which it refuses, and why, before anything happens. */
export function AccountsBulkDialog({ action, ids, done, onClose }: Props) {
  const { t } = useTranslation('staff-accounts')
  const { say } = useSurroundings()
  const queries = useQueryClient()
  const preview = useMutation({ mutationFn: () => call(previewAccountsBulk, { body: { action, ids } }) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => preview.mutate(), [])
  const run = useMutation({
    mutationFn: (allowed: string[]) => call(runAccountsBulk, { body: { action, ids: allowed } }),
    onSuccess: ({ data }) => {
      notifications.show({ color: 'green', message: t(`bulk.done.${action}`, { count: data.allowed.length }) })
      void queries.invalidateQueries({ queryKey: keyOf(listAccounts) })
      done()
      onClose()
    },
  })
  const { allowed = [], refused = [] } = preview.data?.data ?? {}
  const error = preview.error ?? run.error
  const more = allowed.length - shownNames
  return (
    <Modal
      opened
      onClose={() => !run.isPending && onClose()}
      size="lg"
      title={t(`bulk.title.${action}`)}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <Stack>
        {error && (
          <Alert color="red" variant="light" role="alert">
            {error.message}
          </Alert>
        )}
        {preview.isPending && <LoadingRows rows={3} />}
        {preview.isSuccess && (
          <>
            <Text>{allowed.length > 0 ? t(`bulk.will.${action}`, { count: allowed.length }) : t('bulk.nothing')}</Text>
            {allowed.length > 0 && (
              <Text size="sm" c="dimmed">
                {allowed
                  .slice(0, shownNames)
                  .map(({ title }) => title)
                  .join(', ')}
                {more > 0 && ` ${t('bulk.more', { count: more })}`}
              </Text>
            )}
            {refused.length > 0 && (
              <Alert color="orange" variant="light" title={t('bulk.refused', { count: refused.length })}>
                <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
                  {refused.map(({ id, title, reason }) => (
                    <List.Item key={id}>
                      <strong>{title}</strong>: {reason}
                    </List.Item>
                  ))}
                </List>
              </Alert>
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            {say('actions.cancel')}
          </Button>
          <Button
            color={action === 'deactivate' ? 'red.9' : undefined}
            disabled={allowed.length === 0}
            loading={run.isPending}
            onClick={() => run.mutate(allowed.map(({ id }) => id))}
          >
            {t(`bulk.${action}`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
