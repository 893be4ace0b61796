import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type CalendarEntry, readCalendar } from '#domain/admission-calendar/endpoints.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { monthsFor, weekdayDate } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './calendar.module.css'
import { CalendarFileButton } from './calendar-file-button.tsx'
import { EntryLine, toneOf, useEntryWords } from './entry-line.tsx'
import { daysOfMonth, isMonth, monthOf, shiftMonth } from './month.ts'

const views = ['month', 'agenda'] as const
type View = (typeof views)[number]

/** Test sessions and deadlines of a month, as a grid of days or a list; month and view are in the address. */
export default function CalendarPage() {
  const { t } = useTranslation('admission-calendar')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const [search, setSearch] = useSearchParams()
  const [today] = useState(() => universityCalendar().dayOf(new Date()))
  const monthInAddress = search.get('month')
  const month = isMonth(monthInAddress) ? monthInAddress : monthOf(today)
  const view: View = search.get('view') === 'agenda' ? 'agenda' : 'month'
  const show = (next: { month?: string; view?: View }) =>
    setSearch({ month: next.month ?? month, view: next.view ?? view }, { replace: true })
  const days = daysOfMonth(month)
  const answer = useEndpoint(readCalendar, { query: { from: days[0]!, to: days.at(-1)! } })
  const entries = answer.data?.data
  return (
    <>
      <PageHeader title={title} description={t('description', { zone: zoneName() })} actions={<CalendarFileButton />} />
      <Card>
        <div className={classes.bar}>
          <Group gap="xs">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('previous')}
              onClick={() => show({ month: shiftMonth(month, -1) })}
            >
              <IconChevronLeft size={20} aria-hidden="true" />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('next')}
              onClick={() => show({ month: shiftMonth(month, 1) })}
            >
              <IconChevronRight size={20} aria-hidden="true" />
            </ActionIcon>
            <Title order={2} size="h3" aria-live="polite">
              {monthsFor(language, 'long')[Number(month.slice(5)) - 1]} {month.slice(0, 4)}
            </Title>
            {month !== monthOf(today) && (
              <Button variant="subtle" size="compact-md" onClick={() => show({ month: monthOf(today) })}>
                {t('today')}
              </Button>
            )}
          </Group>
          <SegmentedControl
            aria-label={t('view')}
            value={view}
            onChange={(value) => show({ view: value as View })}
            data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          />
        </div>
        {!entries ? (
          <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={6} height={64} />
        ) : view === 'month' ? (
          <Month key={month} {...{ month, days, entries, today }} />
        ) : (
          <Agenda entries={entries.filter(({ day }) => monthOf(day) === month)} />
        )}
      </Card>
    </>
  )
}

const mostInCell = 3

type MonthProps = { month: string; days: readonly string[]; entries: readonly CalendarEntry[]; today: string }

/** Days of a month; the chosen day's entries appear below. */
function Month({ month, days, entries, today }: MonthProps) {
  const { t } = useTranslation('admission-calendar')
  const { language } = useSurroundings()
  const wordsOf = useEntryWords()
  const [chosen, choose] = useState(monthOf(today) === month ? today : `${month}-01`)
  const ofDay = (day: string) => entries.filter((entry) => entry.day === day)
  const weekdays = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <Stack gap="lg">
      <div className={classes.month}>
        {days.slice(0, 7).map((day) => (
          <div key={day} className={classes.weekday} aria-hidden="true">
            {weekdays.format(new Date(`${day}T12:00:00Z`))}
          </div>
        ))}
        {days.map((day) => {
          const list = ofDay(day)
          return (
            <button
              key={day}
              type="button"
              className={classes.day}
              aria-pressed={day === chosen}
              aria-label={`${weekdayDate(day, language)}, ${t('count', { count: list.length })}`}
              aria-current={day === today ? 'date' : undefined}
              data-today={day === today || undefined}
              data-outside={monthOf(day) !== month || undefined}
              onClick={() => choose(day)}
            >
              <span className={classes.number}>{Number(day.slice(8))}</span>
              {list.slice(0, mostInCell).map((entry) => (
                <span key={entry.id} className={classes.entry} data-tone={toneOf[entry.kind]}>
                  {wordsOf(entry)}
                </span>
              ))}
              {list.length > mostInCell && (
                <span className={classes.entry}>{t('moreOfDay', { count: list.length - mostInCell })}</span>
              )}
              <span className={classes.dots}>
                {list.slice(0, mostInCell).map((entry) => (
                  <span key={entry.id} className={classes.dot} data-tone={toneOf[entry.kind]} />
                ))}
              </span>
            </button>
          )
        })}
      </div>
      <section aria-live="polite">
        <Text fw={650}>{weekdayDate(chosen, language)}</Text>
        {ofDay(chosen).length === 0 ? (
          <Text c="dimmed" mt={6}>
            {t('nothingOnDay')}
          </Text>
        ) : (
          <ul className={classes.lines}>
            {ofDay(chosen).map((entry) => (
              <EntryLine key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </section>
    </Stack>
  )
}

function Agenda({ entries }: { entries: readonly CalendarEntry[] }) {
  const { t } = useTranslation('admission-calendar')
  const { language } = useSurroundings()
  const days = [...new Set(entries.map(({ day }) => day))]
  if (days.length === 0) return <EmptyState title={t('nothing')} />
  return (
    <ul className={classes.agenda}>
      {days.map((day) => (
        <li key={day}>
          <Text fw={650}>{weekdayDate(day, language)}</Text>
          <ul className={classes.lines}>
            {entries
              .filter((entry) => entry.day === day)
              .map((entry) => (
                <EntryLine key={entry.id} entry={entry} />
              ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
