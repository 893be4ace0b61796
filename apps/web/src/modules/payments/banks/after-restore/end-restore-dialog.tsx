import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { endRestored } from '#domain/payments/banks/after-restore/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Confirms that everything lost by the restore has been entered again. */
export function EndRestoreDialog({ unanswered, onClose }: { unanswered: number; onClose: () => void }) {
  const { t } = useTranslation('ops')
  const form = useForm({
    call: endRestored,
    start: { note: '', acceptUnanswered: false },
    body: ({ note, acceptUnanswered }) => ({ note: note.trim(), ...(acceptUnanswered && { acceptUnanswered }) }),
    done: t('restored.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('restored.end')}
      submit={t('restored.end')}
      button={{ disabled: unanswered > 0 && !form.values.acceptUnanswered }}
      onClose={onClose}
    >
      <Text size="sm">{t('restored.endText')}</Text>
      <ReasonInput label={t('restored.note')} data-autofocus {...form.text('note')} />
      {unanswered > 0 && (
        <Checkbox label={t('restored.unanswered', { count: unanswered })} {...form.box('acceptUnanswered')} />
      )}
    </DialogForm>
  )
}
