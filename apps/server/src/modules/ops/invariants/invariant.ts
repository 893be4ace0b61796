import { type RawBuilder, sql } from 'kysely'
import type { InvariantArea, InvariantName, invariants } from '#domain/ops/invariants.ts'
import type { Settings } from '#domain/settings/settings.ts'

/** Something that cannot be: what is written down differs from what follows from everything else. */
export type Impossible = {
  /** What it is about, as the audit log calls it. */
  subjectType: string
  id: string
  /** What people call the record. */
  label: string
  stored: string | null
  derived: string | null
  /** Screen that shows the record. */
  path: string | null
}

export type Condition = {
  settings: Settings
  now: Date
}

/** Finds every row that breaks one rule, as `Impossible`; finds nothing while the books are right. */
export type Invariant = (condition: Condition) => RawBuilder<Impossible>

/** All rules of one area: a rule that the domain names and nobody checks does not compile. */
export type InvariantsOf<A extends InvariantArea> = {
  [N in InvariantName as (typeof invariants)[N]['area'] extends A ? N : never]: Invariant
}

/** Looked up for what was found only; joined, every account would be read for nothing. */
export const emailOf = (accountId: RawBuilder<unknown>) => sql`(SELECT email FROM accounts WHERE id = ${accountId})`
