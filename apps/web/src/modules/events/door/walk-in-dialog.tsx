import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { walkInProblems } from '#domain/events/check-in-endpoints.ts'
import { newId } from '#web/offline/new-id.ts'
import { useValues } from '#web/ui/form/use-values.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { LocalScan } from './local-door.ts'

type Props = { university: string; onRegister: (walkIn: NonNullable<LocalScan['walkIn']>) => void; onClose: () => void }

/** Registers a walk-in on this device; works offline. */
export function WalkInDialog({ university, onRegister, onClose }: Props) {
  const { t } = useTranslation(['events', 'errors'])
  const { say, language } = useSurroundings()
  const { values, text, box } = useValues({ name: '', phone: '', school: '', consent: false })
  const [isSubmitted, setSubmitted] = useState(false)
  const { phone, consent } = walkInProblems(values)
  const isNameless = values.name.trim().length < 2
  const sentence = (problem: typeof phone) =>
    isSubmitted && problem ? t(`errors:${problem as 'phone_invalid'}`) : undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('events:door.walkInTitle')}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (isNameless || phone || consent) return
          onRegister({
            id: newId(),
            name: values.name.trim(),
            phone: values.phone.trim(),
            school: values.school.trim(),
            grade: null,
            consent: values.consent,
            language,
          })
        }}
      >
        <Stack>
          <Text size="sm">{t('events:door.walkInText')}</Text>
          <TextInput
            label={t('events:public.name')}
            withAsterisk
            data-autofocus
            maxLength={120}
            error={isSubmitted && isNameless ? t('events:door.nameMissing') : undefined}
            {...text('name')}
          />
          <TextInput label={t('events:public.school')} maxLength={150} {...text('school')} />
          <TextInput
            type="tel"
            label={t('events:public.phone')}
            maxLength={20}
            error={sentence(phone)}
            {...text('phone')}
          />
          <Checkbox label={t('events:public.consent', { university })} error={sentence(consent)} {...box('consent')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('actions.cancel')}
            </Button>
            <Button type="submit">{t('events:door.submit')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
