import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ReportDescription, ReportLine } from '#domain/reports/endpoints.ts'
import { insideSentence } from '#entities/define/language.ts'
import type { Figure } from '#web/modules/reports/figure-cell.tsx'
import { figuresOf } from '#web/modules/reports/figure-text.ts'
import { chartData } from './chart-data.ts'
import { ReportChart } from './report-chart.tsx'

type Group = ReportDescription['groups'][number]
type Props = {
  report: ReportDescription
  groups: readonly Group[]
  lines: readonly ReportLine[]
  total: ReportLine
  target: number | null
  yearBefore: string | undefined
}

/** A report's chart above its table, or one per line of its group `per`; a pivot is its own chart. */
export function ReportCharts({ report, groups, lines, total, target, yearBefore }: Props) {
  const { t } = useTranslation('reports')
  const { chart } = report
  if (!chart || report.shape === 'pivot') return null
  const isOverTime = chart.kind === 'lines' || chart.kind === 'columns'
  if (isOverTime && groups.length !== 1) return null
  // Without periods there is no line to draw.
  const kind = isOverTime && !groups[0]!.isTime ? 'bars' : chart.kind
  const all = figuresOf(report)
  const figures = (kind === chart.kind ? chart.of : chart.base).flatMap(
    (name) => all.find(({ key }) => key === name) ?? [],
  )
  const [firstFigure] = figures
  if (!firstFigure) return null
  const parts = partsOf(lines, groups, chart.per)
  const targetLine = target !== null && all.find(({ key }) => key === chart.target)
  return parts.map(({ key, label, groups: own, lines: ownLines }) => {
    const title = titleOf(kind, figures, own, t)
    return (
      <ReportChart
        key={key}
        title={label === null ? title : t('chartOfPart', { title, part: label })}
        file={`laporan-${report.slug}`}
        kind={kind}
        figure={firstFigure}
        data={chartData(
          { kind, figures, lines: ownLines, total, yearBefore, keepsOrder: own[0]?.isOrdered ?? false },
          t,
        )}
        target={targetLine && kind === 'lines' ? { label: targetLine.label, value: target } : null}
      />
    )
  })
}

type Part = { key: string; label: string | null; groups: readonly Group[]; lines: readonly ReportLine[] }

/** Lines of each chart; a part's lines omit the part's name. */
function partsOf(lines: readonly ReportLine[], groups: readonly Group[], per: string | null): Part[] {
  if (per === null || groups.length < 2 || !groups.some(({ key }) => key === per))
    return [{ key: '', label: null, groups, lines }]
  const keys = [...new Set(lines.map((line) => line.keys[per] ?? null))]
  return keys.map((key) => {
    const own = lines.filter((line) => (line.keys[per] ?? null) === key)
    return {
      key: String(key),
      label: own[0]!.labels[per] ?? null,
      groups: groups.filter((group) => group.key !== per),
      lines: own.map((line) => {
        const { [per]: _, ...labels } = line.labels
        return { ...line, labels }
      }),
    }
  })
}

function titleOf(kind: string, figures: readonly Figure[], groups: readonly Group[], t: TFunction<'reports'>) {
  const [first, last] = [figures[0]!.label, figures.at(-1)!.label]
  if (kind === 'funnel') return t('chartFunnel', { first, last })
  const names = figures.map(({ label }) => label).join(', ')
  if (kind === 'total') return t('chartOfTotal', { figures: names })
  return t('chartPerGroup', { figures: names, group: groups.map(({ label }) => insideSentence(label)).join(', ') })
}
