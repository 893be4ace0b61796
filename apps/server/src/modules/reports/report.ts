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
 * A group: its key identifies a line of a report. A group of time takes each figure's own time; its keys are the first
 * days of the periods, `2026-11-23`.
 */
export type Group =
  | {
      key: Sql
      label: Sql<string | null>
      /** Day and time of the university that follow the label, in the format of the reader's language. */
      at?: Sql
      /** Word list of the labels, else of the keys, whose order lines keep. A label without a word is a name. */
      words?: WordList
      /** Labels are in an order that says something, such as sizes or academic years: charts keep it. */
      isOrdered?: true
      /** Every year has rows of its own: those of the year before count in the line of their counterpart. */
      isYearly?: true
    }
  | { time: TimeUnit }

/** Groups of time, for facts whose figures have times. */
export const timeGroups = { day: { time: 'day' }, week: { time: 'week' }, month: { time: 'month' } } as const

/** A value from another table: looked up for each row of a page, joined for all rows of a long file. */
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
 * Every SQL text may read the row `moment`: figures are of `moment.at`, a period starts at `moment.since`, and
 * `moment.zone` is the time zone of days. `moment.shift` is the number of days between a moment and the one it is
 * compared with, so that their days meet. `moment.sees_unpublished` says whether the reader sees decisions before their
 * publication. `moment.counterparts` has, at the moment of the year before, the waves and sessions of this year by the ids
 * of those they are compared with.
 */
export type Facts = {
  from: Sql
  /** Rows the reader may see, by `platform/access/row-scope.ts`. */
  scope: (actor: Actor) => Sql<boolean>
  /** Rows that some figure can count; the others are left out before they cost joins. */
  only?: Sql<boolean>
  /** Academic year of a row, as `2026/2027`; missing if rows serve every year, such as a stock. */
  year?: Sql<string>
  /** The id that a filter compares with. A figure of facts without a chosen filter or group stays empty. */
  filters: Partial<Record<Exclude<FilterName, 'year' | 'from' | 'to'>, Sql>>
  groups: Partial<Record<GroupName, Group>>
  /** Identifies a row. */
  id: Sql
  order: Sql
  /** Lower-case text with an index that the list behind a figure is searched by; without it there is no search. */
  search?: Sql
  columns: Partial<Record<ColumnName, Column>>
  /** Screen of a row, for readers with `access`. */
  path?: { to: Sql<string>; access: string }
}

/**
 * A figure at a moment: a row counts if `at` is in the period, or if the step was taken then and undone later. So the
 * same figure works for now, for any past day, and for the same day a year before.
 */
export type Measure = {
  facts: Facts
  /** Missing if the fact has no time, such as a capacity. */
  at?: Sql
  /** Whether the step was taken in the period and undone after it. */
  undone?: Sql<boolean>
  /** When the undone step was taken, for groups of time. */
  undoneAt?: Sql
  where?: Sql<boolean>
  /** Adds this up instead of counting rows. */
  sum?: Sql
  /** The value below which `share` of the rows lie: 0.5 is the median. */
  percentile?: { of: Sql; share: number }
  /** A value computed from the values of the rows. */
  aggregate?: { of: Sql; by: 'average' | 'deviation' | 'maximum' }
  kind?: Exclude<FigureKind, 'share'>
  /** Counts what is offered, such as places, and not what happened: alone it makes no report worth a mail. */
  offered?: true
  /** A group without which the figure stays empty: it would only repeat another one. */
  needs?: GroupName
  /** Stage under which the history of the seasons keeps the same figure. */
  kept?: string
}

/** Quotient of figures of a line, in rupiah if `money`; several in `of` are added up. Null if the divisor is 0. */
export type Share = { of: FigureName | readonly FigureName[]; among: FigureName; kind?: 'money' }

export type Report = {
  slug: ReportSlug
  /** `lines`: a line per group. `pivot`: two groups as rows and columns, one figure. `rows`: the rows themselves, with a summary. */
  shape: 'lines' | 'pivot' | 'rows'
  /** Groups a reader can choose; `by` has the default ones. */
  groups: readonly GroupName[]
  by: readonly GroupName[]
  measures: Partial<Record<FigureName, Measure>>
  /** Shares besides `ofTotal`, the share of the first figure in the total. */
  shares?: Partial<Record<FigureName, Share>>
  /** The group within whose lines `ofTotal` is computed instead of the total. */
  shareWithin?: GroupName
  /** Running totals of figures, for lines of one group of time. */
  running?: Partial<Record<FigureName, FigureName>>
  /** Lines whose first figure is smaller are put together, as their rows would tell about single people. */
  smallestLine?: number
  /** From a line to the lines below it: the filter that its key becomes, and the groups that come next. */
  steps?: Partial<Record<GroupName, { filter: FilterName; by: readonly GroupName[] }>>
  /** Whether the year before can stand beside the figures; default: yes. */
  compares?: false
  filters: readonly FilterName[]
  /** Default academic year: the current one, or all. */
  year: 'current' | 'all'
  /** Columns of the rows behind a figure. */
  columns: readonly ColumnName[]
  /** Of `rows`: the figures whose rows are listed, the first one at first. */
  rowsOf?: readonly FigureName[]
  /** `target`: a figure without a time, drawn as the line that a chart over time approaches. */
  chart?: { kind: ChartKind; of: readonly FigureName[]; target?: FigureName }
}

/** Defines a report as data: no callback, no query. */
export const defineReport = <const R extends Report>(report: R): Report => report
