import { Button, Drawer, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconMail, IconMailForward, IconPrinter } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { type ReportCalls, type ReportDescription, reportCalls } from '#domain/reports/endpoints.ts'
import { everyYear, filterNames } from '#domain/reports/report.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { type ForecastReport, forecastReports } from '#domain/seasons/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { BarButton } from '#web/list/bar/bar-button.tsx'
import { ExportMenu } from '#web/list/bar/export-menu.tsx'
import { ListBar } from '#web/list/bar/list-bar.tsx'
import { PrintedFilter } from '#web/list/bar/printed-filter.tsx'
import { SavedViews } from '#web/list/bar/saved-views.tsx'
import { changedAddress, useColumns, useListState } from '#web/list/list-state.ts'
import type { Filter } from '#web/list/types.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { usePrintInLight } from '#web/ui/print-in-light.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useAfterPaint } from '#web/ui/use-after-paint.ts'
import { ReportCharts } from './charts/report-charts.tsx'
import { figuresOf, linesOf } from './figure-text.ts'
import { useOpenedCell } from './opened-cell.ts'
import { ReportGroups } from './report-groups.tsx'
import { ReportRows } from './report-rows.tsx'
import { LinesTable, PivotTable } from './report-table.tsx'

const ForecastPart = lazyPart(() => import('#web/modules/seasons/forecast-part.tsx'))
const ScheduleDialog = lazyPart(() => import('#web/modules/report-mail/mail-dialogs.tsx'))

/** Address parameters besides the filters. */
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
  usePrintInLight()
  const { t } = useTranslation('reports')
  const { language, say } = useSurroundings()
  const list = useListState({ filters: addressKeys, defaultSort: '', prefix: '' })
  const searchRef = useRef<HTMLInputElement>(null)
  const query = list.filters
  const { data, error, refetch, isFetching, isPlaceholderData } = useEndpoint(
    calls.read,
    { query },
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
  const [isScheduling, setScheduling] = useState(false)
  const mail = useTranslation('report-mail').t
  const opened = useOpenedCell(allFigures, data?.data)
  /** Leaves out figures without any value for these groups and filters. */
  const hasValue = (key: string) =>
    !data || [...data.data.lines, data.data.total].some(({ values }) => typeof values[key] === 'number')
  const visibleFigures = allFigures.filter(({ key }) => columns.keys.includes(key) && hasValue(key))
  const yearInForce = query.year || isPlaceholderData || !data ? undefined : (data.meta.year ?? everyYear)
  const filters = report.filters.map(({ key, label, choices }): Filter => {
    if (!choices) return { key, label, kind: 'date' }
    return { key, label, kind: 'choice', choices, ...(key === 'year' && yearInForce && { inForce: yearInForce }) }
  })
  const [, setParams] = useSearchParams()
  /** Opens the lines below a line as a new history entry, so that Back returns. */
  const goDown = (changes: Record<string, string>) =>
    setParams((before) => changedAddress(before, '', changes), { preventScrollReset: true })
  const yearBefore = data?.meta.before?.year ?? undefined
  const lines = data ? linesOf(data.data.lines, data.meta.by) : []
  const [listedKey, setListedKey] = useState<string>()
  const listedChoices = report.rowsOf.flatMap((key) => allFigures.find((figure) => figure.key === key) ?? [])
  const listedFigure = listedChoices.find(({ key }) => key === listedKey) ?? listedChoices[0]
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
          <>
            <Button
              component={Link}
              to="/laporan-kiriman"
              variant="default"
              size="sm"
              px="sm"
              fw={500}
              leftSection={<IconMail size={16} aria-hidden="true" />}
            >
              {mail('page')}
            </Button>
            <BarButton
              icon={<IconMailForward size={16} aria-hidden="true" />}
              label={mail('open')}
              aria-haspopup="dialog"
              onClick={() => setScheduling(true)}
            />
            <BarButton
              icon={<IconPrinter size={16} aria-hidden="true" />}
              label={t('print')}
              onClick={() => window.print()}
            />
          </>
        }
      />
      <Stack gap="md">
        <Card flush>
          <ListBar list={list} filters={filters} columns={columns} noSearch searchRef={searchRef}>
            <SavedViews name={`laporan-${report.slug}`} list={list} columns={columns} />
            <ExportMenu
              path={calls.exportFigures.path}
              title={title}
              query={query}
              columns={columns.keys.filter((key) => groups.some((group) => group.key === key) || hasValue(key))}
            />
          </ListBar>
          <PrintedFilter list={list} filters={filters} />
          <Text size="sm" px="md" pb="sm" className="print-only">
            {t('filters.by')}: {groups.map(({ label }) => label).join(', ')}
            {report.shape === 'pivot' && ` · ${t('filters.figure')}: ${pivotFigure.label}`}
          </Text>
          <ReportGroups report={report} by={by} figure={pivotFigure.key} list={list} />
          {data && lines.length > 0 && (
            <ReportCharts
              report={report}
              groups={groups}
              lines={lines}
              total={data.data.total}
              target={data.meta.target}
              yearBefore={yearBefore}
            />
          )}
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
                yearBefore={yearBefore ?? t('chartBefore')}
                onOpen={opened.open}
              />
            ) : (
              <LinesTable
                lines={lines}
                total={data.data.total}
                groups={groups}
                yearBefore={yearBefore ?? t('chartBefore')}
                steps={report.steps}
                onStep={(step, key) => goDown({ by: step.by.join(), [step.filter]: key })}
                figures={visibleFigures}
                onOpen={opened.open}
              />
            )}
          </div>
        </Card>
        {listedFigure && (
          <Card
            flush
            title={listedFigure.label}
            actions={
              report.rowsOf.length > 1 && (
                <SegmentedControl
                  className="no-print"
                  aria-label={t('rowsListed')}
                  data={listedChoices.map(({ key, label }) => ({ value: key, label }))}
                  value={listedFigure.key}
                  onChange={setListedKey}
                />
              )
            }
          >
            <ReportRows
              key={listedFigure.key}
              calls={calls}
              title={title}
              query={{ ...query, figure: listedFigure.key }}
            />
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
      {isScheduling && (
        <Suspense fallback={null}>
          <ScheduleDialog
            report={report.slug as ReportSlug}
            title={title}
            seen={{ question: new URLSearchParams(query).toString(), columns: chosenFigures(allFigures, columns.keys) }}
            shownBy={(view) => ({
              question: questionOf(view.query),
              columns: chosenFigures(allFigures, view.columns),
            })}
            onClose={() => setScheduling(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Filters, groups and comparison of a saved view, without what a mail does not need. */
function questionOf(viewQuery: string) {
  const parameters = [...new URLSearchParams(viewQuery)].filter(([key]) =>
    addressKeys.some((known) => known.key === key),
  )
  return new URLSearchParams(parameters).toString()
}

/** Figures the reader has chosen; empty if all are, so that figures added later are sent too. */
const chosenFigures = (figures: readonly { key: string }[], chosenKeys: readonly string[]) => {
  const chosen = figures.map(({ key }) => key).filter((key) => chosenKeys.includes(key))
  return chosen.length === figures.length ? [] : chosen
}

const isForecastReport = (slug: string): slug is ForecastReport => forecastReports.some((name) => name === slug)

/** A report's forecast, loaded once its table is there. */
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
