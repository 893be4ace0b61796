import { Box, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartKind } from '#domain/reports/report.ts'
import { BarButton } from '#web/list/bar/bar-button.tsx'
import type { Figure } from '#web/modules/reports/figure-cell.tsx'
import { figureText } from '#web/modules/reports/figure-text.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { useAfterPaint } from '#web/ui/use-after-paint.ts'
import { type ChartData, chartHeightPx, pointText, type Series, type Target, targetColour } from './chart-data.ts'
import { saveChart } from './chart-file.ts'
import classes from './report-chart.module.css'

const ChartDrawing = lazyPart(() => import('./chart-drawing.tsx'))

type Props = {
  title: string
  /** Name of its files, without extension. */
  file: string
  kind: ChartKind
  data: ChartData
  /** Its kind applies to all figures of the chart. */
  figure: Figure
  target: Target | null
}

/**
 * A chart with its title, drawn once the table is there. Arrow keys read its points one by one; it can be saved as PNG
 * or SVG.
 */
export function ReportChart({ title, file, kind, data, figure, target }: Props) {
  const { t } = useTranslation('reports')
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const isReady = useAfterPaint()
  const id = useId()
  const last = data.points.length - 1
  const current = Math.min(at ?? 0, last)
  const targetText = target ? `${target.label}: ${figureText(target.value, figure.kind, t)}` : ''
  const legend: readonly Series[] = [
    ...data.series,
    ...(target ? [{ name: 'target', label: targetText, color: targetColour, dash: '2 4' }] : []),
  ]
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
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? last
          : event.key in steps
            ? current + (at === undefined ? 0 : steps[event.key]!)
            : undefined
    if (next === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(last, next)))
  }
  const save = (format: 'png' | 'svg') => {
    const svg = box.current?.querySelector('svg')
    if (svg) void saveChart(svg, { title, file, format, series: legend })
  }
  return (
    <Box component="section" aria-labelledby={id} px="md" pb="md">
      <Title order={2} size="h4" pb="xs" id={id}>
        {title}
      </Title>
      <figure className={classes.figure}>
        <Group component="ul" gap="md" className={classes.legend} aria-hidden="true">
          {legend.length > 1 &&
            legend.map(({ name, label, color, dash }) => (
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
          aria-valuetext={target ? `${text}, ${targetText}` : text}
          onKeyDown={move}
          onBlur={() => setAt(undefined)}
        >
          {isReady ? (
            <Suspense fallback={<Skeleton h={chartHeightPx(kind, data)} />}>
              <ChartDrawing kind={kind} data={data} figure={figure} marked={at} target={target} />
            </Suspense>
          ) : (
            <Skeleton h={chartHeightPx(kind, data)} />
          )}
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
    </Box>
  )
}
