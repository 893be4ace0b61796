import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endRestored } from '#domain/payments/banks/after-restore/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Confirms that everything lost by the restore has been entered again. */
export function EndRestoreDialog({ unanswered, onClose }: { unanswered: number; onClose: () => void }) {
  const { t } = useTranslation('ops')
  const [note, setNote] = useState('')
  const [accepts, setAccepts] = useState(false)
  const form = useForm({
    call: endRestored,
    body: { note: note.trim(), ...(accepts && { acceptUnanswered: true as const }) },
    done: t('restored.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('restored.end')}
      submit={t('restored.end')}
      button={{ disabled: unanswered > 0 && !accepts }}
      onClose={onClose}
    >
      <Text size="sm">{t('restored.endText')}</Text>
      <ReasonInput
        label={t('restored.note')}
        data-autofocus
        {...form.field('note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {unanswered > 0 && (
        <Checkbox
          label={t('restored.unanswered', { count: unanswered })}
          checked={accepts}
          onChange={(event) => setAccepts(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  )
}
