import { type RawBuilder, sql } from 'kysely'

/** Maximum hits per kind. */
export const maxHits = 5

/** Fewer characters have no trigram: only beginnings are searched. */
const trigramLength = 3

const escapeLike = (typed: string) => typed.replace(/[%_\\]/g, '\\$&')
export const startingWith = (typed: string) => `${escapeLike(typed)}%`
export const endingWith = (typed: string) => startingWith([...typed].reverse().join(''))
export const containing = (typed: string) => `%${escapeLike(typed)}%`

/**
 * LIKE patterns for words anywhere in a text; a short word only at the beginning of a word. Null if no word is long
 * enough for the trigram index.
 */
export const patternsOf = (words: readonly string[]): string[] | null =>
  words.some((word) => /[\p{L}\p{N}]{3}/u.test(word))
    ? words.map((word) => (word.length < trigramLength ? `% ${escapeLike(word)}%` : containing(word)))
    : null

/** Rows whose text begins with the typed text, read in the order of its index. */
type Start = { text: RawBuilder<unknown>; pattern: string }
/** Rows found by the trigram index; searched only if the beginnings gave too few. */
type Wider = {
  condition: RawBuilder<unknown>
  /** Replaces the table if its rows must be found before the row scope applies. */
  from?: RawBuilder<unknown>
}

type Search = {
  /** Table with the joins of the row scope, and the condition of every row. `id` is the id of a found row. */
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  where: RawBuilder<unknown>
  starts: Start[]
  wider: Wider | null
}

/**
 * Selects at most a few ids, best first (`place`). Beginnings are read in the order of their index and stop after five.
 * The wider search is a materialized CTE on purpose: PostgreSQL plans it for all its rows, and so by the trigram index,
 * but reads it only until the outer LIMIT; and not at all if the beginnings sufficed.
 */
export function selectMatches({ from, id, where, starts, wider }: Search): RawBuilder<unknown> {
  const limit = sql.lit(maxHits)
  const beginnings = starts.map(
    ({ text, pattern }, place) => sql`(SELECT ${id} AS id, ${sql.lit(place)} AS place FROM ${from}
      WHERE ${text} LIKE ${pattern} AND ${where} ORDER BY ${text} USING ~<~ LIMIT ${limit})`,
  )
  if (beginnings.length === 0 && !wider) return sql`SELECT NULL::uuid AS id, 0 AS place WHERE false`
  if (!wider) return sql.join(beginnings, sql` UNION ALL `)
  const anywhere = sql`(SELECT id, ${sql.lit(starts.length)} AS place FROM wider LIMIT ${sql.lit(maxHits * 2)})`
  if (beginnings.length === 0)
    return sql`WITH wider AS MATERIALIZED (SELECT ${id} AS id FROM ${wider.from ?? from} WHERE ${wider.condition} AND ${where})
      SELECT * FROM ${anywhere} anywhere`
  return sql`WITH beginnings AS MATERIALIZED (${sql.join(beginnings, sql` UNION ALL `)}),
    wider AS MATERIALIZED (SELECT ${id} AS id FROM ${wider.from ?? from} WHERE ${wider.condition} AND ${where}
      AND (SELECT count(DISTINCT id) FROM beginnings) < ${limit})
    SELECT * FROM beginnings UNION ALL ${anywhere}`
}
