import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { ChartKind } from '#domain/reports/report.ts'
import { BarButton } from '#web/list/bar/bar-button.tsx'
import { type ChartData, chartData, pointText, shareOfStepBefore } from './chart-data.ts'
import { saveChart } from './chart-file.ts'
import type { Figure } from './figure-cell.tsx'
import { figureText } from './figure-text.ts'
import classes from './report-chart.module.css'

/** Pixels of one bar, of the gap between lines, and of the frame of the chart. */
const barHeightPx = 9
const lineGapPx = 14
const chartFramePx = 60
const overTimeHeightPx = 340

/** Height of a chart, reserved before it is loaded so that nothing below it moves. */
export function chartHeight(kind: ChartKind, { series, points }: Pick<ChartData, 'series' | 'points'>) {
  if (kind === 'lines' || kind === 'columns') return overTimeHeightPx
  return points.length * ((kind === 'stacked' ? 1 : series.length) * barHeightPx + lineGapPx) + chartFramePx
}

type Props = {
  title: string
  /** Name of its files, without an ending. */
  file: string
  kind: ChartKind
  figures: readonly Figure[]
  lines: readonly ReportLine[]
  total: ReportLine
}

/** The chart of a report: arrow keys read its points one by one, and it is saved as PNG or SVG. */
export default function ReportChart({ title, file, kind, figures, lines, total }: Props) {
  const { t } = useTranslation('reports')
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const data = chartData({ kind, figures, lines, total }, t)
  const last = data.points.length - 1
  const figure = figures[0]!
  const current = Math.min(at ?? 0, last)
  const text = pointText(data, current, kind, figure, t)

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowDown: 1,
      ArrowLeft: -1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
    }
    const target =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? last
          : event.key in steps
            ? current + (at === undefined ? 0 : steps[event.key]!)
            : undefined
    if (target === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(last, target)))
  }
  const save = (format: 'png' | 'svg') => {
    const svg = box.current?.querySelector('svg')
    if (svg) void saveChart(svg, { title, file, format, series: data.series })
  }
  return (
    <figure className={classes.figure}>
      <Group component="ul" gap="md" className={classes.legend} aria-hidden="true">
        {data.series.length > 1 &&
          data.series.map(({ name, label, color, dash }) => (
            <li key={name}>
              <svg width="24" height="10" aria-hidden="true">
                <line
                  x1="0"
                  x2="24"
                  y1="5"
                  y2="5"
                  stroke={color}
                  strokeWidth={kind === 'lines' ? 3 : 10}
                  strokeDasharray={kind === 'lines' ? dash : undefined}
                />
              </svg>
              {label}
            </li>
          ))}
      </Group>
      <div
        ref={box}
        className={classes.chart}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-description={t('chartKeys')}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={current + 1}
        aria-valuetext={text}
        onKeyDown={move}
        onBlur={() => setAt(undefined)}
      >
        <Drawn kind={kind} data={data} figure={figure} marked={at} />
      </div>
      <Text size="sm" mih="1.5em" className="no-print" aria-hidden="true">
        {at === undefined ? '' : text}
      </Text>
      {data.cut && (
        <Text size="sm" c="dimmed">
          {t('chartCut', { count: data.points.length })}
        </Text>
      )}
      <Group gap="xs" className="no-print">
        {(['png', 'svg'] as const).map((format) => (
          <BarButton
            key={format}
            icon={<IconDownload size={16} aria-hidden="true" />}
            label={t('chartFile', { format: format.toUpperCase() })}
            onClick={() => save(format)}
          />
        ))}
      </Group>
    </figure>
  )
}

type DrawnProps = { kind: ChartKind; data: ChartData; figure: Figure; marked: number | undefined }

function Drawn({ kind, data, figure, marked }: DrawnProps) {
  const { t } = useTranslation('reports')
  const { series, points } = data
  const valueFormatter = (value: number) => figureText(value, figure.kind, t)
  const referenceLine = marked === undefined ? [] : [points[marked]!.name]
  const common = {
    h: chartHeight(kind, data),
    data: points,
    dataKey: 'name',
    valueFormatter,
    tooltipAnimationDuration: 0,
  }
  const shortAxis = { tickFormatter: shortNumber }
  if (kind === 'lines')
    return (
      <LineChart
        {...common}
        series={series.map(({ name, label, color, dash }) => ({
          name,
          label,
          color,
          ...(dash && { strokeDasharray: dash }),
        }))}
        curveType="linear"
        withDots={points.length < 40}
        yAxisProps={{ ...shortAxis, width: 56 }}
        xAxisProps={{ minTickGap: 24 }}
        referenceLines={referenceLine.map((x) => ({ x, color: 'var(--chart-mark)' }))}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    )
  const bars = {
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    type: kind === 'stacked' ? ('stacked' as const) : ('default' as const),
    barProps: { isAnimationActive: false },
    barChartProps: { accessibilityLayer: false },
  }
  if (kind === 'columns')
    return (
      <BarChart
        {...common}
        {...bars}
        yAxisProps={{ ...shortAxis, width: 56 }}
        xAxisProps={{ minTickGap: 24 }}
        referenceLines={referenceLine.map((x) => ({ x, color: 'var(--chart-mark)' }))}
      />
    )
  return (
    <BarChart
      {...common}
      {...bars}
      orientation="vertical"
      gridAxis="x"
      yAxisProps={{ width: 140, interval: 0, ...(kind === 'funnel' && { tickFormatter: funnelStep(data, t) }) }}
      xAxisProps={shortAxis}
      referenceLines={referenceLine.map((y) => ({ y, color: 'var(--chart-mark)' }))}
    />
  )
}

/** `Paid (82,10%)`: a step of the funnel with the share of the step before that came this far. */
const funnelStep =
  ({ points }: ChartData, t: Parameters<typeof figureText>[2]) =>
  (name: string) => {
    const share = shareOfStepBefore(
      points,
      points.findIndex((point) => point.name === name),
    )
    return share === undefined ? name : `${name} (${figureText(share, 'share', t)})`
  }

/** `1,5 jt` on the axis, where whole rupiah do not fit. */
const shortNumber = (value: number) =>
  new Intl.NumberFormat('id-ID', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
