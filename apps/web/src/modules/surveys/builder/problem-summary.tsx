import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/ui/card.tsx'
import classes from './builder.module.css'
import type { Builder } from './use-builder.ts'

/** Lists problems that prevent publishing, each with a link to its field. */
export function ProblemSummary({ problems, onGo }: { problems: Builder['problems']; onGo: (field: string) => void }) {
  const { t } = useTranslation('survey-builder')
  /** Label of the option, scale end, help or consent that a path within a question leads to. Null for other paths. */
  const partOf = ([part, index]: string[]) => {
    if (part === 'options' && index !== undefined) return t('option', { number: Number(index) + 1 })
    if (part === 'scale' && index === 'fromLabel') return t('scaleFromLabel')
    if (part === 'scale' && index === 'toLabel') return t('scaleToLabel')
    return part === 'help' || part === 'consent' ? t(part) : null
  }
  const placeOf = (field: string) => {
    const [, part = '', index, ...inner] = field.split('.')
    const isQuestion = part === 'questions' && index !== undefined
    const place = isQuestion
      ? [t('place.question', { number: Number(index) + 1 }), partOf(inner)].filter(Boolean).join(' · ')
      : t(`place.${part}` as 'place.title')
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
