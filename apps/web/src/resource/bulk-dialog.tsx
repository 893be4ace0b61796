import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Entity } from '#entities/define/entity.ts'
import { type BulkAction, bulkEndpointsOf } from '#entities/endpoints.ts'
import { call } from '../api/client.ts'
import { LoadingRows } from '../ui/loading-rows.tsx'
import { useEntityWords } from './words.ts'

export type BulkWish = { action: BulkAction; ids: string[]; done: () => void }

/** Says which rows an action will change and which it refuses, and why, before anything happens. */
export function BulkDialog({ entity, wish, onClose }: { entity: Entity; wish: BulkWish; onClose: () => void }) {
  const { t, nouns } = useEntityWords()
  const common = useTranslation('common').t
  const queries = useQueryClient()
  const { action, ids } = wish
  const endpoints = bulkEndpointsOf(entity)[action]
  const preview = useMutation({ mutationFn: () => call(endpoints.preview, { body: { ids } }) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => preview.mutate(), [])
  const run = useMutation({
    mutationFn: (allowed: string[]) => call(endpoints.run, { body: { ids: allowed } }),
    onSuccess: ({ data }) => {
      notifications.show({
        message: t(`bulk.done.${action}`, { count: data.allowed.length, nouns: nouns(entity) }),
        color: 'green',
      })
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/master/') })
      wish.done()
      onClose()
    },
  })
  const { allowed = [], refused = [] } = preview.data?.data ?? {}
  const error = preview.error ?? run.error
  return (
    <Modal
      opened
      onClose={() => !run.isPending && onClose()}
      size="lg"
      title={t(`bulk.title.${action}`, { nouns: nouns(entity) })}
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      <Stack>
        {error && <Alert color="red" variant="light" role="alert" children={error.message} />}
        {preview.isPending && <LoadingRows rows={3} />}
        {preview.isSuccess && (
          <>
            {allowed.length > 0 && (
              <Text>{t(`bulk.will.${action}`, { count: allowed.length, nouns: nouns(entity) })}</Text>
            )}
            <Names rows={allowed} />
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
          <Button variant="default" onClick={onClose} disabled={run.isPending} children={common('actions.cancel')} />
          <Button
            color={action === 'delete' ? 'red.9' : undefined}
            disabled={allowed.length === 0}
            loading={run.isPending}
            onClick={() => run.mutate(allowed.map(({ id }) => id))}
            children={t(action)}
          />
        </Group>
      </Stack>
    </Modal>
  )
}

const shownNames = 12

function Names({ rows }: { rows: readonly { id: string; title: string }[] }) {
  const { t } = useEntityWords()
  if (rows.length === 0) return null
  const more = rows.length - shownNames
  return (
    <Text size="sm" c="dimmed">
      {rows
        .slice(0, shownNames)
        .map(({ title }) => title)
        .join(', ')}
      {more > 0 && ` ${t('bulk.more', { count: more })}`}
    </Text>
  )
}
