import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Texts } from '#domain/campaigns/campaigns.ts'
import { templateFields } from '#domain/messaging/placeholders.ts'
import type { Bindings } from '#web/api/use-form.ts'
import { useBraceWarning } from '#web/shell/use-brace-warning.ts'
import { useInsert } from '#web/ui/form/use-insert.ts'
import { usePlaceholderName } from './use-placeholder-name.ts'

/** Indonesian first, because most recipients read it. */
const order = ['id', 'en'] as const

type Props = { form: Bindings<Texts>; placeholders: readonly string[] }

/** Subject and text in both languages, with buttons that insert placeholders at the cursor. */
export function TextFields({ form, placeholders }: Props) {
  const { t } = useTranslation(['send', 'campaigns'])
  const braceWarning = useBraceWarning()
  return (
    <Stack gap="md">
      <PlaceholderButtons names={placeholders} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="lg">
        {order.map((language) => {
          const { subject, body } = templateFields[language]
          const name = t(`campaigns:language.${language}`)
          return (
            <Stack key={language} gap="sm">
              <TextInput
                label={t('text.subject', { language: name })}
                description={braceWarning(form.values[subject])}
                {...form.text(subject)}
                withAsterisk
              />
              <Textarea
                label={t('text.body', { language: name })}
                description={braceWarning(form.values[body])}
                autosize
                minRows={7}
                maxRows={20}
                {...form.text(body)}
                withAsterisk
              />
            </Stack>
          )
        })}
      </SimpleGrid>
    </Stack>
  )
}

function PlaceholderButtons({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('send')
  const insert = useInsert()
  const nameOf = usePlaceholderName()
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {t('text.placeholders')}
      </Text>
      <Group gap={6} role="group" aria-label={t('text.placeholdersLabel')}>
        {names.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            title={`{{${name}}}`}
            aria-label={t('text.insert', { name: nameOf(name) })}
            // Keeps focus and cursor position in the text field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insert(`{{${name}}}`)}
          >
            {nameOf(name)}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
