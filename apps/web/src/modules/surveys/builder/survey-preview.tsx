import { Box, SegmentedControl, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { useBranding } from '#web/shell/branding.ts'
import { drawPreview } from '#web/survey/form/preview.tsx'
import { colourVariables } from '#web/survey/surroundings.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './builder.module.css'

/** Preview of the draft at phone width, rendered by the components of the public page. */
export function SurveyPreview({ definition }: { definition: SurveyDefinition }) {
  const { t } = useTranslation('survey-builder')
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const { shades } = useBranding()
  const place = useRef<HTMLDivElement>(null)
  const hasQuestions = definition.questions.length > 0
  const exampleCity = t('exampleCity')

  useEffect(() => {
    if (place.current) drawPreview(place.current, { definition, language, exampleCity })
  }, [definition, language, exampleCity])
  useEffect(() => {
    const element = place.current
    if (hasQuestions && element) return () => drawPreview(element, null)
  }, [hasQuestions])

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
            ref={place}
            className={`sv ${classes.phone}`}
            style={colourVariables(shades)}
            lang={language}
            tabIndex={0}
            role="group"
            aria-label={t('preview')}
          />
        )}
      </Stack>
    </Card>
  )
}
