import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rejectProposal } from '#domain/schools/endpoints.ts'
import type { SchoolProposal } from '#domain/schools/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

type Props = { proposal: SchoolProposal; onClose: () => void; onRejected: () => void }

/** Asks for the reason of a refusal, and names the applicants who will read it. */
export function RejectProposal({ proposal, onClose, onRejected }: Props) {
  const { t } = useTranslation(['schools', 'common'])
  const [reason, setReason] = useState('')
  const form = useForm({
    call: rejectProposal,
    params: { id: proposal.id },
    body: { version: proposal.version, reason: reason.trim() },
    done: ({ data }) => t('proposals.rejected', { count: data.asked }),
    onDone: onRejected,
  })
  return (
    <DialogForm
      form={form}
      title={t('proposals.rejectTitle', { name: proposal.name })}
      submit={t('proposals.reject')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text size="sm">{t('proposals.rejectText', { count: proposal.applicants })}</Text>
      <ReasonInput
        data-autofocus
        label={t('proposals.reason')}
        minRows={3}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
