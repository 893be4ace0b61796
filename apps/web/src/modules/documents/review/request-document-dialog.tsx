import { Checkbox, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { requestDocument } from '#domain/documents/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

const tomorrow = () => shiftDay(universityCalendar().dayOf(new Date()), 1)

/** Requests a document the track does not list. */
export function RequestDocumentDialog({ registrationId, onClose }: { registrationId: string; onClose: () => void }) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const { values, text, box, value } = useValues({ name: '', required: true, dueOn: null as string | null })
  const form = useForm({
    call: requestDocument,
    params: { id: registrationId },
    body: values,
    done: t('requestedToast', { name: values.name }),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('requestTitle')} submit={t('requestSend')} onClose={onClose}>
      <TextInput label={t('requestName')} data-autofocus {...text('name')} {...form.field('name')} />
      <Checkbox label={t('requestBlocking')} {...box('required')} />
      <DatePickerInput
        label={t('requestDue')}
        locale={language}
        minDate={tomorrow()}
        clearable
        {...value('dueOn')}
        {...form.field('dueOn')}
      />
    </DialogForm>
  )
}
