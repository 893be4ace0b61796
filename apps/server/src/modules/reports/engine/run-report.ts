import { sql } from 'kysely'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { Facts, FigureName, GroupName, Measure, Report, Sql } from '#server/modules/reports/report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A moment that figures are of, the beginning of the period they count, and the academic year; null counts every year. */
export type Moment = { year: string | null; since: Date | null; at: Date }

export type Question = Moment & {
  zone: string
  by: readonly GroupName[]
  filters: Facts['filters'] extends Partial<Record<infer N, Sql>> ? Partial<Record<N & string, string>> : never
  before: Moment | null
  /** The only figure of a pivot. */
  figure?: FigureName
}

const all = (conditions: Sql<boolean>[]) =>
  conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` AND `)})` : sql<boolean>`true`

/** Whether a row is in a figure at the moment: the one predicate behind the cell, its total and its rows. */
function counted({ at, undone, where, percentile }: Measure): Sql<boolean> {
  const inPeriod = sql<boolean>`${at} <= moment.at AND ${at} >= moment.since`
  return all([
    ...(at ? [undone ? sql<boolean>`(${inPeriod} OR ${undone})` : inPeriod] : []),
    ...(where ? [where] : []),
    ...(percentile ? [sql<boolean>`${percentile.of} IS NOT NULL`] : []),
  ])
}

/** The rows of facts that belong to a question: of the year, within the filters, and such as the reader may see. */
function rowsOf(facts: Facts, actor: Actor, { zone, filters }: Question, { year, since, at }: Moment) {
  const chosen = Object.entries(filters) as [keyof Facts['filters'], string][]
  return sql`(SELECT ${at}::timestamptz AS at, ${since ?? '-infinity'}::timestamptz AS since, ${zone}::text AS zone) moment
    CROSS JOIN ${facts.from}
    WHERE ${all([
      facts.scope(actor),
      ...(year === null ? [] : [sql<boolean>`${facts.year} = ${year}`]),
      ...chosen.map(([name, id]) => sql<boolean>`${facts.filters[name]} = ${id}::uuid`),
    ])}`
}

/** Whether facts know every group and filter of a question. */
const answers = (facts: Facts, { by, filters }: Question) =>
  by.every((name) => facts.groups[name]) && Object.keys(filters).every((name) => name in facts.filters)

export const figuresOf = ({ measures }: Report) => Object.entries(measures) as [FigureName, Measure][]

type Found = { before: boolean; keys: (string | null)[]; labels: (string | null)[]; summed: boolean[] } & Record<
  `f${number}`,
  number | null
>
type Asked = { name: FigureName; measure: Measure; column: `f${number}` }

/**
 * Lines, totals and the year before, in one statement however many there are. Rows are added up once by key, which
 * PostgreSQL does by hash and in parallel, and totals are made of the few lines; percentiles are no sums, so theirs are
 * taken from the rows. A pivot has totals of its rows and columns as well.
 */
export async function runReport(db: Db, report: Report, actor: Actor, question: Question): Promise<ReportLine[]> {
  const asked = figuresOf(report)
    .filter(([name, { facts }]) => name === (question.figure ?? name) && answers(facts, question))
    .map(([name, measure], index): Asked => ({ name, measure, column: `f${index}` }))
  const moments = question.before ? [question, question.before] : [question]
  const parts = [...new Set(asked.map(({ measure }) => measure.facts))].flatMap((facts) =>
    moments.flatMap((moment) => {
      const rows = rowsOf(facts, actor, question, moment)
      const before = moment === question ? sql`false` : sql`true`
      return [false, true].flatMap((ranked) => {
        const own = asked.filter(({ measure }) => measure.facts === facts && Boolean(measure.percentile) === ranked)
        if (own.length === 0) return []
        return [(ranked ? rankedLines : addedLines)({ report, question, asked, own, rows, before, facts })]
      })
    }),
  )
  if (parts.length === 0) return []
  const { rows } = await sql<Found>`${sql.join(parts, sql` UNION ALL `)}`.execute(db)
  return joinLines(report, question, asked, rows)
}

type Part = {
  report: Report
  question: Question
  asked: readonly Asked[]
  /** The figures of these facts that are made this way. */
  own: readonly Asked[]
  rows: Sql
  before: Sql
  facts: Facts
}

/** The end of every part: the same columns whatever it counts, for lines and all totals. */
function grouped({ report, question: { by }, asked, own, before }: Part, value: (figure: Asked) => Sql, from: Sql) {
  const keys = by.map((_, index) => sql.ref(`k${index}`))
  const sets = [keys, ...(report.shape === 'pivot' ? keys.map((key) => [key]) : []), []]
  return sql`SELECT ${before} AS before, ARRAY[${sql.join(keys.map((key) => sql`${key}::text`))}] AS keys,
      ARRAY[${sql.join(by.map((_, index) => sql`min(${sql.ref(`l${index}`)})`))}]::text[] AS labels,
      ARRAY[${sql.join(keys.map((key) => sql`GROUPING(${key}) = 1`))}] AS summed,
      ${sql.join(asked.map((figure) => sql`${own.includes(figure) ? value(figure) : sql`NULL`}::float8 AS ${sql.ref(figure.column)}`))}
    FROM (${from}) lines GROUP BY GROUPING SETS (${sql.join(sets.map((set) => (set.length > 0 ? sql`(${sql.join(set)})` : sql`()`)))})`
}

/** Key and label of each group, with the values that each figure adds up: 1 for a row that counts. */
function valued({ question: { by }, own, rows, facts }: Part, value: (measure: Measure) => Sql) {
  const groups = by.map((name) => facts.groups[name]!)
  return sql`SELECT ${sql.join([
    ...groups.map(({ key }, index) => sql`${key} AS ${sql.ref(`k${index}`)}`),
    ...groups.map(({ label }, index) => sql`${label} AS ${sql.ref(`l${index}`)}`),
    ...own.map(
      ({ measure, column }) => sql`CASE WHEN ${counted(measure)} THEN ${value(measure)} END AS ${sql.ref(column)}`,
    ),
  ])} FROM ${rows}`
}

function addedLines(part: Part): Sql {
  const { by } = part.question
  const keys = by.map((_, index) => sql.ref(`k${index}`))
  const lines = sql`SELECT ${sql.join([
    ...keys,
    ...by.map((_, index) => sql`min(${sql.ref(`l${index}`)}) AS ${sql.ref(`l${index}`)}`),
    ...part.own.map(({ column }) => sql`sum(${sql.ref(column)}) AS ${sql.ref(column)}`),
  ])} FROM (${valued(part, ({ sum }) => sum ?? sql`1`)}) counted GROUP BY ${sql.join(keys)}`
  return grouped(part, ({ column }) => sql`coalesce(sum(${sql.ref(column)}), 0)`, lines)
}

const rankedLines = (part: Part): Sql =>
  grouped(
    part,
    ({ measure, column }) =>
      sql`percentile_cont(${measure.percentile!.share}) WITHIN GROUP (ORDER BY ${sql.ref(column)})`,
    valued(part, ({ percentile }) => percentile!.of),
  )

const partOf = (part: number | null | undefined, whole: number | null | undefined) =>
  whole ? (part ?? 0) / whole : null

/** One line for each set of keys, from the parts that know something of it. */
function joinLines(report: Report, { by, before }: Question, asked: readonly Asked[], rows: Found[]): ReportLine[] {
  const known = new Set(asked.map(({ name }) => name))
  const [first] = figuresOf(report)[0]!
  const empty = () =>
    Object.fromEntries(
      figuresOf(report).map(([name, { percentile }]) => [name, known.has(name) && !percentile ? 0 : null]),
    )
  const lines = new Map<string, ReportLine>()
  for (const row of rows) {
    const kept = by.flatMap((name, index) => (row.summed[index] ? [] : [{ name, index }]))
    const keys = Object.fromEntries(kept.map(({ name, index }) => [name, row.keys[index] ?? null]))
    const id = JSON.stringify(keys)
    const line = lines.get(id) ?? { keys, labels: {}, values: empty(), before: before ? empty() : null }
    for (const { name, index } of kept) if (row.labels[index]) line.labels[name] = row.labels[index]
    for (const { name, column } of asked) {
      const value = row[column]
      if (value !== null && value !== undefined) (row.before ? line.before! : line.values)[name] = value
    }
    lines.set(id, line)
  }
  for (const { values, before: past } of lines.values())
    for (const of of past ? [values, past] : [values])
      for (const [name, share] of Object.entries(report.shares ?? {})) of[name] = partOf(of[share.of], of[share.among])
  const total = lines.get('{}')
  if (total && report.shape !== 'pivot')
    for (const line of lines.values()) line.values.ofTotal = partOf(line.values[first], total.values[first])
  return [...lines.values()]
}

export type Cell = { figure: FigureName; keys: Record<string, string | null> }

/** The query of the rows behind one figure of one line: as many as the figure says, since the predicate is the same. */
export function rowsBehind(report: Report, actor: Actor, question: Question, { figure, keys }: Cell) {
  const measure = report.measures[figure]!
  const { facts } = measure
  const columns = report.columns.flatMap((name) => (facts.columns[name] ? [{ name, ...facts.columns[name] }] : []))
  const path = facts.path && actor.permissions.has(facts.path.access) ? facts.path.to : sql`NULL::text`
  const conditions = [
    counted(measure),
    ...Object.entries(keys).map(
      ([name, key]) => sql<boolean>`(${facts.groups[name as GroupName]!.key})::text IS NOT DISTINCT FROM ${key}`,
    ),
  ]
  const from = sql`FROM ${rowsOf(facts, actor, question, question)} AND ${all(conditions)}`
  return {
    columns,
    rows: sql`SELECT concat_ws(':', ${facts.id}) AS id, ${path} AS path, ${sql.join(
      columns.map(
        ({ value, masked }, index) =>
          sql`${masked && !actor.permissions.has(masked.unless) ? masked.value : value} AS ${sql.ref(`c${index}`)}`,
      ),
    )} ${from} ORDER BY ${facts.order}, ${facts.id}`,
    count: sql<{ total: number; sum: number | null }>`
      SELECT count(*)::int AS total, ${measure.sum ? sql`coalesce(sum(${measure.sum}), 0)` : sql`NULL`}::float8 AS sum ${from}`,
  }
}
