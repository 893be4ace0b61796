import { sql } from 'kysely'
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

/** Takes several numbers at once, for bulk work. */
export async function takeNumbers(tx: Db, kind: string, scope: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`
    INSERT INTO number_counters (kind, scope, value) VALUES (${kind}, ${scope}, ${count})
    ON CONFLICT (kind, scope) DO UPDATE SET value = number_counters.value + ${count}
    RETURNING value`.execute(tx)
  const last = rows[0]!.value
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}
