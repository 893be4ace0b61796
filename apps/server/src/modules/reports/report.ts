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

/** What makes one line of a report. */
export type Group = {
  key: Sql
  label: Sql<string | null>
  /** The keys are words of this list: lines stand in its order and are called by its sentences. */
  words?: WordList
}

/** A column of the rows behind a figure. */
export type Column = {
  value: Sql
  kind: 'text' | 'number' | 'money' | 'date' | 'dateTime'
  words?: WordList
  /** What readers without the permission see instead. */
  masked?: { unless: string; value: Sql }
}

/**
 * What is counted: one row is one thing. Joins, row scope, filters, groups and the columns of the rows are written once
 * for every report about the same things. Every SQL text may read the row `moment`: figures are of `moment.at`, a period
 * begins at `moment.since`, and `moment.zone` is the time zone in which days are told apart.
 */
export type Facts = {
  from: Sql
  /** Rows the reader may see, by `platform/access/row-scope.ts`. */
  scope: (actor: Actor) => Sql<boolean>
  /** Academic year of a row, as `2026/2027`. */
  year: Sql<string>
  /** The id that a filter compares with. A figure of facts without a chosen filter or group stays empty. */
  filters: Partial<Record<Exclude<FilterName, 'year' | 'from' | 'to'>, Sql>>
  groups: Partial<Record<GroupName, Group>>
  /** Identifies a row. */
  id: Sql
  order: Sql
  columns: Partial<Record<ColumnName, Column>>
  /** Screen of a row, for those who may open it. */
  path?: { to: Sql<string>; access: string }
}

/**
 * A figure. It belongs to a moment: a row is in it when `at` lies in the period asked for, or when the step stood then
 * and was taken back since. So the same figure can be asked for now, for any day, and for that day of the year before.
 */
export type Measure = {
  facts: Facts
  /** Left out where the fact has no time, such as a capacity. */
  at?: Sql
  /** Whether the step was taken in the period and undone after it. */
  undone?: Sql<boolean>
  where?: Sql<boolean>
  /** Adds this up instead of counting rows. */
  sum?: Sql
  /** The value below which `share` of the rows lie: 0.5 is the median. */
  percentile?: { of: Sql; share: number }
  kind?: Exclude<FigureKind, 'share'>
}

/** Computed from two figures of the same line; null where there is nothing to divide by. */
export type Share = { of: FigureName; among: FigureName }

export type Report = {
  slug: ReportSlug
  /** `lines`: a line per group. `pivot`: two groups as rows and columns, one figure. `rows`: the rows themselves, with a summary. */
  shape: 'lines' | 'pivot' | 'rows'
  /** Groups a reader can choose, and those chosen at first. */
  groups: readonly GroupName[]
  by: readonly GroupName[]
  measures: Partial<Record<FigureName, Measure>>
  /** Besides the share that the first figure of each line has of the total. */
  shares?: Partial<Record<FigureName, Share>>
  filters: readonly FilterName[]
  /** The academic year at first: the current one, or all. */
  year: 'current' | 'all'
  /** Columns of the rows behind a figure. */
  columns: readonly ColumnName[]
  /** Of `rows`: the figure whose rows are listed. */
  rowsOf?: FigureName
  chart?: { kind: ChartKind; of: readonly FigureName[] }
}

/** Data only: no callback, no query. */
export const defineReport = <const R extends Report>(report: R): Report => report
