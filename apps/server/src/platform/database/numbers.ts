import { type RawBuilder, sql } from 'kysely'
import { anyScope } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import type { Db } from './database.ts'

export type NumberTokens = Partial<
  Record<'YYYY' | 'YY' | 'wave' | 'faculty' | 'prodi' | 'level' | 'track', string | number>
>

/** Fills a template such as `{YY}{prodi}{SEQ:4}`; an unknown token is a mistake in the settings, not in the data. */
export function formatNumber(template: string, tokens: NumberTokens, sequence: number): string {
  return template.replace(/\{(\w+)(?::(\d+))?\}/g, (whole, name: string, width?: string) => {
    if (name === 'SEQ') return String(sequence).padStart(Number(width ?? 1), '0')
    const value = tokens[name as keyof NumberTokens]
    if (value === undefined) throw new Error(`Number template "${template}" asks for ${whole}, which is not known here`)
    return String(value)
  })
}

/**
 * The next number of a kind within a scope. The counter's row stays locked until the transaction ends,
 * so numbers are unique and a rolled back one leaves no gap.
 */
export async function nextNumber(tx: Db, kind: string, scope: string, template: string, tokens: NumberTokens = {}) {
  const [first] = await takeNumbers(tx, kind, scope, 1)
  return formatNumber(template, tokens, first!)
}

/** `formatNumber` for a value that only the database knows yet. */
export function writeNumber(template: string, tokens: NumberTokens, value: RawBuilder<unknown>): RawBuilder<string> {
  // What stands between the places of the sequence; their widths are every second piece.
  const pieces = template.split(/\{SEQ(?::(\d+))?\}/)
  return sql`concat(${sql.join(
    pieces.map((piece, at) =>
      at % 2 === 0
        ? sql`${formatNumber(piece, tokens, 0)}::text`
        : sql`lpad(${value}::text, greatest(${Number(piece ?? 1)}::int, length(${value}::text)), '0')`,
    ),
  )})`
}

type Taking = {
  count?: number
  /** `FROM …` a row for which one is taken: nothing is taken when there is none. */
  from?: RawBuilder<unknown>
}

/** Kinds whose scopes begin at any time: after a restore one may begin that had begun already, and was lost. */
const beginAnyTime: ReadonlySet<string> = new Set(['registration', 'student', 'virtual-account'])

/** Where a counter begins: behind what an open restore leaves out. */
const beginning = (kind: string) =>
  beginAnyTime.has(kind)
    ? sql`+ coalesce((SELECT max(g.last_number) FROM number_gaps g JOIN restores r ON r.id = g.restore_id
        WHERE r.ended_at IS NULL AND g.kind = ${kind} AND g.scope = ${anyScope}), 0)`
    : sql``

/** The statement that takes the next numbers of a kind within a scope and gives the last of them as `value`. */
export const takeNumber = (kind: string, scope: string, { count = 1, from = sql`` }: Taking = {}) =>
  sql<{ value: number }>`
    INSERT INTO number_counters (kind, scope, value) SELECT ${kind}, ${scope}, ${count}::bigint ${beginning(kind)} ${from}
    ON CONFLICT (kind, scope) DO UPDATE SET value = number_counters.value + ${count}::bigint
    RETURNING value`

/** Takes several numbers at once, for bulk work. */
export async function takeNumbers(tx: Db, kind: string, scope: string, count: number): Promise<number[]> {
  const { rows } = await takeNumber(kind, scope, { count }).execute(tx)
  const last = rows[0]!.value
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}
