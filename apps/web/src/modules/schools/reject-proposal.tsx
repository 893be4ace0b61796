import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rejectProposal, type SchoolProposal } from '#domain/schools/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useSend } from '#web/api/send.ts'
import { useSchoolRefresh } from './use-school-data.ts'

type Props = { proposal: SchoolProposal; onClose: () => void; onRejected: () => void }

const shortest = 3

/** Why a proposed school is refused, and who will be told. */
export function RejectProposal({ proposal, onClose, onRejected }: Props) {
  const send = useSend(rejectProposal)
  const { t } = useTranslation(['schools', 'common'])
  const refresh = useSchoolRefresh()
  const [reason, setReason] = useState('')
  const reject = useMutation({
    mutationFn: () => send({ params: { id: proposal.id }, body: { version: proposal.version, reason: reason.trim() } }),
    onSuccess: ({ data }) => {
      notifications.show({ message: t('proposals.rejected', { count: data.asked }), color: 'green' })
      refresh()
      onRejected()
    },
  })
  const errors = reject.error instanceof ApiError ? reject.error.fieldMessages : {}
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('proposals.rejectTitle', { name: proposal.name })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack>
        <Text size="sm">{t('proposals.rejectText', { count: proposal.applicants })}</Text>
        <Textarea
          data-autofocus
          label={t('proposals.reason')}
          withAsterisk
          maxLength={300}
          minRows={3}
          autosize
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={errors.reason}
        />
        {reject.error && !errors.reason && (
          <Alert color="red" variant="light" role="alert" children={reject.error.message} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} children={t('merge.cancel')} />
          <Button
            color="red.9"
            disabled={reason.trim().length < shortest}
            loading={reject.isPending}
            onClick={() => reject.mutate()}
            children={t('proposals.reject')}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
