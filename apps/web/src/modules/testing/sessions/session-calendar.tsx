import { ActionIcon, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { daysBetween, shiftDay, universityCalendar } from '#domain/calendar.ts'
import { type CalendarSession, readSessionCalendar } from '#domain/testing/sessions/endpoints.ts'
import { longDate, timeRange, weekdayDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './session-calendar.module.css'

const spans = ['month', 'week'] as const
type Span = (typeof spans)[number]

/** Monday of a day's week. */
const mondayOf = (day: string) => shiftDay(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`
const lastOfMonth = (day: string) => shiftDay(firstOfMonth(shiftDay(firstOfMonth(day), 31)), -1)

/** First and last day on screen: a week, or the whole weeks of a month. */
const boundsOf = (span: Span, day: string): [string, string] =>
  span === 'week'
    ? [mondayOf(day), shiftDay(mondayOf(day), 6)]
    : [mondayOf(firstOfMonth(day)), shiftDay(mondayOf(lastOfMonth(day)), 6)]

/** A day in the previous or next week or month. */
const neighbourOf = (span: Span, day: string, direction: 1 | -1) =>
  span === 'week'
    ? shiftDay(day, 7 * direction)
    : direction === 1
      ? shiftDay(lastOfMonth(day), 1)
      : firstOfMonth(shiftDay(firstOfMonth(day), -1))

/** Test sessions of a month or week with the seats taken; day and span are in the address. */
export function SessionCalendar() {
  const { t } = useTranslation('test-sessions')
  const { language } = useSurroundings()
  const [params, setParams] = useSearchParams()
  const today = universityCalendar().dayOf(new Date())
  const typedDay = params.get('day')
  const day = typedDay && /^\d{4}-\d{2}-\d{2}$/.test(typedDay) ? typedDay : today
  const span = spans.find((candidate) => candidate === params.get('span')) ?? 'month'
  const [from, to] = boundsOf(span, day)
  const { data, error, refetch } = useEndpoint(readSessionCalendar, { query: { from, to } })
  const show = (next: { day?: string; span?: string }) =>
    setParams({ view: 'calendar', span, day, ...next }, { replace: true, preventScrollReset: true })
  const sessions = Map.groupBy(data?.data ?? [], ({ date }) => date)
  return (
    <Card
      title={span === 'week' ? `${longDate(from, language)} – ${longDate(to, language)}` : monthOf(day, language)}
      actions={
        <Group gap="xs" className="no-print">
          <SegmentedControl
            aria-label={t('calendar.span')}
            value={span}
            onChange={(value) => show({ span: value })}
            data={spans.map((value) => ({ value, label: t(`calendar.${value}`) }))}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('calendar.previous')}
            onClick={() => show({ day: neighbourOf(span, day, -1) })}
          >
            <IconChevronLeft size={18} aria-hidden="true" />
          </ActionIcon>
          <Button variant="default" onClick={() => show({ day: today })} children={t('calendar.today')} />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('calendar.next')}
            onClick={() => show({ day: neighbourOf(span, day, 1) })}
          >
            <IconChevronRight size={18} aria-hidden="true" />
          </ActionIcon>
        </Group>
      }
    >
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
      ) : (
        <>
          {data.data.length === 0 && <EmptyState title={t('calendar.none')} />}
          <ol className={classes.days} data-span={span}>
            {daysBetween(from, to).map((date) => (
              <li
                key={date}
                className={classes.day}
                data-today={date === today || undefined}
                data-outside={(span === 'month' && date.slice(0, 7) !== day.slice(0, 7)) || undefined}
                data-empty={!sessions.has(date) || undefined}
              >
                <Text size="sm" c="dimmed" component="h3" fw={500}>
                  <span className={classes.whole}>{weekdayDate(date, language)}</span>
                  <span className={classes.number} aria-hidden="true">
                    {Number(date.slice(8))}
                  </span>
                </Text>
                {sessions.get(date)?.map((session) => (
                  <SessionEntry key={session.id} session={session} />
                ))}
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  )
}

const monthOf = (day: string, language: 'en' | 'id') => longDate(firstOfMonth(day), language).replace(/^0?1 /, '')

function SessionEntry({ session }: { session: CalendarSession }) {
  const { t } = useTranslation('test-sessions')
  const { may } = useSession()
  const { id, name, startTime, endTime, taken, capacity, state } = session
  const content = (
    <>
      <span className={classes.time}>{timeRange(startTime, endTime)}</span>
      <span className={classes.name}>{name}</span>
      <span className={classes.fill}>
        {t('fill', { taken, capacity })} · {t(`state.${state}`)}
      </span>
      <span className={classes.bar} aria-hidden="true">
        <span style={{ width: `${capacity > 0 ? Math.min(100, (taken / capacity) * 100) : 0}%` }} />
      </span>
    </>
  )
  return may('jadwal-test-update') ? (
    <Link to={`/jadwal-test/${id}`} className={classes.session} data-state={state}>
      {content}
    </Link>
  ) : (
    <div className={classes.session} data-state={state}>
      {content}
    </div>
  )
}
