import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { universityCalendar } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import { requestDocument } from '#domain/documents/endpoints.ts'
import type { ApiError } from '../../api/client.ts'
import { useSend } from '../../api/send.ts'
import { useChecks } from '../../api/use-checks.ts'
import { Failure } from '../../ui/failure.tsx'
import { useSurroundings } from '../../ui/words.tsx'
import { useDocumentsChanged } from './use-documents.ts'

const tomorrow = () => shiftDay(universityCalendar().dayOf(new Date()), 1)

/** Asks the applicant for something the track does not list. */
export function RequestDocumentDialog({ registrationId, onClose }: { registrationId: string; onClose: () => void }) {
  const send = useSend(requestDocument)
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const changed = useDocumentsChanged()
  const [name, setName] = useState('')
  const [required, setRequired] = useState(true)
  const [dueOn, setDueOn] = useState<string | null>(null)
  const body = { name, required, dueOn }
  const ask = useMutation<unknown, ApiError>({
    mutationFn: () => send({ params: { id: registrationId }, body }),
    onSuccess: async () => {
      notifications.show({ message: t('requestedToast', { name }), color: 'green' })
      onClose()
      await changed()
    },
  })
  const checks = useChecks(requestDocument, body, { refusal: ask.error })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ask.isPending && checks.isReady()) ask.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={t('requestTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form {...checks.form} onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('requestName')}
            maxLength={120}
            {...checks.field('name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Checkbox
            label={t('requestBlocking')}
            checked={required}
            onChange={(event) => setRequired(event.currentTarget.checked)}
          />
          <DatePickerInput
            label={t('requestDue')}
            locale={language}
            minDate={tomorrow()}
            clearable
            {...checks.field('dueOn')}
            value={dueOn}
            onChange={setDueOn}
          />
          <Failure>{checks.unsaid}</Failure>
          <Group>
            <Button type="submit" loading={ask.isPending}>
              {t('requestSend')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
