import type { RawBuilder } from 'kysely'
import type { ChartKind, FigureKind, FilterName } from '#domain/reports/report.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import type { resources } from '#locales/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'

export type Sql<T = unknown> = RawBuilder<T>

type Words = typeof resources.en.reports
export type FigureName = keyof Words['figures']
export type GroupName = keyof Words['groups']
export type ColumnName = keyof Words['columns']
export type WordList = keyof Words['words']

export type TimeUnit = 'day' | 'week' | 'month'

/**
 * A group; its key identifies a line of a report. A group of time uses each figure's own time; its keys are the first
 * days of the periods, for example `2026-11-23`.
 */
export type Group =
  | {
      key: Sql
      label: Sql<string | null>
      /** Day and time in university time, shown after the label in the format of the reader's language. */
      at?: Sql
      /** Word list of the labels, else of the keys; lines keep its order. A label without a word is a name. */
      words?: WordList
      /** Labels have an order that charts keep, such as sizes or academic years. */
      isOrdered?: true
      /** Every year has rows of its own; those of the year before count in the line of their counterpart. */
      isYearly?: true
    }
  | { time: TimeUnit }

/** Groups of time, for facts whose figures have times. */
export const timeGroups = { day: { time: 'day' }, week: { time: 'week' }, month: { time: 'month' } } as const

/** A value from another table: looked up per row for a page, joined for all rows of a long file. */
export type LookedUp = { each: Sql; joins: readonly Sql[]; joined: Sql }

/** A column of the rows behind a figure. */
export type Column = {
  value: Sql | LookedUp
  kind: 'text' | 'number' | 'decimal' | 'money' | 'date' | 'dateTime'
  words?: WordList
  /** Value for readers without the permission. */
  masked?: { unless: string; value: Column['value'] }
}

/**
 * A kind of row to count. Joins, row scope, filters, groups and columns are written once for all reports about it.
 * Every SQL text may read the row `moment`:
 * - `at` is the time of the figures, `since` the start of the period, `zone` the time zone of days
 * - `shift` is the number of days from this moment to the compared one, so that their days match
 * - `sees_unpublished` says whether the reader sees unpublished decisions
 * - `counterparts` maps, for the year before, ids of waves and sessions to those of this year
 */
export type Facts = {
  from: Sql
  /**
   * The same rows from stored facts, for figures and counts. They have no search text, and no account of an applicant.
   */
  stored?: Sql
  /** A row of `from` may be several of `stored`: their sums are equal, but rows are counted in `from`. */
  storedIsDivided?: true
  /** Stored facts divide money by fee component; they are not read while bills are divided again in another order. */
  storedByComponent?: true
  /** Whether a stored row is of an academic year, as a condition that an index answers; else `year` is compared. */
  storedOfYear?: (year: string) => Sql<boolean>
  /** The same by the ids of the year's waves, beside the comparison of `year`. */
  storedOfWaves?: (ids: readonly string[]) => Sql<boolean>
  /** Rows the reader may see, by `platform/access/row-scope.ts`. */
  scope: (actor: Actor) => Sql<boolean>
  /** Rows that any figure can count; others are left out before they are joined. */
  only?: Sql<boolean>
  /** Academic year of a row, as `2026/2027`; missing if rows belong to every year, such as a stock. */
  year?: Sql<string>
  /** The id that a filter compares with. A figure stays empty if its facts lack a chosen filter or group. */
  filters: Partial<Record<Exclude<FilterName, 'year' | 'from' | 'to'>, Sql>>
  groups: Partial<Record<GroupName, Group>>
  /** Identifies a row. */
  id: Sql
  order: Sql
  /** Indexed lower-case text by which the rows behind a figure are searched; without it there is no search. */
  search?: Sql
  columns: Partial<Record<ColumnName, Column>>
  /** Screen of a row, for readers with `access`. */
  path?: { to: Sql<string>; access: string }
}

/**
 * A figure at a moment: a row counts if `at` is in the period, or if its step was taken then and undone later. So the
 * same figure works for now, for any past day, and for the same day a year before.
 */
export type Measure = {
  facts: Facts
  /** Missing if the fact has no time, such as a capacity. */
  at?: Sql
  /** Whether the step was taken in the period and undone later. */
  undone?: Sql<boolean>
  /** When the undone step was taken, for groups of time. */
  undoneAt?: Sql
  where?: Sql<boolean>
  /** Sums this instead of counting rows. */
  sum?: Sql
  /** The value below which `share` of the rows lie: 0.5 is the median. */
  percentile?: { of: Sql; share: number; decimals?: number }
  /** A value computed from the rows' values. */
  aggregate?: { of: Sql; by: 'average' | 'deviation' | 'maximum' }
  kind?: Exclude<FigureKind, 'share'>
  /**
   * Counts what is offered, such as places, not what happened. If only such figures are above 0, a mail counts the
   * report as empty.
   */
  offered?: true
  /** The figure stays empty without this group, because it would only repeat another figure. */
  needs?: GroupName
  /** Stage under which the history of the seasons keeps this figure. */
  kept?: string
}

/**
 * Quotient of a line's figures, in rupiah if `money`. Several figures in `of` are added up. Null if the divisor is 0.
 */
export type Share = { of: FigureName | readonly FigureName[]; among: FigureName; kind?: 'money' }

export type Report = {
  slug: ReportSlug
  /**
   * `lines`: a line per group. `pivot`: two groups as rows and columns, one figure. `rows`: the rows themselves, with a
   * summary.
   */
  shape: 'lines' | 'pivot' | 'rows'
  /** Groups the reader can choose from; `by` has the default ones. */
  groups: readonly GroupName[]
  by: readonly GroupName[]
  measures: Partial<Record<FigureName, Measure>>
  /** Shares besides `ofTotal`, the first figure's share of the total. */
  shares?: Partial<Record<FigureName, Share>>
  /** The group within which `ofTotal` is computed, instead of the total. */
  shareWithin?: GroupName
  /** Running totals of figures, for lines of one group of time. */
  running?: Partial<Record<FigureName, FigureName>>
  /** Lines whose first figure is smaller are summed in one line, because their rows would identify single people. */
  smallestLine?: number
  /** How a line opens the next level: the filter its key becomes, and the next groups. */
  steps?: Partial<Record<GroupName, { filter: FilterName; by: readonly GroupName[] }>>
  /** Whether the figures can be compared with the year before; default: yes. */
  compares?: false
  filters: readonly FilterName[]
  /** Default academic year: the current one, or all. */
  year: 'current' | 'all'
  /** Columns of the rows behind a figure. */
  columns: readonly ColumnName[]
  /** For the shape `rows`: the figures whose rows are listed, starting with the default one. */
  rowsOf?: readonly [FigureName, ...FigureName[]]
  /** `target`: a figure without a time, drawn as the line that a chart over time approaches. */
  chart?: { kind: ChartKind; of: readonly FigureName[]; target?: FigureName }
}

/** Defines a report as data, without callbacks or queries. */
export const defineReport = <const R extends Report>(report: R): Report => report
