import { Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countedKinds } from '#domain/surveys/definition.ts'
import { readSurveyCross, type Survey, type SurveyCross } from '#domain/surveys/endpoints.ts'
import { wholeNumber, wholePercent } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bars.module.css'
import { ResultFilter } from './result-filter.tsx'
import { useResultFilter } from './use-result-filter.ts'

export default function CrossTab({ survey }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { query } = useResultFilter()
  const [row, setRow] = useState<string | null>(null)
  const [column, setColumn] = useState<string | null>(null)
  const options = survey.questions
    .filter(({ kind }) => (countedKinds as readonly string[]).includes(kind))
    .map(({ key, label }) => ({ value: key, label: label[language] }))
  if (options.length < 2)
    return (
      <Card>
        <Text>{t('cross.few')}</Text>
      </Card>
    )
  return (
    <>
      <ResultFilter survey={survey} />
      <Card>
        <Group mb="md" align="end">
          <Select label={t('cross.rows')} data={options} value={row} onChange={setRow} w={320} />
          <Select
            label={t('cross.columns')}
            data={options.map((option) => ({ ...option, disabled: option.value === row }))}
            value={column}
            onChange={setColumn}
            w={320}
          />
        </Group>
        {row && column && row !== column ? (
          <CrossTable key={`${row} ${column}`} query={{ ...query, row, column }} surveyId={survey.id} />
        ) : (
          <Text c="dimmed">{t('cross.choose')}</Text>
        )}
      </Card>
    </>
  )
}

type Query = ReturnType<typeof useResultFilter>['query'] & { row: string; column: string }

function CrossTable({ surveyId, query }: { surveyId: string; query: Query }) {
  const { t } = useTranslation('surveys')
  const [figures, setFigures] = useState<'counts' | 'rowShares'>('counts')
  const { data, error, refetch } = useEndpoint(readSurveyCross, { params: { id: surveyId }, query })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {t('cross.both', { count: data.data.both })}
        </Text>
        <SegmentedControl
          aria-label={t('cross.as')}
          value={figures}
          onChange={(value) => setFigures(value as typeof figures)}
          data={(['counts', 'rowShares'] as const).map((value) => ({ value, label: t(`cross.${value}`) }))}
        />
      </Group>
      <ScrollBox tabIndex={0} role="region" aria-label={t('tabs.cross')} style={{ overflowX: 'auto' }}>
        <Figures cross={data.data} asShares={figures === 'rowShares'} />
      </ScrollBox>
    </>
  )
}

function Figures({ cross: { rows, columns, cells, both }, asShares }: { cross: SurveyCross; asShares: boolean }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const counts = new Map(cells.map(({ row, column, count }) => [`${row} ${column}`, count]))
  const text = ({ label, value }: SurveyCross['rows'][number]) => label?.[language] ?? value
  const figure = (count: number, whole: number) =>
    asShares ? (whole > 0 ? wholePercent(count / whole) : '–') : wholeNumber(count)
  return (
    <table className={classes.cross}>
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <th key={column.value} scope="col">
              {text(column)}
            </th>
          ))}
          <th scope="col">{t('cross.total')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.value}>
            <th scope="row">{text(row)}</th>
            {columns.map(({ value }) => (
              <td key={value}>{figure(counts.get(`${row.value} ${value}`) ?? 0, row.count)}</td>
            ))}
            <td>{wholeNumber(row.count)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t('cross.total')}</th>
          {columns.map(({ value, count }) => (
            <td key={value}>{figure(count, both)}</td>
          ))}
          <td>{wholeNumber(both)}</td>
        </tr>
      </tbody>
    </table>
  )
}
