import { Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readSurveyPhotos, type Survey } from '#domain/surveys/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bars.module.css'

export default function PhotosTab({ survey }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const [search, setSearch] = useSearchParams()
  const questions = survey.questions.filter(({ kind }) => kind === 'photo')
  const question = questions.find(({ key }) => key === search.get('question')) ?? questions[0]
  if (!question)
    return (
      <Card>
        <EmptyState title={t('photos.none')} />
      </Card>
    )
  return (
    <Card>
      {questions.length > 1 && (
        <Select
          label={t('photos.question')}
          data={questions.map(({ key, label }) => ({ value: key, label: label[language] }))}
          value={question.key}
          allowDeselect={false}
          onChange={(key) => key && setSearch({ tab: 'photos', question: key }, { replace: true })}
          maw={360}
          mb="md"
        />
      )}
      <Photos key={question.key} survey={survey} question={question.key} />
    </Card>
  )
}

function Photos({ survey: { id }, question }: { survey: Survey; question: string }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(readSurveyPhotos, { params: { id }, query: { question, page } })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  const pages = Math.max(1, Math.ceil(data.meta.total / data.meta.perPage))
  if (data.data.length === 0 && page === 1) return <EmptyState title={t('photos.none')} />
  return (
    <>
      <div className={classes.photos}>
        {data.data.map(({ responseId, at, thumbnail }) => (
          <Link key={thumbnail} to={`?tab=responses&response=${responseId}`}>
            <img
              className={classes.photo}
              src={thumbnail}
              alt={t('photos.photo', { at: dateTime(at, language) })}
              loading="lazy"
            />
          </Link>
        ))}
      </div>
      {pages > 1 && (
        <Group mt="md">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('photos.previous')}
          </Button>
          <Text>{t('photos.more', { page, pages })}</Text>
          <Button variant="default" disabled={page === pages} onClick={() => setPage(page + 1)}>
            {t('photos.next')}
          </Button>
        </Group>
      )}
    </>
  )
}
