import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { moveSession, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { TimeInput } from './time-input.tsx'

/** Moves a session to another time or place; its people keep their seats or choose again. */
export function MoveSessionDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const form = useForm({
    call: moveSession,
    params: { id: session.id },
    start: {
      date: session.date as string | null,
      startTime: session.startTime,
      endTime: session.endTime,
      location: session.location,
      seats: 'keep' as 'keep' | 'release',
      reason: '',
    },
    body: (values) => ({ ...values, version: session.version }),
    done: ({ data }) => t('moveTime.done', { count: data.told }),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('moveTime.title')} form={form} submit={t('moveTime.button')} onClose={onClose}>
      <DatePickerInput label={t('moveTime.date')} {...form.value('date')} />
      <Group>
        {(['startTime', 'endTime'] as const).map((name) => (
          <TimeInput key={name} label={t(`moveTime.${name}`)} {...form.value(name)} />
        ))}
      </Group>
      <TextInput label={t('moveTime.location')} {...form.text('location')} />
      <Radio.Group label={t('moveTime.seats')} {...form.choice('seats')}>
        <Stack gap="xs" mt="xs">
          {(['keep', 'release'] as const).map((choice) => (
            <Radio key={choice} value={choice} label={t(`moveTime.${choice}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <ReasonInput label={t('moveTime.reason')} {...form.text('reason')} />
      <Text fw={600}>{t('moveTime.told', { count: session.taken })}</Text>
    </DialogForm>
  )
}
