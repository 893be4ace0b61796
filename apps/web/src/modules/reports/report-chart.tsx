import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { ChartKind, FigureKind } from '#domain/reports/report.ts'
import type { Figure } from './figure-cell.tsx'
import { figureText, lineName } from './figure-text.ts'

const colours = ['blue.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.8', 'red.6']
/** Maximum number of lines: more would be thin stripes; the table below has all of them. */
const maxLines = 15
/** Pixels of one bar, of the gap between lines, and of the frame of the chart. */
const barHeightPx = 12
const lineGapPx = 18
const chartFramePx = 90

type Props = { kind: ChartKind; figures: readonly Figure[]; lines: readonly ReportLine[]; total: ReportLine }

/** Bar chart of the figures; screen readers are led to the table instead. */
export default function ReportChart({ kind, figures, lines, total }: Props) {
  const { t } = useTranslation('reports')
  const words = figures.map(({ label }) => label).join(', ')
  const largest = lines
    .toSorted((a, b) => (b.values[figures[0]!.key] ?? 0) - (a.values[figures[0]!.key] ?? 0))
    .slice(0, maxLines)
  const ofTotal = kind === 'total'
  const seriesBefore = { name: 'before', label: t('chartBefore'), color: 'gray.6' }
  const data = ofTotal
    ? figures.map(({ key, label }) => ({
        name: label,
        now: total.values[key] ?? 0,
        ...(total.before && { before: total.before[key] ?? 0 }),
      }))
    : largest.map((line) => ({
        name: lineName(line, t),
        ...Object.fromEntries(figures.map(({ key }) => [key, line.values[key] ?? 0])),
        ...(figures.length === 1 && line.before && { before: line.before[figures[0]!.key] ?? 0 }),
      }))
  const series = ofTotal
    ? [{ name: 'now', label: t('total'), color: colours[0]! }]
    : figures.map(({ key, label }, index) => ({ name: key, label, color: colours[index % colours.length]! }))
  const withBefore = Boolean(total.before) && (ofTotal || figures.length === 1)
  const visibleSeries = withBefore ? [...series, seriesBefore] : series
  const bars = kind === 'stacked' ? 1 : visibleSeries.length
  const kindOfFigures: FigureKind = figures[0]!.kind
  return (
    <>
      <div role="img" aria-label={t('chart', { figures: words })}>
        <BarChart
          h={data.length * (bars * barHeightPx + lineGapPx) + chartFramePx}
          data={data}
          dataKey="name"
          orientation="vertical"
          type={kind === 'stacked' ? 'stacked' : 'default'}
          series={visibleSeries}
          withLegend={visibleSeries.length > 1}
          gridAxis="x"
          yAxisProps={{ width: 130, interval: 0 }}
          xAxisProps={{ tickFormatter: shortNumber }}
          valueFormatter={(value) => figureText(value, kindOfFigures, t)}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      {!ofTotal && lines.length > maxLines && (
        <Text size="sm" c="dimmed">
          {t('chartCut', { count: maxLines })}
        </Text>
      )}
    </>
  )
}

/** `1,5 jt` on the axis, where whole rupiah do not fit. */
const shortNumber = (value: number) =>
  new Intl.NumberFormat('id-ID', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
