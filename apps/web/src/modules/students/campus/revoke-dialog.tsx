import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { revokeCampusToken } from '#domain/students/campus/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Revokes a token with a reason. */
export function RevokeDialog({ token, onDone, onClose }: { token: { id: string; name: string } } & DialogEnds) {
  const { t } = useTranslation('campus')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: revokeCampusToken,
    params: { id: token.id },
    body: { reason: reason.trim() },
    done: t('revoke.done', { name: token.name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={t('revoke.title', { name: token.name })}
      submit={t('revoke.action')}
      button={{ color: 'red' }}
      onClose={onClose}
    >
      <Text size="sm">{t('revoke.text')}</Text>
      <ReasonInput
        label={t('revoke.reason')}
        description={t('revoke.reasonHelp')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
