import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './builder.module.css'
import { type Template, templates } from './templates.ts'

export function TemplateChoice({ onChoose }: { onChoose: (name: string, definition: SurveyDefinition) => void }) {
  const { t } = useTranslation('survey-builder')
  const { language } = useSurroundings()
  return (
    <Card title={t('templates.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('templates.text')}
      </Text>
      <div className={classes.templates}>
        {(Object.keys(templates) as Template[]).map((name) => (
          <Button
            key={name}
            variant="default"
            className={classes.template}
            onClick={() => onChoose(templates[name].title[language], templates[name])}
          >
            <span>{t(`templates.${name}`)}</span>
            <Text component="span" size="sm" c="dimmed">
              {t('templates.questions', { count: templates[name].questions.length })}
            </Text>
          </Button>
        ))}
      </div>
    </Card>
  )
}
