import { Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type ForecastAnswer,
  type ForecastReport,
  type ForecastTotal,
  forecastCalls,
  forecastFilters,
} from '#domain/seasons/endpoints.ts'
import { dateTime, longDate, percent, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ExportMenu } from '#web/list/bar/export-menu.tsx'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './forecast.module.css'
import { KeptDays } from './kept-days.tsx'

type Props = {
  slug: ForecastReport
  /** Filters in the report's URL; the forecast follows those for places and programmes. */
  filters: Readonly<Record<string, string | undefined>>
}

const columns = ['submitted', 'enrolled', 'places', 'low', 'expected', 'high'] as const

/** The forecast below a report: a range per programme, and how far the same method was off a year earlier. */
export default function ForecastPart({ slug, filters }: Props) {
  const { t } = useTranslation('seasons')
  const { language } = useSurroundings()
  const calls = forecastCalls(slug)
  const query = Object.fromEntries(forecastFilters.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])))
  const { data: answer, error, refetch } = useEndpoint(calls.read, { query })
  if (!answer)
    return (
      <Card flush title={t('title')}>
        {error ? <LoadFailed error={error} onRetry={refetch} /> : <LoadingRows rows={4} />}
      </Card>
    )
  const { data, meta } = answer
  const keptDays = <KeptDays until={meta.keptUntil} />
  if (!data.total)
    return (
      <Card title={t('title')}>
        <Stack gap="sm">
          <Text>{t(Object.keys(query).length > 0 ? 'neverFiltered' : 'never')}</Text>
          {keptDays}
        </Stack>
      </Card>
    )
  return (
    <Card
      flush
      title={t('title')}
      actions={<ExportMenu path={calls.export.path} title={t('title')} query={query} columns={exportedColumns(data)} />}
    >
      <Stack gap={4} px="md" pb="md">
        <Text>
          {t('basis', { year: data.year, earlier: data.earlier.join(', ') })} {t('range')}
        </Text>
        <LastYear data={data} total={data.total} />
        <Text size="sm" c="dimmed">
          {dateTime(meta.asOf, language)}
        </Text>
      </Stack>
      <ForecastTable data={data} total={data.total} />
      <Stack gap="sm" p="md">
        <Text size="sm" maw="75ch">
          {t('counting')}
        </Text>
        {keptDays}
      </Stack>
    </Card>
  )
}

const exportedColumns = ({ tested }: ForecastAnswer) => [
  'label',
  ...columns,
  ...(tested ? ['low', 'expected', 'high', 'came'].map((name) => `${name}LastYear`) : []),
]

/** What the method would have forecast a year earlier, and the outcome. */
function LastYear({ data: { tested }, total: { lastYear } }: { data: ForecastAnswer; total: ForecastTotal }) {
  const { t } = useTranslation('seasons')
  const { language } = useSurroundings()
  if (!tested || !lastYear) return <Text>{t('untested')}</Text>
  const { low, expected, high, came } = lastYear
  const share = expected > 0 ? percent(Math.abs(came / expected - 1)) : ''
  const error =
    came === expected
      ? t('exact')
      : share === ''
        ? ''
        : came < expected
          ? t('tooHigh', { share })
          : t('tooLow', { share })
  return (
    <Text>
      {t('tested', {
        year: tested.year,
        day: longDate(tested.at, language),
        expected: wholeNumber(expected),
        low: wholeNumber(low),
        high: wholeNumber(high),
        came: wholeNumber(came),
        error,
      })}{' '}
      {tested.of > 0 && t('within', { of: wholeNumber(tested.of), within: wholeNumber(tested.within) })}
    </Text>
  )
}

function ForecastTable({ data, total }: { data: ForecastAnswer; total: ForecastTotal }) {
  const { t } = useTranslation('seasons')
  const cells = (line: ForecastTotal) => (
    <>
      {columns.map((key) => (
        <Table.Td key={key} className={key === 'expected' ? classes.expected : classes.number}>
          {line[key] === null ? '–' : wholeNumber(line[key])}
        </Table.Td>
      ))}
      {data.tested && (
        <Table.Td className={classes.number}>
          {line.lastYear
            ? t('saidAndCame', {
                expected: wholeNumber(line.lastYear.expected),
                low: wholeNumber(line.lastYear.low),
                high: wholeNumber(line.lastYear.high),
                came: wholeNumber(line.lastYear.came),
              })
            : '–'}
        </Table.Td>
      )}
    </>
  )
  return (
    <ScrollBox className={classes.scroll}>
      <Table className={classes.table} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes.name}>
              {t('columns.programme')}
            </Table.Th>
            {columns.map((key) => (
              <Table.Th key={key} scope="col" className={classes.number}>
                {t(`columns.${key}`)}
              </Table.Th>
            ))}
            {data.tested && (
              <Table.Th scope="col" className={classes.number}>
                {t('columns.tested')}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.lines.map((line) => (
            <Table.Tr key={line.programmeId}>
              <Table.Th scope="row" fw={500} className={classes.name}>
                {line.label}
                {!line.hasHistory && <div className={quiet.text}>{t('noHistory')}</div>}
              </Table.Th>
              {cells(line)}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr className={classes.total}>
            <Table.Th scope="row" className={classes.name}>
              {t('total')}
            </Table.Th>
            {cells(total)}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollBox>
  )
}
