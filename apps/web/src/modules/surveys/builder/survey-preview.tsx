import { Box, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { newId } from '#web/offline/new-id.ts'
import { useBranding } from '#web/shell/branding.ts'
import { surveyForm } from '#web/survey/form/survey-form.ts'
import { colourVariables } from '#web/survey/surroundings.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './builder.module.css'
import { textOf } from './text-of.ts'

const redrawDelayMs = 300

/** The draft as a phone shows it, rendered by the code of the public page; answers stay in this component. */
export function SurveyPreview({ definition }: { definition: SurveyDefinition }) {
  const { t } = useTranslation('survey-builder')
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const [isThanking, setThanking] = useState(false)
  const { shades } = useBranding()
  const place = useRef<HTMLDivElement>(null)
  const answers = useRef<Record<string, unknown>>({})
  const schoolNames = useRef<Record<string, string>>({})
  const photos = useRef(new Map<string, Blob>())
  const hasQuestions = definition.questions.length > 0
  const definitionText = JSON.stringify(definition)
  const exampleCity = t('exampleCity')

  useEffect(() => {
    if (isThanking || !hasQuestions) return
    const timer = setTimeout(() => {
      const form = surveyForm({
        definition: JSON.parse(definitionText) as SurveyDefinition,
        language,
        id: 'preview',
        answers: answers.current,
        schoolNames: schoolNames.current,
        services: {
          findSchools: async (text) => [{ id: newId(), name: `SMA ${text}`, city: exampleCity }],
          keepPhoto: async (photo) => {
            const id = newId()
            photos.current.set(id, photo)
            return id
          },
          findPhoto: async (id) => photos.current.get(id),
          dropPhoto: (id) => photos.current.delete(id),
        },
        autocomplete: false,
        onChange: (next) => {
          answers.current = next
        },
        onSubmit: () => setThanking(true),
      })
      place.current?.replaceChildren(form)
    }, redrawDelayMs)
    return () => clearTimeout(timer)
  }, [definitionText, language, isThanking, hasQuestions, exampleCity])

  return (
    <Card title={t('preview')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('previewHint')}
        </Text>
        <SegmentedControl
          aria-label={t('previewLanguage')}
          data={languages.map((code) => ({ value: code, label: code === 'id' ? 'Indonesia' : 'English' }))}
          value={language}
          onChange={(code) => setLanguage(code as Language)}
        />
        {!hasQuestions && <Text c="dimmed">{t('previewEmpty')}</Text>}
        {hasQuestions && (
          <Box
            className={`sv ${classes.phone}`}
            style={colourVariables(shades)}
            lang={language}
            tabIndex={0}
            role="group"
            aria-label={t('preview')}
          >
            <p className={classes.phoneTitle}>{textOf(definition.title, language)}</p>
            {isThanking ? (
              <Stack gap="sm">
                <p>{(definition.thanks && textOf(definition.thanks, language)) || '✓'}</p>
                <Button
                  variant="default"
                  onClick={() => {
                    answers.current = {}
                    setThanking(false)
                  }}
                >
                  {t('previewAgain')}
                </Button>
              </Stack>
            ) : (
              <div ref={place} />
            )}
          </Box>
        )}
      </Stack>
    </Card>
  )
}
