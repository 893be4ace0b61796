import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { admitWalkIn, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Gives a person at the door a seat, by registration code. */
export function WalkInDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const form = useForm({
    call: admitWalkIn,
    params: { id: session.id },
    start: { code: '' },
    done: ({ data }) => (data.room ? t('walkIn.donePlace', data) : t('walkIn.done', data)),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('walkIn.title')} form={form} submit={t('walkIn.button')} onClose={onClose}>
      <Text>{t('walkIn.text')}</Text>
      <TextInput label={t('walkIn.code')} autoCapitalize="characters" data-autofocus {...form.text('code')} />
    </DialogForm>
  )
}
