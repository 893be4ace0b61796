import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CalendarEntry, CalendarKind } from '#domain/admission-calendar/endpoints.ts'
import { timeOfDay } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './calendar.module.css'

/** Colour of an entry: payment and answer deadlines amber, ends red, results green. */
export const toneOf: Record<CalendarKind, 'progress' | 'attention' | 'stopped' | 'done'> = {
  session: 'progress',
  seat: 'progress',
  offer: 'attention',
  opens: 'done',
  closes: 'stopped',
  payment: 'attention',
  results: 'done',
  confirmation: 'stopped',
  bill: 'attention',
  bills: 'attention',
}

/** Sentence for an entry: what happens, for which wave, session or bill. */
export function useEntryWords() {
  const { t } = useTranslation('admission-calendar')
  return ({ kind, name, count }: CalendarEntry) =>
    kind === 'bills' ? t('bills', { count: count ?? 0 }) : t(`kinds.${kind}`, { name })
}

export function EntryLine({ entry }: { entry: CalendarEntry }) {
  const { t } = useTranslation('admission-calendar')
  const { language } = useSurroundings()
  const wordsOf = useEntryWords()
  const { kind, at, endsAt, detail, taken, capacity, path } = entry
  const time = [at, endsAt]
    .filter((moment) => moment !== null)
    .map((moment) => timeOfDay(moment, language))
    .join('–')
  return (
    <li className={classes.line} data-tone={toneOf[kind]}>
      <Text component="div">
        {path ? (
          <Anchor component={Link} to={path} inherit>
            {wordsOf(entry)}
          </Anchor>
        ) : (
          wordsOf(entry)
        )}
      </Text>
      <Text component="div" size="sm" c="dimmed">
        {[kind !== 'bills' && time, detail, capacity !== null && t('seats', { taken, capacity })]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </li>
  )
}
