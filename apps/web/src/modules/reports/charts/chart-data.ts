import type { TFunction } from 'i18next'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { ChartKind } from '#domain/reports/report.ts'
import type { Figure } from '#web/modules/reports/figure-cell.tsx'
import { figureText, lineName } from '#web/modules/reports/figure-text.ts'

export type Series = { name: string; label: string; color: string; dash?: string }
export type Point = { name: string } & Record<string, string | number | null>
export type ChartData = { series: Series[]; points: Point[]; cut: boolean }

/** Colours of report-chart.module.css. They also differ in lightness, for greyscale prints and colour blindness. */
const colourOf = (index: number) => `var(--chart-${(index % 6) + 1})`
const dashes = [undefined, '8 4', '2 3', '10 3 2 3', '5 5', '1 4']
const colourBefore = 'var(--chart-before)'
export const targetColour = 'var(--chart-mark)'

/** Target line that a chart over time approaches. */
export type Target = { label: string; value: number }

/** Most lines in a bar chart: more would be thin stripes, and the table has all of them. */
const maxLines = 20

type Props = {
  kind: ChartKind
  figures: readonly Figure[]
  lines: readonly ReportLine[]
  total: ReportLine
  /** Name of the earlier year; undefined if all years are counted. */
  yearBefore?: string | undefined
  /** Draws bars in the table's order instead of largest first, for example score classes. */
  keepsOrder?: boolean
}

/** Pixels of a bar, of the gap between lines, and of the chart's frame. */
const barHeightPx = 9
const lineGapPx = 14
/** Characters that surely fit one row of the names beside the bars, and that row's height. */
const nameRowChars = 18
const nameRowHeightPx = 15
const leastNameRows = 2
const chartFramePx = 60
const overTimeHeightPx = 340

/** Height of a chart, reserved before it loads so that the table below does not move. */
export function chartHeightPx(kind: ChartKind, { series, points }: Pick<ChartData, 'series' | 'points'>) {
  if (kind === 'lines' || kind === 'columns') return overTimeHeightPx
  const isOneBar = kind === 'stacked' || kind === 'nested'
  const nameRows = Math.max(leastNameRows, ...points.map(({ name }) => nameRowsOf(name)))
  const lineHeightPx = Math.max(nameRows * nameRowHeightPx, (isOneBar ? 1 : series.length) * barHeightPx + lineGapPx)
  return points.length * lineHeightPx + chartFramePx
}

/** Rows a name is wrapped into, between words. */
function nameRowsOf(name: string) {
  let rows = 1
  let used = 0
  for (const { length } of name.split(' ')) {
    if (used > 0 && used + 1 + length > nameRowChars) {
      rows++
      used = length
    } else used += used > 0 ? 1 + length : length
  }
  return rows
}

/** Points and series of a chart; `cut` is true if only the largest lines are included. */
export function chartData(
  { kind, figures, lines, total, yearBefore, keepsOrder = false }: Props,
  t: TFunction<'reports'>,
): ChartData {
  const nameBefore = yearBefore ?? t('chartBefore')
  const nameColumn = (figure: string) =>
    yearBefore ? t('columnOfYear', { figure, year: yearBefore }) : t('beforeColumn', { figure })
  if (kind === 'total' || kind === 'funnel') return ofTotal(figures, total, nameBefore, t)
  const overTime = kind === 'lines' || kind === 'columns'
  const first = figures[0]!.key
  const largest = lines.toSorted((a, b) => (b.values[first] ?? 0) - (a.values[first] ?? 0)).slice(0, maxLines)
  const visible = overTime ? lines : keepsOrder ? lines.filter((line) => largest.includes(line)) : largest
  const withBefore =
    total.before !== null && (kind === 'lines' || figures.length === 1) && kind !== 'stacked' && kind !== 'nested'
  const series = figures.flatMap(({ key, label }, index): Series[] => [
    { name: key, label, color: colourOf(index), ...(dashes[index] && { dash: dashes[index] }) },
    ...(withBefore
      ? [
          {
            name: `${key}Before`,
            label: figures.length === 1 ? nameBefore : nameColumn(label),
            color: figures.length === 1 ? colourBefore : `color-mix(in srgb, ${colourOf(index)} 50%, ${colourBefore})`,
            dash: '3 3',
          },
        ]
      : []),
  ])
  const points = visible.map(
    (line): Point => ({
      name: lineName(line, t),
      ...Object.fromEntries(
        figures.flatMap(({ key }) => [
          [key, line.values[key] ?? null],
          ...(withBefore ? [[`${key}Before`, line.before?.[key] ?? null]] : []),
        ]),
      ),
    }),
  )
  return { series, points, cut: visible.length < lines.length }
}

function ofTotal(
  figures: readonly Figure[],
  total: ReportLine,
  nameBefore: string,
  t: TFunction<'reports'>,
): ChartData {
  return {
    series: [
      { name: 'now', label: t('total'), color: colourOf(0) },
      ...(total.before ? [{ name: 'before', label: nameBefore, color: colourBefore, dash: '3 3' }] : []),
    ],
    points: figures.map(({ key, label }) => ({
      name: label,
      now: total.values[key] ?? 0,
      ...(total.before && { before: total.before[key] ?? 0 }),
    })),
    cut: false,
  }
}

/** Points of a nested chart for drawing: of each figure the part outside the next one. */
export const insideOut = ({ series, points }: ChartData): Point[] =>
  points.map((point) => ({
    ...point,
    ...Object.fromEntries(
      series.map(({ name }, index) => {
        const inner = series[index + 1]
        return [name, Math.max(0, Number(point[name]) - (inner ? Number(point[inner.name]) : 0))]
      }),
    ),
  }))

/**
 * One point as text, for readers who step through the chart by keyboard; a funnel adds the share of the previous step.
 */
export function pointText(
  { series, points }: ChartData,
  index: number,
  kind: ChartKind,
  figure: Figure,
  t: TFunction<'reports'>,
) {
  const point = points[index]
  if (!point) return ''
  const values = series.map(({ name, label }) => `${label} ${figureText(point[name] as number | null, figure.kind, t)}`)
  const share = kind === 'funnel' ? shareOfStepBefore(points, index) : undefined
  return [
    `${point.name}: ${values.join(', ')}`,
    ...(share === undefined ? [] : [t('ofStepBefore', { share: figureText(share, 'share', t) })]),
  ].join(', ')
}

/** Fraction of the previous step that continued; undefined for the first step and after an empty one. */
export function shareOfStepBefore(points: readonly Point[], index: number): number | undefined {
  const before = Number(points[index - 1]?.now ?? 0)
  return before > 0 ? Number(points[index]!.now) / before : undefined
}
