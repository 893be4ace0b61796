import { dateTime, longDate, shortDate, timeOfDay, weekdayDate } from '#locales/format.ts'
import { useSurroundings } from './words.tsx'

type Props = {
  value: string | Date | null | undefined
  /** `date` (27 November 2026), `short` (27 Nov 2026), `weekday` (Friday, 27 November 2026), `time` (23.59), `datetime`, `weekdaytime`. */
  as?: 'date' | 'short' | 'weekday' | 'time' | 'datetime' | 'weekdaytime'
}

/** A date in the interface language and the university's time zone. */
export function DateText({ value, as = 'date' }: Props) {
  const { language } = useSurroundings()
  if (!value) return <span>—</span>
  const text = {
    date: () => longDate(value, language),
    short: () => shortDate(value, language),
    weekday: () => weekdayDate(value, language),
    time: () => timeOfDay(value, language),
    datetime: () => dateTime(value, language),
    weekdaytime: () => `${weekdayDate(value, language)}, ${timeOfDay(value, language)}`,
  }[as]()
  return <time dateTime={typeof value === 'string' ? value : value.toISOString()}>{text}</time>
}
