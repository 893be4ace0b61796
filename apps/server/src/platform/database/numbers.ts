import { type RawBuilder, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { anyScope, type CounterKind } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import type { Db } from './database.ts'

export type NumberTokens = Partial<
  Record<'YYYY' | 'YY' | 'wave' | 'faculty' | 'prodi' | 'level' | 'track', string | number>
>

/** Fills a template such as `{YY}{prodi}{SEQ:4}`. Throws for an unknown token, which is a mistake in the settings. */
export function formatNumber(template: string, tokens: NumberTokens, sequence: number): string {
  return template.replace(/\{(\w+)(?::(\d+))?\}/g, (placeholder, name: string, width?: string) => {
    if (name === 'SEQ') return String(sequence).padStart(Number(width ?? 1), '0')
    const value = tokens[name as keyof NumberTokens]
    if (value === undefined)
      throw new Error(`Number template "${template}" asks for ${placeholder}, which is not known here`)
    return String(value)
  })
}

/**
 * The next number of a kind within a scope. The counter row stays locked until the transaction ends, so numbers are
 * unique and a rollback leaves no gap.
 */
export async function nextNumber(
  tx: Db,
  kind: CounterKind,
  scope: string,
  template: string,
  tokens: NumberTokens = {},
) {
  return formatNumber(template, tokens, theOnly(await takeNumbers(tx, kind, scope, 1)))
}

/** `formatNumber` in SQL, for sequence numbers known only to the statement. */
export function writeNumber(template: string, tokens: NumberTokens, value: RawBuilder<unknown>): RawBuilder<string> {
  // Even elements are text between the `{SEQ}` tokens, odd ones the tokens' widths.
  const pieces = template.split(/\{SEQ(?::(\d+))?\}/)
  return sql`concat(${sql.join(
    pieces.map((piece, index) =>
      index % 2 === 0
        ? sql`${formatNumber(piece, tokens, 0)}::text`
        : sql`lpad(${value}::text, greatest(${Number(piece ?? 1)}::int, length(${value}::text)), '0')`,
    ),
  )})`
}

type TakeOptions = {
  count?: number
  /** `FROM …` clause; if it returns no row, no number is taken. */
  from?: RawBuilder<unknown>
}

/**
 * Kinds whose scopes can start at any time: after a restore, a scope may start again that the lost data already had.
 */
export const kindsWithLateScopes = [
  'registration',
  'student',
  'virtual-account',
  'letter',
] as const satisfies CounterKind[]

/** SQL added to a counter's first number: skips the gap of a restore that is still open. */
const firstValueOffset = (kind: CounterKind) =>
  kindsWithLateScopes.some((late) => late === kind)
    ? sql`+ coalesce((SELECT max(g.last_number) FROM number_gaps g JOIN restores r ON r.id = g.restore_id
        WHERE r.ended_at IS NULL AND g.kind = ${kind} AND g.scope = ${anyScope}), 0)`
    : sql``

/** The statement that takes the next `count` numbers of a kind within a scope and returns the last as `value`. */
export const takeNumber = (kind: CounterKind, scope: string, { count = 1, from = sql`` }: TakeOptions = {}) =>
  sql<{ value: number }>`
    INSERT INTO number_counters (kind, scope, value) SELECT ${kind}, ${scope}, ${count}::bigint ${firstValueOffset(kind)} ${from}
    ON CONFLICT (kind, scope) DO UPDATE SET value = number_counters.value + ${count}::bigint
    RETURNING value`

/** Takes several numbers at once, for bulk actions. */
export async function takeNumbers(tx: Db, kind: CounterKind, scope: string, count: number): Promise<number[]> {
  const { rows } = await takeNumber(kind, scope, { count }).execute(tx)
  const lastNumber = theOnly(rows).value
  return Array.from({ length: count }, (_, index) => lastNumber - count + 1 + index)
}
