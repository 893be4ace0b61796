import { sql } from 'kysely'
import { type NumberKind, patternOf } from '#domain/settings/number-templates.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Table and column of each kind's numbers, and their counter. */
const homes = {
  registrationNumber: { table: 'registrations', column: 'code', counter: 'registration' },
  billNumber: { table: 'bills', column: 'number', counter: 'bill' },
  receiptNumber: { table: 'payments', column: 'receipt_number', counter: 'receipt' },
  studentNumber: { table: 'every_student_number', column: 'npm', counter: 'student' },
} as const satisfies Record<NumberKind, object>

/**
 * An issued number that a new template would issue again: one in its form above the counter; undefined if there is
 * none.
 */
export async function repeatedNumber(tx: Tx, kind: NumberKind, template: string): Promise<string | undefined> {
  const { table, column, counter } = homes[kind]
  const pattern = patternOf(template)
  const { rows: issued } = await sql<{ before: string; after: string; last: number; example: string }>`
    SELECT before, after, max(running) AS last, (array_agg(number ORDER BY running DESC))[1] AS example FROM (
      SELECT number, part[1] AS before, part[2]::numeric AS running, part[3] AS after
      FROM (SELECT ${sql.ref(column)} AS number FROM ${sql.table(table)}) n,
        LATERAL (SELECT regexp_match(number, ${pattern}) AS part) m WHERE part IS NOT NULL) matching
    GROUP BY before, after`.execute(tx)
  const counters = await tx
    .selectFrom('numberCounters')
    .select(['scope', 'value'])
    .where('kind', '=', counter)
    .execute()
  const values = new Map(counters.map(({ scope, value }) => [scope, value]))
  const reached = (before: string, after: string) => {
    const own = values.get(`${before}#${after}`)
    if (own !== undefined) return own
    // Bills and receipts are counted by year, independent of the text around the number.
    return Math.max(
      0,
      ...counters
        .filter(({ scope }) => /^\d{4}$/.test(scope) && `${before}${after}`.includes(scope.slice(2)))
        .map(({ value }) => value),
    )
  }
  return issued.find(({ before, after, last }) => last > reached(before, after))?.example
}
