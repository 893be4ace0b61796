import { type RawBuilder, sql } from 'kysely'

/** Maximum hits per kind. */
export const maxHits = 5

/** Words with fewer characters have no trigram, so they match only at the beginning of a word. */
const trigramLength = 3

const escapeLike = (typed: string) => typed.replace(/[%_\\]/g, '\\$&')
export const startingWith = (typed: string) => `${escapeLike(typed)}%`
export const endingWith = (typed: string) => startingWith([...typed].reverse().join(''))
export const containing = (typed: string) => `%${escapeLike(typed)}%`

/**
 * LIKE patterns for words anywhere in a text; short words only at the beginning of a word. Null if no word is long
 * enough for the trigram index.
 */
export const patternsOf = (words: readonly string[]): string[] | null =>
  words.some((word) => /[\p{L}\p{N}]{3}/u.test(word))
    ? words.map((word) => (word.length < trigramLength ? `% ${escapeLike(word)}%` : containing(word)))
    : null

/**
 * Letters a word needs for a typo to be tolerated, alone or beside another word. A shorter word would match almost any
 * other.
 */
const typoLength = { alone: 5, besideAnother: 4 }

/** LIKE patterns for a word with one letter too many, missing, wrong, or swapped with the next one. */
function typosOf(word: string): string[] {
  const letters = [...word]
  const changed = letters.flatMap((letter, i) => {
    const next = letters[i + 1]
    return [
      letters.with(i, '_'),
      letters.toSpliced(i, 1),
      ...(i > 0 ? [letters.toSpliced(i, 0, '_')] : []),
      ...(next !== undefined && next !== letter ? [letters.with(i, next).with(i + 1, letter)] : []),
    ]
  })
  return [...new Set(changed.map((one) => ['%', ...one, '%'].join('')))]
}

/**
 * Condition that matches a typo in one word and all other words as typed; null if no word is long enough. A pattern
 * without three consecutive letters would read the whole trigram index, and every other pattern reads it once. So if
 * other words leave few rows, the patterns are compared with an expression that has no index.
 */
export function typosIn(words: readonly string[], text: RawBuilder<unknown>): RawBuilder<unknown> | null {
  const unindexed = sql`(${text} || '')`
  const forgiven = words.flatMap((word, i) => {
    const others = words.toSpliced(i, 1)
    const isAlone = others.every((other) => other.length < trigramLength)
    if (!/^\p{L}+$/u.test(word) || word.length < (isAlone ? typoLength.alone : typoLength.besideAnother)) return []
    const patterns = typosOf(word)
    const indexed = patterns.filter((pattern) => /[\p{L}\p{N}]{3}/u.test(pattern))
    const usesIndex = isAlone || (others.length === 1 && indexed.length === patterns.length)
    const isTypo = usesIndex
      ? sql`${text} LIKE ANY (${indexed}::text[])`
      : sql`${unindexed} LIKE ANY (${patterns}::text[])`
    const conditions = [
      isTypo,
      ...others.map((other) => sql`${other.length < trigramLength ? unindexed : text} LIKE ${containing(other)}`),
    ]
    return [sql`(${sql.join(conditions, sql` AND `)})`]
  })
  return forgiven.length > 0 ? sql`(${sql.join(forgiven, sql` OR `)})` : null
}

/** Rows whose text begins with the typed text, read in index order. */
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
  /** Rows with a typo in the typed text; searched only if all others gave too few. */
  typos?: Wider | null
}

/**
 * Selects at most a few ids, best first (`place`). Beginnings are read in index order and stop after five. The wider
 * search is a materialized CTE on purpose: PostgreSQL plans it for all rows, thus with the trigram index, but reads it
 * only until the outer LIMIT, and not at all if the beginnings were enough.
 */
export function selectMatches({ from, id, where, starts, wider, typos }: Search): RawBuilder<unknown> {
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
  const found = sql`SELECT * FROM beginnings UNION ALL ${anywhere}`
  const matches = sql`WITH beginnings AS MATERIALIZED (${sql.join(beginnings, sql` UNION ALL `)}),
    wider AS MATERIALIZED (SELECT ${id} AS id FROM ${wider.from ?? from} WHERE ${wider.condition} AND ${where}
      AND (SELECT count(DISTINCT id) FROM beginnings) < ${limit})`
  if (!typos) return sql`${matches} ${found}`
  return sql`${matches}, typos AS MATERIALIZED (SELECT ${id} AS id FROM ${typos.from ?? from} WHERE ${typos.condition} AND ${where}
      AND (SELECT count(DISTINCT id) FROM (${found}) found) < ${limit})
    ${found} UNION ALL (SELECT id, ${sql.lit(starts.length + 1)} AS place FROM typos LIMIT ${sql.lit(maxHits * 2)})`
}
