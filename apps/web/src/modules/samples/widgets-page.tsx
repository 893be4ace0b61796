import { useTranslation } from 'react-i18next'
import type { CardKey } from '#domain/dashboards/cards.ts'
import { cardNamespaces } from '#web/modules/dashboards/card-text.ts'
import { CardBody } from '#web/modules/dashboards/card-view.tsx'
import cards from '#web/modules/dashboards/cards.module.css'
import type { ChartData } from '#web/modules/reports/charts/chart-data.ts'
import { ReportChart } from '#web/modules/reports/charts/report-chart.tsx'
import { Card } from '#web/ui/card.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { cardAnswers } from './invented.ts'

const faculties = [
  ['Fakultas Contoh A', 320, 210],
  ['Fakultas Contoh B', 260, 180],
  ['Fakultas Contoh C', 140, 60],
] as const
const weeks = [12, 30, 64, 90, 118, 160, 171]

/** Dashboard cards and report charts. */
export default function WidgetsPage() {
  const { t } = useTranslation(['samples', ...cardNamespaces])
  const figure = { key: 'submitted', label: t('widgets.submitted'), kind: 'count', opens: false } as const
  const series = [
    { name: 'submitted', label: t('widgets.submitted'), color: 'var(--chart-1)' },
    { name: 'paid', label: t('widgets.paid'), color: 'var(--chart-2)', dash: '8 4' },
  ]
  const bars: ChartData = {
    series,
    points: faculties.map(([name, submitted, paid]) => ({ name, submitted, paid })),
    cut: false,
  }
  const lines: ChartData = {
    series: series.slice(0, 1),
    points: weeks.map((submitted, index) => ({ name: t('widgets.week', { number: index + 1 }), submitted })),
    cut: false,
  }
  return (
    <GuidePage>
      <Sample code="<CardBody>" file="modules/dashboards/card-view.tsx" when={t('when.cardBody')}>
        <div className={cards.grid}>
          {(Object.keys(cardAnswers) as (CardKey & keyof typeof cardAnswers)[]).map((key) => (
            <Card key={key} title={t(`dashboards:cards.${key}`)} className={cards.card}>
              <CardBody card={key} answer={cardAnswers[key]} />
            </Card>
          ))}
        </div>
      </Sample>
      <Sample code="<ReportChart>" file="modules/reports/charts/report-chart.tsx" when={t('when.reportChart')}>
        <Card flush>
          <ReportChart
            title={t('widgets.perFaculty')}
            file="contoh-batang"
            kind="bars"
            data={bars}
            figure={figure}
            target={null}
          />
          <ReportChart
            title={t('widgets.perWeek')}
            file="contoh-garis"
            kind="lines"
            data={lines}
            figure={figure}
            target={{ label: t('widgets.target'), value: 150 }}
          />
        </Card>
      </Sample>
    </GuidePage>
  )
}
