import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { releaseParticipants, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

type Props = { session: SessionDetail; rows: readonly { id: string; name: string }[] } & DialogEnds

/** Releases seats with a reason that their people read. */
export function ReleaseDialog({ session, rows, onDone, onClose }: Props) {
  const { t } = useTranslation('test-sessions')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: releaseParticipants,
    params: { id: session.id },
    body: { ids: rows.map(({ id }) => id), reason },
    done: ({ data }) => t('release.done', { count: data.released }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      title={t('release.title')}
      form={form}
      submit={t('release.button', { count: rows.length })}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('release.text', { count: rows.length })}</Text>
      <Text size="sm" c="dimmed">
        {rows.map(({ name }) => name).join(', ')}
      </Text>
      <ReasonInput
        label={t('release.reason')}
        value={reason}
        {...form.field('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  )
}
