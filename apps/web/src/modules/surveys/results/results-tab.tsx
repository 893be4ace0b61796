import { Anchor, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  exportSurveyAnswers,
  type QuestionResult,
  readSurveyResults,
  type Survey,
  type SurveyResults,
} from '#domain/surveys/endpoints.ts'
import { dateTime, longDate, wholeNumber, wholePercent } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Bars, DayColumns } from './bars.tsx'
import { ResultFilter } from './result-filter.tsx'
import { useResultFilter } from './use-result-filter.ts'

/** Interval between refetches of the results. */
const everyMs = 10_000

export function ResultsTab({ survey }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { query, isSet } = useResultFilter()
  const { data, error, refetch } = useEndpoint(
    readSurveyResults,
    { params: { id: survey.id }, query },
    { refetchInterval: everyMs, placeholderData: (before) => before },
  )
  const results = data?.data
  return (
    <>
      <ResultFilter survey={survey} />
      {!results ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={8} />
      ) : results.responses === 0 ? (
        <Card>
          <EmptyState title={t('results.none')}>{!isSet && <Text c="dimmed">{t('results.noneText')}</Text>}</EmptyState>
        </Card>
      ) : (
        <Results survey={survey} results={results} />
      )}
    </>
  )
}

function Results({ survey, results }: { survey: Survey; results: SurveyResults }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { responses, leads, lastAt, medianSeconds, days, questions } = results
  return (
    <>
      <Card actions={<ExportButtons survey={survey} />} title={t('results.summary')}>
        <Facts
          facts={[
            [t('results.responses'), wholeNumber(responses)],
            [t('results.leads'), wholeNumber(leads)],
            [t('results.last'), lastAt && dateTime(lastAt, language)],
            [t('results.median'), medianSeconds === null ? null : <Duration seconds={medianSeconds} />],
          ]}
        />
      </Card>
      <Card title={t('results.days')}>
        <DayColumns days={days} />
      </Card>
      {questions.map((question) => (
        <QuestionCard key={question.key} question={question} responses={responses} published={survey.published} />
      ))}
    </>
  )
}

function Duration({ seconds }: { seconds: number }) {
  const { t } = useTranslation('surveys')
  return seconds < 90
    ? t('results.seconds', { count: seconds })
    : t('results.minutes', { count: Math.round(seconds / 60) })
}

function ExportButtons({ survey: { id, name } }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { query } = useResultFilter()
  const { busy, start } = useDownload()
  return (
    <Group gap="xs">
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          size="sm"
          loading={busy}
          onClick={() => start(pathOf(exportSurveyAnswers.path, { id }), `${name}.${format}`, { ...query, format })}
        >
          {t(`results.${format}`)}
        </Button>
      ))}
    </Group>
  )
}

type QuestionProps = { question: QuestionResult; responses: number; published: number | null }

function QuestionCard({ question, responses, published }: QuestionProps) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { label, kind, answered, values, version } = question
  const share = responses > 0 ? wholePercent(answered / responses) : '–'
  return (
    <Card title={label[language]}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`kind.${kind}`)} · {t('results.answered', { count: answered, total: wholeNumber(responses), share })}
        {version !== published && ` · ${t('results.oldQuestion', { number: version })}`}
      </Text>
      {values.length > 0 && (
        <Bars
          caption={label[language]}
          whole={answered}
          bars={values.map((bar) => ({
            key: bar.value,
            label: bar.label?.[language] ?? (kind === 'date' ? <Day value={bar.value} /> : bar.value),
            count: bar.count,
          }))}
        />
      )}
      <Remarks question={question} />
    </Card>
  )
}

/** Shows a day (`YYYY-MM-DD`) or, if the server counted by month, a month (`YYYY-MM`). */
function Day({ value }: { value: string }) {
  const { language } = useSurroundings()
  return value.length === 10 ? longDate(value, language) : longDate(`${value}-01`, language).replace(/^01 /, '')
}

const twoDecimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

/** Statistics, a hint or a link at the end of a question's card. */
function Remarks({ question: { key, kind, numbers, answered } }: { question: QuestionResult }) {
  const { t } = useTranslation('surveys')
  if (answered === 0) return null
  if (kind === 'text') return <PartLink to={`?tab=texts&texts.question=${key}`}>{t('results.seeTexts')}</PartLink>
  if (kind === 'photo') return <PartLink to={`?tab=photos&question=${key}`}>{t('results.seePhotos')}</PartLink>
  const remark =
    kind === 'several'
      ? t('results.severalHint')
      : kind === 'contact'
        ? t('results.contacts')
        : numbers &&
          t('results.numbers', {
            mean: twoDecimals.format(numbers.mean),
            median: twoDecimals.format(numbers.median),
            least: twoDecimals.format(numbers.least),
            most: twoDecimals.format(numbers.most),
          })
  return remark ? (
    <Text size="sm" c="dimmed" mt="sm">
      {remark}
    </Text>
  ) : null
}

const PartLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to}>
    {children}
  </Anchor>
)
