import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { testTemplate } from '#domain/messaging/endpoints.ts'
import {
  fillPlaceholders,
  messagePlaceholders,
  sampleValues,
  templateFields,
  unknownPlaceholder,
} from '#domain/messaging/placeholders.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { type MessageChannel, type MessageEvent, messageEvents } from '#entities/messaging/message-events.ts'
import { useForm } from '#web/api/use-form.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useBraceWarning } from '#web/shell/use-brace-warning.ts'
import { Card } from '#web/ui/card.tsx'
import { useInsert } from '#web/ui/form/use-insert.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './template-panel.module.css'

const isEvent = (value: unknown): value is MessageEvent => typeof value === 'string' && value in messageEvents
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Preview of the template in the form, its placeholders, and a test message to the user. */
export default function TemplatePanel({ values }: { values: Record<string, unknown> }) {
  const { t } = useTranslation('templates')
  const insert = useInsert()
  const { event } = values
  if (!isEvent(event))
    return (
      <Card title={t('placeholders')}>
        <Text size="sm" c="dimmed">
          {t('chooseEvent')}
        </Text>
      </Card>
    )
  return (
    <Stack>
      <Card title={t('placeholders')}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('placeholdersText')}
          </Text>
          <Group gap={6}>
            {messagePlaceholders[event].map((name) => (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                title={t(`names.${name}`)}
                aria-label={t('insert', { name: t(`names.${name}`) })}
                // Keeps focus and cursor position in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => insert(`{{${name}}}`)}
              >
                {`{{${name}}}`}
              </Button>
            ))}
          </Group>
        </Stack>
      </Card>
      <Preview event={event} values={values} />
    </Stack>
  )
}

function Preview({ event, values }: { event: MessageEvent; values: Record<string, unknown> }) {
  const { t } = useTranslation('templates')
  const readerLanguage = useSurroundings().language
  const { name } = useBranding()
  const { may, user } = useSession()
  const [language, setLanguage] = useState<Language>(readerLanguage)
  const channel = textOf(values.channel) as MessageChannel
  const subject = textOf(values[templateFields[language].subject])
  const body = textOf(values[templateFields[language].body])
  const braceWarning = useBraceWarning()
  const warning = braceWarning(subject) ?? braceWarning(body)
  const unknown = unknownPlaceholder(event, subject) ?? unknownPlaceholder(event, body)
  const samples = { ...sampleValues(language), ...(name && { university: name }), ...(user && { name: user.name }) }

  const tested = {
    event,
    channel,
    language,
    subject: subject.trim() || null,
    body,
    providerTemplate: (channel === 'whatsapp' && textOf(values.providerTemplate).trim()) || null,
  }
  // The form beside this panel shows the errors of these fields.
  const form = useForm({
    call: testTemplate,
    body: tested,
    done: ({ data }) => (data.to ? t('testSent', { to: data.to }) : t('testInbox')),
  })

  return (
    <Card title={t('preview')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('previewText')}
        </Text>
        <SegmentedControl
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          aria-label={t('preview')}
          data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        />
        {warning && (
          <Text size="sm" role="status">
            {warning}
          </Text>
        )}
        {unknown ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('unknown', { placeholder: unknown })}
          </Text>
        ) : (
          <div className={classes.message} lang={language} aria-live="polite">
            {channel !== 'whatsapp' && (
              <Text fw={600}>{subject ? fillPlaceholders(subject, samples) : `(${t('builtInSubject')})`}</Text>
            )}
            {body ? (
              <Text className={classes.body}>{fillPlaceholders(body, samples)}</Text>
            ) : (
              <Text size="sm" c="dimmed">
                {t('empty')}
              </Text>
            )}
          </div>
        )}
        {may(testTemplate.access) && (
          <>
            <Failure>{form.formError}</Failure>
            <Button
              variant="default"
              loading={form.busy}
              disabled={!body.trim() || !channel || unknown !== undefined}
              onClick={form.submit}
            >
              {t('test')}
            </Button>
          </>
        )}
      </Stack>
    </Card>
  )
}
