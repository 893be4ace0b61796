import { Box, Drawer, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { type ReportCalls, type ReportDescription, type ReportLine, reportCalls } from '#domain/reports/endpoints.ts'
import { everyYear, filterNames } from '#domain/reports/report.ts'
import { type ForecastReport, forecastReports } from '#domain/seasons/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { BarButton } from '#web/list/bar/bar-button.tsx'
import { ExportMenu } from '#web/list/bar/export-menu.tsx'
import { ListBar } from '#web/list/bar/list-bar.tsx'
import { SavedViews } from '#web/list/bar/saved-views.tsx'
import { useColumns, useListState } from '#web/list/list-state.ts'
import type { Filter } from '#web/list/types.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { figuresOf, linesOf } from './figure-text.ts'
import { useOpenedCell } from './opened-cell.ts'
import { ReportGroups } from './report-groups.tsx'
import { ReportRows } from './report-rows.tsx'
import { LinesTable, PivotTable } from './report-table.tsx'

const ForecastPart = lazyPart(() => import('#web/modules/seasons/forecast-part.tsx'))
const ReportChart = lazyPart(() => import('./report-chart.tsx'))

/** Parameters of the address besides the filters. */
const ofTheReport = ['by', 'figure', 'compare']
const addressKeys = [...filterNames, ...ofTheReport].map((key) => ({ key }))

/** One page for every report, built from the report's own description. */
export default function ReportPage() {
  const slug = useLocation().pathname.slice('/laporan/'.length).replace(/\/$/, '')
  const calls = useMemo(() => reportCalls(slug), [slug])
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(calls.describe, undefined, { staleTime: 300_000 })
  if (!data) return error ? <LoadFailed error={error} onRetry={refetch} /> : <LoadingRows rows={8} />
  return <Report title={title} report={data.data} calls={calls} />
}

type ReportProps = { title: string; report: ReportDescription; calls: ReportCalls }

function Report({ title, report, calls }: ReportProps) {
  const { t } = useTranslation('reports')
  const { language, say } = useSurroundings()
  const list = useListState({ filters: addressKeys, defaultSort: '', prefix: '' })
  const searchRef = useRef<HTMLInputElement>(null)
  const query = list.filters
  const { data, error, refetch, isFetching, isPlaceholderData } = useEndpoint(
    calls.read,
    { query: query as never },
    { placeholderData: keepPreviousData },
  )
  const by = query.by?.split(',') ?? report.by
  const groups = by.flatMap((key) => report.groups.find((group) => group.key === key) ?? [])
  const allFigures = figuresOf(report)
  const pivotFigure = allFigures.find(({ key }) => key === query.figure) ?? allFigures[0]!
  const columns = useColumns(
    `laporan-${report.slug}`,
    report.shape === 'pivot'
      ? []
      : [...groups.slice(0, 1), ...allFigures].map(({ key, label }) => ({ key, label, cell: () => null })),
  )
  const opened = useOpenedCell(allFigures, data?.data)
  const visibleFigures = allFigures.filter(({ key }) => columns.keys.includes(key))
  const yearInForce = query.year || isPlaceholderData || !data ? undefined : (data.meta.year ?? everyYear)
  const filters = report.filters.map(({ key, label, choices }): Filter => {
    if (!choices) return { key, label, kind: 'date' }
    if (key !== 'year') return { key, label, kind: 'choice', choices }
    return {
      ...{ key, label, kind: 'choice' },
      choices: [...choices, { value: everyYear, label: t('everyYear') }],
      ...(yearInForce && { inForce: yearInForce }),
    }
  })
  const lines = data ? linesOf(data.data.lines, data.meta.by) : []
  return (
    <>
      <PageHeader
        title={title}
        description={
          <>
            {report.question}
            {data?.meta.before && data.meta.before.daysMoved !== 0 && (
              <Text size="sm" c="dimmed">
                {t(`${query.waveId ? 'wave' : 'deadline'}${data.meta.before.daysMoved > 0 ? 'Earlier' : 'Later'}`, {
                  count: Math.abs(data.meta.before.daysMoved),
                })}
              </Text>
            )}
            {data && (
              <Text size="sm" c="dimmed" role="status">
                {[
                  data.meta.year ?? t('everyYear'),
                  t('asOf', { time: dateTime(data.meta.asOf, language) }),
                  ...(data.meta.before ? [t('asOfBefore', { time: dateTime(data.meta.before.asOf, language) })] : []),
                ].join(' · ')}
              </Text>
            )}
          </>
        }
        actions={
          <BarButton
            icon={<IconPrinter size={16} aria-hidden="true" />}
            label={t('print')}
            onClick={() => window.print()}
          />
        }
      />
      <Stack gap="md">
        <Card flush>
          <ListBar list={list} filters={filters} columns={columns} noSearch searchRef={searchRef}>
            <SavedViews name={`laporan-${report.slug}`} list={list} columns={columns} />
            <ExportMenu path={calls.exportFigures.path} title={title} query={query} columns={columns.keys} />
          </ListBar>
          <ReportGroups report={report} by={by} figure={pivotFigure.key} list={list} />
          {data && lines.length > 0 && <Chart report={report} groups={groups} lines={lines} total={data.data.total} />}
          <div aria-busy={isFetching}>
            {!data ? (
              error ? (
                <LoadFailed error={error} onRetry={refetch} />
              ) : (
                <LoadingRows rows={8} />
              )
            ) : lines.length === 0 ? (
              <EmptyState title={t('noLines')} children={t('noLinesText')} />
            ) : report.shape === 'pivot' ? (
              <PivotTable
                lines={data.data.lines}
                total={data.data.total}
                groups={groups}
                figure={pivotFigure}
                onOpen={opened.open}
              />
            ) : (
              <LinesTable
                lines={lines}
                total={data.data.total}
                groups={groups}
                steps={report.steps}
                onStep={(step, key) => list.set({ by: step.by, [step.filter]: key })}
                figures={visibleFigures}
                onOpen={opened.open}
              />
            )}
          </div>
        </Card>
        {report.rowsOf && (
          <Card flush title={allFigures.find(({ key }) => key === report.rowsOf)?.label}>
            <ReportRows calls={calls} title={title} query={{ ...query, figure: report.rowsOf }} />
          </Card>
        )}
        {data && isForecastReport(report.slug) && <Forecast slug={report.slug} filters={query} />}
        <Card title={t('counting')}>
          <Text maw="75ch">{report.counting}</Text>
        </Card>
      </Stack>
      <Drawer
        opened={opened.cell !== undefined}
        onClose={opened.close}
        position="right"
        size="min(100%, 72rem)"
        title={opened.title}
        closeButtonProps={{ 'aria-label': say('actions.close') }}
      >
        {opened.cell && <ReportRows calls={calls} title={opened.title ?? title} query={{ ...query, ...opened.cell }} />}
      </Drawer>
    </>
  )
}

const isForecastReport = (slug: string): slug is ForecastReport => forecastReports.some((name) => name === slug)

/** The forecast of a report, loaded once its table stands. */
function Forecast(props: { slug: ForecastReport; filters: Readonly<Record<string, string | undefined>> }) {
  const isReady = useAfterPaint()
  const skeleton = <LoadingRows rows={4} />
  return isReady ? (
    <Suspense fallback={skeleton}>
      <ForecastPart {...props} />
    </Suspense>
  ) : (
    skeleton
  )
}

type ChartProps = {
  report: ReportDescription
  groups: readonly { key: string; label: string }[]
  lines: ReportLine[]
  total: ReportLine
}

/** The chart of a report, loaded once its table stands; a pivot is its own chart, and lines over time have one group. */
function Chart({ report, groups, lines, total }: ChartProps) {
  const { t } = useTranslation('reports')
  const isReady = useAfterPaint()
  const { chart } = report
  const id = useId()
  if (!chart || chart.kind === 'heat' || report.shape === 'pivot') return null
  const isOverTime = chart.kind === 'lines' || chart.kind === 'columns'
  if (isOverTime && groups.length !== 1) return null
  const figures = figuresOf(report).filter(({ key }) => chart.of.includes(key))
  if (figures.length === 0) return null
  const labels = figures.map(({ label }) => label)
  const words = labels.length > 3 ? `${labels[0]} … ${labels.at(-1)}` : labels.join(', ')
  const isOfTotal = chart.kind === 'total' || chart.kind === 'funnel'
  const title = isOfTotal
    ? t('chartOfTotal', { figures: words })
    : t('chartPerGroup', { figures: words, group: groups.map(({ label }) => label).join(', ') })
  const skeleton = <Skeleton h={isOverTime ? 420 : 320} />
  return (
    <Box component="section" aria-labelledby={id} px="md" pb="md">
      <Title order={2} size="h4" pb="xs" id={id}>
        {title}
      </Title>
      {isReady ? (
        <Suspense fallback={skeleton}>
          <ReportChart
            title={title}
            file={`laporan-${report.slug}`}
            kind={chart.kind}
            figures={figures}
            lines={lines}
            total={total}
          />
        </Suspense>
      ) : (
        skeleton
      )}
    </Box>
  )
}

/** False until what was drawn with it is on the screen. */
function useAfterPaint() {
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setIsPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}
