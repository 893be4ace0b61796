import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProgrammeRequestRow } from '#domain/admissions/lists.ts'
import { refuseProgrammeRequest } from '#domain/admissions/programme-request-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

type Props = { request: Pick<ProgrammeRequestRow, 'id' | 'applicantName' | 'reason'> } & DialogEnds

/** Refuses a request with a reason that the applicant reads. */
export function RefuseDialog({ request, onDone, onClose }: Props) {
  const { t } = useTranslation('programme-change')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: refuseProgrammeRequest,
    params: { id: request.id },
    body: { reason: reason.trim() },
    done: t('request.refused', { name: request.applicantName }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={`${t('request.refuse')}: ${request.applicantName}`}
      submit={t('request.refuse')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('request.refuseText')}</Text>
      <Text size="sm" c="dimmed">
        {request.reason}
      </Text>
      <ReasonInput
        label={t('form.reason')}
        description={t('form.reasonHelp')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
