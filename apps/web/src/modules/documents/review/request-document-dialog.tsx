import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { requestDocument } from '#domain/documents/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const tomorrow = () => shiftDay(universityCalendar().dayOf(new Date()), 1)

/** Requests a document the track does not list. */
export function RequestDocumentDialog({ registrationId, onClose }: { registrationId: string; onClose: () => void }) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const form = useForm({
    call: requestDocument,
    params: { id: registrationId },
    start: { name: '', required: true, dueOn: null as string | null },
    done: (_, { name }) => t('requestedToast', { name }),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('requestTitle')} submit={t('requestSend')} onClose={onClose}>
      <TextInput label={t('requestName')} data-autofocus {...form.text('name')} />
      <Checkbox label={t('requestBlocking')} {...form.box('required')} />
      <DatePickerInput
        label={t('requestDue')}
        locale={language}
        minDate={tomorrow()}
        clearable
        {...form.value('dueOn')}
      />
    </DialogForm>
  )
}
