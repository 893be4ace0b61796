import { type RawBuilder, sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { monthsFor } from '#locales/format.ts'

/** `27 November 2026, 23.59` in university time, with the month's name in `language`. */
export function momentInWords(column: RawBuilder<unknown>, language: RawBuilder<unknown>): RawBuilder<string> {
  const local = sql`(${column} AT TIME ZONE ${universityCalendar().timeZone})`
  const monthIn = (reader: 'id' | 'en') =>
    sql`(ARRAY[${sql.join(monthsFor(reader, 'long').map((name) => sql.lit(name)))}])[extract(month FROM ${local})::int]`
  return sql<string>`to_char(${local}, 'FMDD ') || CASE ${language} WHEN 'en' THEN ${monthIn('en')} ELSE ${monthIn('id')} END
    || to_char(${local}, ' YYYY, HH24.MI')`
}

/** `Rp 250.000`, with a no-break space. */
export const rupiahInWords = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`'Rp' || chr(160) || replace(to_char(${column}, 'FM999,999,999,999'), ',', '.')`

/** SQL for a JSON object of the columns in `names`, without empty values. */
export function valuesColumn(names: readonly string[], columns: Readonly<Record<string, RawBuilder<unknown>>>) {
  const pairs = names.flatMap((name) => (columns[name] ? [sql.lit(name), sql`nullif(${columns[name]}, '')`] : []))
  return pairs.length > 0 ? sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))` : sql`'{}'::jsonb`
}
