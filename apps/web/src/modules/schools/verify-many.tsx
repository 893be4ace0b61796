import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { verifyProposals } from '#domain/schools/endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { Failure } from '#web/ui/failure.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { useSchoolRefresh } from './use-school-data.ts'

type Props = { ids: string[]; done: () => void; onClose: () => void }

/** Which proposals will be accepted and which stay for a closer look, before it happens. */
export function VerifyMany({ ids, done, onClose }: Props) {
  const send = useSend(verifyProposals)
  const { t } = useTranslation(['schools', 'common'])
  const refresh = useSchoolRefresh()
  const preview = useMutation({ mutationFn: () => send({ body: { ids, preview: true } }) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => preview.mutate(), [])
  const run = useMutation({
    mutationFn: () => send({ body: { ids } }),
    onSuccess: ({ data }) => {
      notifications.show({ message: t('proposals.bulkDone', { count: data.verified.length }), color: 'green' })
      refresh()
      done()
      onClose()
    },
  })
  const { verified = [], refused = [] } = preview.data?.data ?? {}
  const error = preview.error ?? run.error
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('proposals.bulkTitle', { count: ids.length })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack>
        {preview.isPending && <LoadingRows rows={3} />}
        {preview.isSuccess && <Text>{t('proposals.bulkWill', { count: verified.length })}</Text>}
        {refused.length > 0 && (
          <Alert color="orange" variant="light" title={t('proposals.bulkWont', { count: refused.length })}>
            <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
              {refused.map(({ id, name, reason }) => (
                <List.Item key={id}>
                  <strong>{name}</strong>: {reason}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Failure>{error?.message}</Failure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} children={t('merge.cancel')} />
          <Button
            disabled={verified.length === 0}
            loading={run.isPending}
            onClick={() => run.mutate()}
            children={t('proposals.bulkRun', { count: verified.length })}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
