import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '#domain/endpoint.ts'
import { rejectProposal, type SchoolProposal } from '#domain/schools/endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { Failure } from '#web/ui/failure.tsx'
import { useSchoolRefresh } from './use-school-data.ts'

type Props = { proposal: SchoolProposal; onClose: () => void; onRejected: () => void }

/** Why a proposed school is refused, and who will be told. */
export function RejectProposal({ proposal, onClose, onRejected }: Props) {
  const send = useSend(rejectProposal)
  const { t } = useTranslation(['schools', 'common'])
  const refresh = useSchoolRefresh()
  const [reason, setReason] = useState('')
  const body = { version: proposal.version, reason: reason.trim() }
  const reject = useMutation<Answer<typeof rejectProposal>, ApiError>({
    mutationFn: () => send({ params: { id: proposal.id }, body }),
    onSuccess: ({ data }) => {
      notifications.show({ message: t('proposals.rejected', { count: data.asked }), color: 'green' })
      refresh()
      onRejected()
    },
  })
  const checks = useChecks(rejectProposal, body, { refusal: reject.error })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('proposals.rejectTitle', { name: proposal.name })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack {...checks.form}>
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
          {...checks.field('reason')}
        />
        <Failure>{checks.unsaid}</Failure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} children={t('merge.cancel')} />
          <Button
            color="red.9"
            loading={reject.isPending}
            onClick={() => checks.isReady() && reject.mutate()}
            children={t('proposals.reject')}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
