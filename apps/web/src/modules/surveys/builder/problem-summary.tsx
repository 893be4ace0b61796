import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/ui/card.tsx'
import classes from './builder.module.css'
import type { Builder } from './use-builder.ts'

/** Everything that stands in the way of publishing; each entry leads to its field. */
export function ProblemSummary({ problems, onGo }: { problems: Builder['problems']; onGo: (field: string) => void }) {
  const { t } = useTranslation('survey-builder')
  const placeOf = (field: string) => {
    const [, part = '', index] = field.split('.')
    if (part === 'questions' && index !== undefined) return t('place.question', { number: Number(index) + 1 })
    return t(`place.${part}` as 'place.title')
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
