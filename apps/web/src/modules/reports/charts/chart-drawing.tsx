import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChartKind } from '#domain/reports/report.ts'
import { shortNumber } from '#locales/format.ts'
import type { Figure } from '#web/modules/reports/figure-cell.tsx'
import { figureText } from '#web/modules/reports/figure-text.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import {
  type ChartData,
  chartHeightPx,
  insideOut,
  pointText,
  shareOfStepBefore,
  type Target,
  targetColour,
} from './chart-data.ts'

type Props = {
  kind: ChartKind
  data: ChartData
  figure: Figure
  marked: number | undefined
  target: Target | null
}

/** Draws a chart with the chart library, which loads with this file. */
export default function ChartDrawing({ kind, data, figure, marked, target }: Props) {
  const { t } = useTranslation('reports')
  const { language } = useSurroundings()
  const { series, points } = data
  const textOf = (name: string) =>
    pointText(
      data,
      points.findIndex((point) => point.name === name),
      kind,
      figure,
      t,
    )
  const valueFormatter = (value: number) => figureText(value, figure.kind, t)
  const referenceLine = marked === undefined ? [] : [points[marked]!.name]
  const common = {
    h: chartHeightPx(kind, data),
    data: points,
    dataKey: 'name',
    valueFormatter,
    tooltipAnimationDuration: 0,
  }
  const shortAxis = { tickFormatter: (value: number) => shortNumber(value, language) }
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
        yAxisProps={{
          ...shortAxis,
          width: 56,
          ...(target && { domain: [0, (most: number) => Math.max(most, target.value)] }),
        }}
        xAxisProps={{ minTickGap: 24 }}
        referenceLines={[
          ...referenceLine.map((x) => ({ x, color: 'var(--chart-mark)' })),
          ...(target ? [{ y: target.value, color: targetColour, strokeDasharray: '2 4' }] : []),
        ]}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    )
  const bars = {
    series: (kind === 'nested' ? series.toReversed() : series).map(({ name, label, color }) => ({
      name,
      label,
      color,
    })),
    type: kind === 'stacked' || kind === 'nested' ? ('stacked' as const) : ('default' as const),
    // A border in the background colour separates neighbours on greyscale prints.
    barProps: { isAnimationActive: false, stroke: 'var(--pmb-card)', strokeWidth: 1 },
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
      {...(kind === 'nested' && {
        data: insideOut(data),
        // A nested figure is drawn only outside the next one, but the tooltip shows the whole figure.
        tooltipProps: { content: ({ label }) => <PointTip text={textOf(String(label))} /> },
      })}
      orientation="vertical"
      gridAxis="x"
      yAxisProps={{ width: 140, interval: 0, ...(kind === 'funnel' && { tickFormatter: funnelStep(data, t) }) }}
      xAxisProps={shortAxis}
      referenceLines={referenceLine.map((y) => ({ y, color: 'var(--chart-mark)' }))}
    />
  )
}

/** Text of a point beside the pointer; on a phone as wide as the bars, so that the chart's edge does not cut it off. */
const PointTip = ({ text }: { text: string }) => (
  <Paper
    withBorder
    shadow="md"
    px="sm"
    py="xs"
    fz="sm"
    maw="min(280px, calc(100vw - 200px))"
    style={{ whiteSpace: 'normal' }}
  >
    {text}
  </Paper>
)

/** `Paid (82,10%)`: a funnel step with the share of the previous step that reached it. */
const funnelStep =
  ({ points }: ChartData, t: Parameters<typeof figureText>[2]) =>
  (name: string) => {
    const share = shareOfStepBefore(
      points,
      points.findIndex((point) => point.name === name),
    )
    return share === undefined ? name : `${name} (${figureText(share, 'share', t)})`
  }
