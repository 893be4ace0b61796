import { Text } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shortDate, wholeNumber, wholePercent } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bars.module.css'

type Bar = { key: string; label: ReactNode; count: number }
const withShare = (share: number) => ({ '--width': `${Math.round(share * 1000) / 10}%` }) as CSSProperties

/** Shows counts as a table with bars. Percentages relate to `whole`, bar lengths to the highest count. */
export function Bars({ caption, bars, whole }: { caption: string; bars: readonly Bar[]; whole: number }) {
  const { t } = useTranslation('surveys')
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <table className={classes.bars} aria-label={caption}>
      <thead className={classes.head}>
        <tr>
          <th scope="col">{t('results.value')}</th>
          <td />
          <th scope="col" className={classes.number}>
            {t('results.count')}
          </th>
          <th scope="col" className={classes.number}>
            {t('results.share')}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, count }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td aria-hidden="true" className={classes.bar}>
              <div className={classes.track}>
                <div className={classes.fill} style={withShare(count / most)} />
              </div>
            </td>
            <td className={classes.number}>{wholeNumber(count)}</td>
            <td className={classes.number}>{whole > 0 ? wholePercent(count / whole) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Day = { day: string; count: number }
/** Beyond this many days, columns are weeks. */
const mostColumns = 62

/** The Monday on or before a day. */
function mondayOf(day: string) {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** One column per day, or per week beyond `mostColumns` days. Days or weeks without responses get a column too. */
export function columnsOf(days: readonly Day[]): { columns: Day[]; areWeeks: boolean } {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return { columns: [], areWeeks: false }
  const span = (Date.parse(last.day) - Date.parse(first.day)) / 86_400_000 + 1
  const areWeeks = span > mostColumns
  const keyOf = areWeeks ? mondayOf : (day: string) => day
  const counts = new Map<string, number>()
  for (let time = Date.parse(keyOf(first.day)); time <= Date.parse(last.day); time += (areWeeks ? 7 : 1) * 86_400_000)
    counts.set(new Date(time).toISOString().slice(0, 10), 0)
  for (const { day, count } of days) counts.set(keyOf(day), (counts.get(keyOf(day)) ?? 0) + count)
  return { columns: [...counts].map(([day, count]) => ({ day, count })), areWeeks }
}

/** Responses per day or week, as columns and as a table. */
export function DayColumns({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const { columns, areWeeks } = columnsOf(days)
  const most = Math.max(1, ...columns.map(({ count }) => count))
  const title = t(areWeeks ? 'results.byWeek' : 'results.byDay')
  return (
    <>
      <div className={classes.days} aria-hidden="true">
        {columns.map(({ day, count }) => (
          <div
            key={day}
            className={classes.day}
            style={withShare(count / most)}
            title={`${shortDate(day, language)}: ${count}`}
          />
        ))}
      </div>
      <div className={classes.ends} aria-hidden="true">
        <Text size="sm">{columns[0] && shortDate(columns[0].day, language)}</Text>
        {columns.length > 1 && <Text size="sm">{shortDate(columns.at(-1)!.day, language)}</Text>}
      </div>
      <details>
        <summary>{t('results.asTable')}</summary>
        <Bars
          caption={title}
          bars={columns.map(({ day, count }) => ({ key: day, label: shortDate(day, language), count }))}
          whole={days.reduce((sum, { count }) => sum + count, 0)}
        />
      </details>
    </>
  )
}
