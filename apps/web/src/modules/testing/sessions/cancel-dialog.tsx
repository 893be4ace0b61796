import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelSession, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Cancels a session after saying what happens to its people. */
export function CancelDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: cancelSession,
    params: { id: session.id },
    body: { version: session.version, reason },
    done: ({ data }) => t('cancelling.done', { count: data.told }),
    onDone: onClose,
  })
  return (
    <DialogForm
      title={t('cancelling.title')}
      form={form}
      submit={t('cancelling.button')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('cancelling.text')}</Text>
      <Text fw={600}>{t('moveTime.told', { count: session.taken })}</Text>
      <ReasonInput
        label={t('cancelling.reason')}
        value={reason}
        {...form.field('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  )
}
