import { useTranslation } from 'react-i18next'
import type { Survey } from '#domain/surveys/endpoints.ts'
import { listSurveyTexts } from '#domain/surveys/lists.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

export function TextsTab({ survey: { id, questions } }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const inWords = questions.filter(({ kind }) => kind === 'text' || kind === 'school')
  const choices = inWords.map(({ key, label }) => ({ value: key, label: label[language] }))
  return (
    <ListCard
      prefix="texts."
      list={listSurveyTexts}
      params={{ id }}
      title={t('texts.title')}
      searchLabel={t('texts.search')}
      rowTitle={({ text }) => text}
      href={({ responseId }) => `?tab=responses&response=${responseId}`}
      controls={{ question: { kind: 'choice', choices } }}
      empty={{ title: t('texts.empty') }}
    />
  )
}
