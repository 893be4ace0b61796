import type {
  ComparisonOperator,
  ComparisonOperatorExpression,
  ExpressionWrapper,
  JoinBuilder,
  SelectType,
  SqlBool,
  StringReference,
} from 'kysely'

/**
 * Overloads for joining a table and for comparing a column with values: as strict as Kysely's own declarations, but
 * cheap to check. For each join Kysely copies all 300 tables and makes a text pattern of each; for the first comparison
 * in each set of tables it computes the type of every column. These overloads read table, alias and column from the
 * text. Other calls, such as those with a subquery, use Kysely's declarations.
 */
declare module 'kysely' {
  interface SelectQueryBuilder<DB, TB extends keyof DB, O> {
    where<T extends TB & string, C extends keyof DB[T] & string>(
      column: `${T}.${C}` | C,
      op: ComparisonOperatorExpression,
      value: Operand<DB[T][C]>,
    ): SelectQueryBuilder<DB, TB, O>
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
    innerJoin<
      T extends keyof DB & string,
      L extends StringReference<DB, TB | T>,
      R extends StringReference<DB, TB | T>,
    >(table: T, left: L, right: R): SelectQueryBuilder<DB, TB | T, O>
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
  interface UpdateQueryBuilder<DB, UT extends keyof DB, TB extends keyof DB, O> {
    where<T extends TB & string, C extends keyof DB[T] & string>(
      column: `${T}.${C}` | C,
      op: ComparisonOperatorExpression,
      value: Operand<DB[T][C]>,
    ): UpdateQueryBuilder<DB, UT, TB, O>
  }
  interface DeleteQueryBuilder<DB, TB extends keyof DB, O> {
    where<T extends TB & string, C extends keyof DB[T] & string>(
      column: `${T}.${C}` | C,
      op: ComparisonOperatorExpression,
      value: Operand<DB[T][C]>,
    ): DeleteQueryBuilder<DB, TB, O>
  }
  interface JoinBuilder<DB, TB extends keyof DB> {
    on<T extends TB & string, C extends keyof DB[T] & string>(
      column: `${T}.${C}` | C,
      op: ComparisonOperatorExpression,
      value: Operand<DB[T][C]>,
    ): JoinBuilder<DB, TB>
  }
  interface ExpressionBuilder<DB, TB extends keyof DB> {
    // biome-ignore lint/style/useShorthandFunctionType: only an interface adds to the interface of Kysely
    <T extends TB & string, C extends keyof DB[T] & string>(
      column: `${T}.${C}` | C,
      op: ComparisonOperator,
      value: Operand<DB[T][C]>,
    ): ExpressionWrapper<DB, TB, SqlBool>
  }
}

type WithTable<DB, A extends string, R> = DB & { [K in A]: R }
/** Columns allowed in the comparison; none if the alias hides another table. */
type Joint<DB, TB extends keyof DB, T extends keyof DB, A extends string> = A extends keyof DB
  ? never
  : StringReference<WithTable<DB, A, DB[T]>, TB | A>
type On<DB, TB extends keyof DB, T extends keyof DB, A extends string> = A extends keyof DB
  ? never
  : (join: JoinBuilder<WithTable<DB, A, DB[T]>, TB | A>) => JoinBuilder<WithTable<DB, A, DB[T]>, TB | A>
type Nullable<R> = { [C in keyof R]: R[C] | null }
/** Values of a comparison. With its own type parameter the compiler would compute its constraint from every column. */
type Operand<Column> = SelectType<Column> | readonly (SelectType<Column> | null)[] | null
