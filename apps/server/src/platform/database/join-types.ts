import type { JoinBuilder, StringReference } from 'kysely'

/**
 * Joins of a table under an alias: as strict as Kysely's own declarations, but cheap to check. For each join Kysely copies
 * all 300 tables and makes a text pattern of every table; these overloads read the table and the alias from the text.
 * Other joins, such as those with a subquery, use Kysely's declarations.
 */
declare module 'kysely' {
  interface SelectQueryBuilder<DB, TB extends keyof DB, O> {
    innerJoin<
      T extends keyof DB & string,
      A extends string,
      L extends Joint<DB, TB, T, A>,
      R extends Joint<DB, TB, T, A>,
    >(table: `${T} as ${A}`, left: L, right: R): SelectQueryBuilder<WithTable<DB, A, DB[T]>, TB | A, O>
    innerJoin<T extends keyof DB & string, A extends string>(
      table: `${T} as ${A}`,
      on: On<DB, TB, T, A>,
    ): SelectQueryBuilder<WithTable<DB, A, DB[T]>, TB | A, O>
    leftJoin<
      T extends keyof DB & string,
      A extends string,
      L extends Joint<DB, TB, T, A>,
      R extends Joint<DB, TB, T, A>,
    >(table: `${T} as ${A}`, left: L, right: R): SelectQueryBuilder<WithTable<DB, A, Nullable<DB[T]>>, TB | A, O>
    leftJoin<T extends keyof DB & string, A extends string>(
      table: `${T} as ${A}`,
      on: On<DB, TB, T, A>,
    ): SelectQueryBuilder<WithTable<DB, A, Nullable<DB[T]>>, TB | A, O>
  }
}

type WithTable<DB, A extends string, R> = DB & { [K in A]: R }
/** Columns that may be compared; none if the alias hides another table. */
type Joint<DB, TB extends keyof DB, T extends keyof DB, A extends string> = A extends keyof DB
  ? never
  : StringReference<WithTable<DB, A, DB[T]>, TB | A>
type On<DB, TB extends keyof DB, T extends keyof DB, A extends string> = A extends keyof DB
  ? never
  : (join: JoinBuilder<WithTable<DB, A, DB[T]>, TB | A>) => JoinBuilder<WithTable<DB, A, DB[T]>, TB | A>
type Nullable<R> = { [C in keyof R]: R[C] | null }
