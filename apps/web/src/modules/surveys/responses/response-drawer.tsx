import { Anchor, Drawer, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readSurveyResponse, type SurveyResponse } from '#domain/surveys/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/surveys/results/bars.module.css'
import { Facts } from '#web/ui/facts.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { surveyId: string; responseId: string; onClose: () => void }

/** Drawer that shows one response. */
export function ResponseDrawer({ surveyId, responseId, onClose }: Props) {
  const { t } = useTranslation('surveys')
  const { say } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readSurveyResponse, { params: { id: surveyId, responseId } })
  return (
    <Drawer
      opened
      position="right"
      onClose={onClose}
      title={t('responses.one')}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      {data ? <Response response={data.data} /> : <LoadingOrFailed error={error} onRetry={refetch} rows={6} />}
    </Drawer>
  )
}

function Response({ response }: { response: SurveyResponse }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { link, school, version, startedAt, finishedAt, receivedAt, erased, answers } = response
  return (
    <Stack>
      <Facts
        facts={[
          [t('column.link'), link],
          [t('column.school'), school],
          [t('column.language'), t(`languageName.${response.language}`)],
          [t('column.version'), version],
          [t('responses.started'), dateTime(startedAt, language)],
          [t('responses.finished'), dateTime(finishedAt, language)],
          [t('responses.received'), dateTime(receivedAt, language)],
        ]}
      />
      {erased && <Text c="dimmed">{t('responses.erased')}</Text>}
      <Facts
        facts={answers.map((answer) => [
          answer.label[language],
          answer.kind === 'photo' ? <Photo answer={answer} /> : (answer.text ?? t('responses.noAnswer')),
        ])}
      />
    </Stack>
  )
}

function Photo({ answer: { photo, label } }: { answer: SurveyResponse['answers'][number] }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  return photo ? (
    <Anchor href={photo.url} target="_blank" rel="noreferrer">
      <img className={classes.photo} src={photo.thumbnail} alt={label[language]} />
    </Anchor>
  ) : (
    t('responses.noPhoto')
  )
}
