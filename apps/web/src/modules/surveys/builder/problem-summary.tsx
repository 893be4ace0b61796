import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/ui/card.tsx'
import classes from './builder.module.css'
import type { Builder } from './use-builder.ts'

/** Every problem that prevents publishing; each entry leads to its field. */
export function ProblemSummary({ problems, onGo }: { problems: Builder['problems']; onGo: (field: string) => void }) {
  const { t } = useTranslation('survey-builder')
  const placeOf = (field: string) => {
    const [, part = '', index] = field.split('.')
    const isQuestion = part === 'questions' && index !== undefined
    const place = isQuestion ? t('place.question', { number: Number(index) + 1 }) : t(`place.${part}` as 'place.title')
    const language = field.split('.').at(-1)
    if (language === 'id') return t('inLanguage', { field: place })
    return language === 'en' ? t('inEnglish', { field: place }) : place
  }
  return (
    <Card title={t('wrong')}>
      {problems.length === 0 ? (
        <Text size="sm">{t('nothingWrong')}</Text>
      ) : (
        <>
          <Text size="sm">{t('wrongCount', { count: problems.length })}</Text>
          <ul className={classes.problems}>
            {problems.map(({ field, sentence }) => (
              <li key={field}>
                <Anchor component="button" type="button" ta="start" size="sm" onClick={() => onGo(field)}>
                  {placeOf(field)}: {sentence}
                </Anchor>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
