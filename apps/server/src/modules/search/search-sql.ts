import { type RawBuilder, sql } from 'kysely'

/** Of each kind this many are answered. */
export const mostHits = 5

/** Fewer characters in a row have no trigram: only beginnings are looked up then. */
const trigram = 3

const escaped = (typed: string) => typed.replace(/[%_\\]/g, '\\$&')
export const startingWith = (typed: string) => `${escaped(typed)}%`
export const endingWith = (typed: string) => startingWith([...typed].reverse().join(''))
export const containing = (typed: string) => `%${escaped(typed)}%`

/**
 * Words to look for anywhere in a text, as LIKE patterns: a short one only where a word begins. Null when nothing is
 * long enough for the trigram index.
 */
export const patternsOf = (words: readonly string[]): string[] | null =>
  words.some((word) => /[\p{L}\p{N}]{3}/u.test(word))
    ? words.map((word) => (word.length < trigram ? `% ${escaped(word)}%` : containing(word)))
    : null

/** The first rows whose text begins with what was typed, read in the order of its index. */
type Start = { text: RawBuilder<unknown>; pattern: string }
/** Rows the trigram index finds; looked for only when the beginnings gave too few. */
type Wider = {
  condition: RawBuilder<unknown>
  /** Instead of the table, where its rows have to be found before the row scope is asked. */
  from?: RawBuilder<unknown>
}

type Search = {
  /** Table, its joins for the row scope, and what every row must satisfy. `id` is the id of a found row. */
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  where: RawBuilder<unknown>
  starts: Start[]
  wider: Wider | null
}

/**
 * Ids of at most a few rows, best first (`place`). The beginnings are read in the order of their index and stop after
 * five. Everything wider is a materialized CTE on purpose: PostgreSQL plans it for all its rows, and so by the trigram
 * index, but reads it only until the LIMIT outside it is reached; and not at all when the beginnings were enough.
 */
export function foundBy({ from, id, where, starts, wider }: Search): RawBuilder<unknown> {
  const most = sql.lit(mostHits)
  const beginnings = starts.map(
    ({ text, pattern }, place) => sql`(SELECT ${id} AS id, ${sql.lit(place)} AS place FROM ${from}
      WHERE ${text} LIKE ${pattern} AND ${where} ORDER BY ${text} USING ~<~ LIMIT ${most})`,
  )
  if (beginnings.length === 0 && !wider) return sql`SELECT NULL::uuid AS id, 0 AS place WHERE false`
  if (!wider) return sql.join(beginnings, sql` UNION ALL `)
  const anywhere = sql`(SELECT id, ${sql.lit(starts.length)} AS place FROM wider LIMIT ${sql.lit(mostHits * 2)})`
  if (beginnings.length === 0)
    return sql`WITH wider AS MATERIALIZED (SELECT ${id} AS id FROM ${wider.from ?? from} WHERE ${wider.condition} AND ${where})
      SELECT * FROM ${anywhere} anywhere`
  return sql`WITH beginnings AS MATERIALIZED (${sql.join(beginnings, sql` UNION ALL `)}),
    wider AS MATERIALIZED (SELECT ${id} AS id FROM ${wider.from ?? from} WHERE ${wider.condition} AND ${where}
      AND (SELECT count(DISTINCT id) FROM beginnings) < ${most})
    SELECT * FROM beginnings UNION ALL ${anywhere}`
}
