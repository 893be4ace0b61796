import { type RawBuilder, sql } from 'kysely'
import type { InvariantArea, InvariantName, invariants } from '#domain/ops/invariants.ts'
import type { Settings } from '#domain/settings/settings.ts'

/** A contradiction in the books: a stored value differs from the derived one. */
export type Impossible = {
  /** Kind of record, as in the audit log. */
  subjectType: string
  id: string
  /** Human-readable name of the record. */
  label: string
  stored: string | null
  derived: string | null
  /** Screen of the record. */
  path: string | null
}

export type Condition = {
  settings: Settings
  now: Date
}

/** Query for every row that breaks a rule; empty while the books are right. */
export type Invariant = (condition: Condition) => RawBuilder<Impossible>

/** Checks of one area; a name in the domain without a query does not compile. */
export type InvariantsOf<A extends InvariantArea> = {
  [N in InvariantName as (typeof invariants)[N]['area'] extends A ? N : never]: Invariant
}

/** A subquery, so that only the accounts of findings are read; a join would read all accounts. */
export const emailOf = (accountId: RawBuilder<unknown>) => sql`(SELECT email FROM accounts WHERE id = ${accountId})`
