import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type SeatingRule, seatingRules } from '#domain/testing/rooms/seating.ts'
import { giveSeats, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Gives everyone in a session a place by a rule. */
export function SeatingDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const form = useForm({
    call: giveSeats,
    params: { id: session.id },
    start: { rule: session.seatingRule ?? ('name' as SeatingRule), seed: '' },
    body: ({ rule, seed }) => ({ version: session.version, rule, ...(rule === 'lot' && seed.trim() && { seed }) }),
    done: t('seating.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('seating.dialog')} form={form} submit={t('seating.button')} onClose={onClose}>
      <Text>{t('seating.text')}</Text>
      <Radio.Group label={t('seating.rule')} {...form.choice('rule')}>
        <Stack gap="xs" mt="xs">
          {seatingRules.map((rule) => (
            <Radio key={rule} value={rule} label={t(`seating.${rule}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.rule === 'lot' && (
        <TextInput label={t('seating.seed')} description={t('seating.seedHelp')} {...form.text('seed')} />
      )}
      <Text size="sm" c="dimmed">
        {t('seating.needsFirst')}
      </Text>
    </DialogForm>
  )
}
