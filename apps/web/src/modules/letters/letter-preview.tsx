import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  fillLetter,
  letterNumberProblem,
  letterPlaceholders,
  sampleLetter,
  unknownInLetter,
} from '#domain/letters/letter-texts.ts'
import { sampleNumber } from '#domain/settings/number-templates.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { useBranding } from '#web/shell/branding.ts'
import { Card } from '#web/ui/card.tsx'
import { useInsert } from '#web/ui/form/use-insert.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { KindValues } from './kind-fields.tsx'
import { LetterText } from './letter-text.tsx'

/** Buttons that insert a placeholder into the field focused last. */
export function Placeholders() {
  const { t } = useTranslation('letters')
  const insert = useInsert()
  return (
    <Card title={t('form.placeholders')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('form.placeholdersText')}
      </Text>
      <Group gap={6}>
        {letterPlaceholders.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            title={t(`placeholder.${name}`)}
            aria-label={t('form.insert', { name: t(`placeholder.${name}`) })}
            // Keeps the focus and cursor position in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insert(`{{${name}}}`)}
          >
            {`{{${name}}}`}
          </Button>
        ))}
      </Group>
    </Card>
  )
}

/** The letter with example values while it is being written. */
export function LetterPreview({ values }: { values: KindValues }) {
  const { t } = useTranslation('letters')
  const readerLanguage = useSurroundings().language
  const { name: university } = useBranding()
  const [language, setLanguage] = useState<Language>(readerLanguage)
  const { title, body } =
    language === 'en' ? { title: values.titleEn, body: values.bodyEn } : { title: values.titleId, body: values.bodyId }
  const unknown = unknownInLetter(title) ?? unknownInLetter(body)
  const number = letterNumberProblem(values.numberTemplate) ? '—' : sampleNumber(values.numberTemplate, 42)
  const samples = { ...sampleLetter(language), number, ...(university && { university }) }
  return (
    <Card title={t('form.preview')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('form.previewText')}
        </Text>
        <SegmentedControl
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          aria-label={t('form.preview')}
          data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        />
        {unknown ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('form.unknown', { placeholder: unknown })}
          </Text>
        ) : (
          <LetterText language={language} title={fillLetter(title, samples)} body={fillLetter(body, samples)}>
            <Text size="sm">{t('pdf.number', { number })}</Text>
          </LetterText>
        )}
      </Stack>
    </Card>
  )
}
