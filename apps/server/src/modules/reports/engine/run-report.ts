import { sql } from 'kysely'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { canReadKept, keptMeasures } from '#server/modules/reports/facts/kept-facts.ts'
import type {
  Column,
  Facts,
  FigureName,
  Group,
  GroupName,
  Measure,
  Report,
  Sql,
  TimeUnit,
} from '#server/modules/reports/report.ts'
import type { KeptUntil } from '#server/modules/seasons/season-rows.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { type Db, searchPattern } from '#server/platform/database/database.ts'
import { withMoreMemory } from '#server/platform/database/more-memory.ts'
import { type Counterparts, withTime } from './counterparts.ts'

/** Time of the figures, start of the counted period, and academic year; null counts every year. */
export type Moment = {
  year: string | null
  since: Date | null
  at: Date
  /** Replaces the filtered wave; null if the year has no wave at its place. */
  waveId?: string | null
  /** Only for the moment of the year before. */
  counterparts?: Counterparts | null
}

/**
 * The moment of the year before, aligned by season or by calendar. `kept` says how far the history reaches; without it,
 * the figures are counted.
 */
export type Before = Moment & { by: 'season' | 'calendar'; daysMoved: number; kept?: KeptUntil | null }

export type Question = Moment & {
  zone: string
  by: readonly GroupName[]
  filters: Facts['filters'] extends Partial<Record<infer N, Sql>> ? Partial<Record<N & string, string>> : never
  before: Before | null
  /** Whether bills wait to be divided by fee component in another order; see the table `redivisions`. */
  redivides?: boolean
  /** The figure of a pivot; other shapes have all figures. */
  figure?: FigureName
}

const dayMs = 86_400_000

const allOf = (conditions: Sql<boolean>[]) =>
  conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` AND `)})` : sql<boolean>`true`

const anyOf = (conditions: Sql<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` OR `)})`

/** Whether a row counts in a figure at the moment. The cell, its total and its rows share this predicate. */
function isCounted(measure: Measure): Sql<boolean> {
  const { at, undone, where } = measure
  const inPeriod = sql<boolean>`${at} <= moment.at AND ${at} >= moment.since`
  return allOf([
    ...(at ? [undone ? sql<boolean>`(${inPeriod} OR ${undone})` : inPeriod] : []),
    ...(where ? [where] : []),
    ...(rowValue(measure) ? [sql<boolean>`${rowValue(measure)} IS NOT NULL`] : []),
    // The list behind a sum shows only rows that contribute to it.
    ...(measure.sum ? [sql<boolean>`${measure.sum} <> 0`] : []),
  ])
}

/** The value from which a percentile or other aggregate is computed. */
const rowValue = ({ percentile, aggregate }: Measure) => (percentile ?? aggregate)?.of

/** Whether a figure has no value in a line without rows; others are 0 there. */
const isOfRows = (measure: Measure) => rowValue(measure) !== undefined

/** Whether the figure of a total is the highest of its lines. */
const isHighest = ({ aggregate }: Measure) => aggregate?.by === 'maximum'

/** Whether the figure of a total must be computed from rows, because it does not follow from the lines. */
const isFromRows = (measure: Measure) => isOfRows(measure) && !isHighest(measure)

/** First day of the period in which a row counts, as text. */
const periodOf = (unit: TimeUnit, { at, undoneAt }: Measure) =>
  sql`date_trunc(${sql.lit(unit)}, (${undoneAt ? sql`coalesce(${at}, ${undoneAt})` : at} AT TIME ZONE moment.zone)
    + moment.shift * interval '1 day')::date::text`

/** A group that these facts have; figures without the chosen groups stay empty and are not read. */
function groupOf({ groups }: Facts, name: GroupName): Group {
  const group = groups[name]
  if (!group) throw new Error(`The facts have no group ${name}`)
  return group
}

function keyOf(group: Group, measure: Measure) {
  if ('time' in group) return periodOf(group.time, measure)
  return group.isYearly ? sql`coalesce((${counterpartOf(group.key)} ->> 'id')::uuid, ${group.key})` : group.key
}

const counterpartOf = (key: Sql) => sql`moment.counterparts -> ${key}::text`

/** Label of a group, followed by its time as `2026-11-23T08:00`. */
function labelOf(group: Group) {
  if ('time' in group) return sql`NULL::text`
  const label = group.at ? withTime(group.label, group.at) : group.label
  return group.isYearly ? sql`coalesce(${counterpartOf(group.key)} ->> 'label', ${label})` : label
}

/** Where figures and counts read; an applicant's own rows have an account, which stored facts do not. */
const counted = ({ from, stored, storedByComponent }: Facts, actor: Actor, { redivides }: Question) =>
  isApplicant(actor) || (storedByComponent && redivides) ? from : (stored ?? from)

/** Ids of the waves of each academic year. */
type WavesByYear = ReadonlyMap<string, readonly string[]>

async function readWaves(db: Db): Promise<WavesByYear> {
  const { rows } = await sql<{ year: string; ids: string[] }>`
    SELECT academic_year AS year, array_agg(id) AS ids FROM waves GROUP BY academic_year`.execute(db)
  return new Map(rows.map(({ year, ids }) => [year, ids]))
}

/**
 * Rows of facts for a question: of the year, within the filters and the reader's scope. With the ids of `waves`
 * PostgreSQL knows how many stored rows a year has, and reads no other.
 */
function rowsOf(
  facts: Facts,
  from: Sql,
  actor: Actor,
  { zone, filters, at: now }: Question,
  moment: Moment,
  waves?: WavesByYear,
) {
  const { year, since, at, waveId, counterparts } = moment
  const shift = Math.round((now.getTime() - at.getTime()) / dayMs)
  const chosen = Object.entries(filters) as [keyof Facts['filters'], string][]
  return sql`(SELECT ${at}::timestamptz AS at, ${since ?? '-infinity'}::timestamptz AS since, ${zone}::text AS zone, ${shift}::int AS shift,
      ${year}::text AS year, ${seesUnpublished(actor)}::boolean AS sees_unpublished,
      ${counterparts ? JSON.stringify(counterparts) : null}::jsonb AS counterparts) moment
    CROSS JOIN ${from}
    WHERE ${allOf([
      facts.scope(actor),
      ...(facts.only ? [facts.only] : []),
      ...(year === null || !facts.year
        ? []
        : [
            from === facts.stored && facts.storedOfYear
              ? facts.storedOfYear(year)
              : sql<boolean>`${facts.year} = ${year}`,
            ...(waves && from === facts.stored && facts.storedOfWaves
              ? [facts.storedOfWaves(waves.get(year) ?? [])]
              : []),
          ]),
      ...chosen.map(([name, id]) =>
        name === 'waveId' && waveId !== undefined
          ? sql<boolean>`${facts.filters[name]} = ${waveId}::uuid`
          : sql<boolean>`${facts.filters[name]} = ${id}::uuid`,
      ),
    ])}`
}

/** Whether a figure's facts have every group and filter of a question. */
const canAnswer = ({ facts, at, needs }: Measure, { by, filters }: Question) =>
  (!needs || by.includes(needs)) &&
  by.every((name) => facts.groups[name] && (at || !('time' in facts.groups[name]))) &&
  Object.keys(filters).every((name) => name in facts.filters)

/** Whether the group's lines are periods of time. */
export const isTimeGroup = (report: Report, name: GroupName) =>
  figuresOf(report).some(([, { facts }]) => facts.groups[name] && 'time' in facts.groups[name])

/** Whether each year has lines of its own, which have counterparts in the year before. */
export const isYearlyGroup = (report: Report, name: GroupName) =>
  figuresOf(report).some(([, { facts }]) => {
    const group = facts.groups[name]
    return group !== undefined && 'isYearly' in group
  })

export const figuresOf = ({ measures }: Report) =>
  Object.entries(measures) as [[FigureName, Measure], ...[FigureName, Measure][]]

type Found = { before: boolean; keys: (string | null)[]; labels: (string | null)[]; summed: boolean[] } & Record<
  `f${number}`,
  number | null
>
type RequestedFigure = { name: FigureName; measure: Measure; column: `f${number}` }

/**
 * Computes lines, totals and the year before in one statement. PostgreSQL sums rows once by key, by hash and in
 * parallel; totals come from the few lines. Percentiles, means and deviations cannot be summed, so their totals come from
 * the rows. A pivot also has totals of its rows and columns.
 */
export async function runReport(db: Db, report: Report, actor: Actor, question: Question): Promise<ReportLine[]> {
  const requestedFigures = figuresOf(report)
    .filter(([name, measure]) => name === (question.figure ?? name) && canAnswer(measure, question))
    .map(([name, measure], index): RequestedFigure => ({ name, measure, column: `f${index}` }))
  const moments = question.before ? [question, question.before] : [question]
  const waves = await readWaves(db)
  const parts = moments.flatMap((moment) => {
    const figures = moment === question ? requestedFigures : figuresBefore(report, actor, question, requestedFigures)
    return [...new Set(figures.map(({ measure }) => measure.facts))].flatMap((facts) => {
      const rows = rowsOf(facts, counted(facts, actor, question), actor, question, moment, waves)
      const before = moment === question ? sql`false` : sql`true`
      return [false, true].flatMap((fromRows) => {
        const ownFigures = figures.filter(({ measure }) => measure.facts === facts && isFromRows(measure) === fromRows)
        if (ownFigures.length === 0) return []
        const lines = fromRows ? rankedLines : addedLines
        const hasPeriods = question.by.some((name) => isTimeGroup(report, name))
        // With periods, figures count together only if they have the same time.
        const parts = hasPeriods ? [...Map.groupBy(ownFigures, ({ measure }) => measure.at).values()] : [ownFigures]
        return parts.map((own) => {
          const isAnyCounted = anyOf(own.map(({ measure }) => isCounted(measure)))
          // Read only counted rows: rows are sorted for percentiles, and only counted rows have a period.
          const readRows = fromRows || hasPeriods ? sql`${rows} AND ${isAnyCounted}` : rows
          return lines({ report, question, asked: figures, rows: readRows, before, facts, own })
        })
      })
    })
  })
  if (parts.length === 0) return []
  const { rows } = await withMoreMemory(db, (tx) => sql<Found>`${sql.join(parts, sql` UNION ALL `)}`.execute(tx))
  return joinLines(report, question, requestedFigures, rows)
}

/** Figures of the year before: read from the history of the seasons as far as it has them, else counted. */
function figuresBefore(report: Report, actor: Actor, question: Question, figures: readonly RequestedFigure[]) {
  const { before, by, filters, zone } = question
  if (before?.kept === undefined || !canReadKept(actor, question)) return figures
  const readKept = keptMeasures(report, before.kept, { at: before.at, by, filters, zone })
  return readKept ? figures.map((figure) => ({ ...figure, measure: readKept(figure) })) : figures
}

type Part = {
  report: Report
  question: Question
  asked: readonly RequestedFigure[]
  /** Figures of these facts with this kind of aggregation. */
  own: readonly RequestedFigure[]
  rows: Sql
  before: Sql
  facts: Facts
}

/** Outer query of every part, for lines and totals. All parts have the same columns. */
function grouped(
  { report, question: { by }, asked: requestedFigures, own: ownFigures, before }: Part,
  value: (figure: RequestedFigure) => Sql,
  from: Sql,
) {
  const keys = by.map((_, index) => sql.ref(`k${index}`))
  const sets = [keys, ...(report.shape === 'pivot' ? keys.map((key) => [key]) : []), []]
  return sql`SELECT ${before} AS before, ARRAY[${sql.join(keys.map((key) => sql`${key}::text`))}] AS keys,
      ARRAY[${sql.join(by.map((_, index) => sql`min(${sql.ref(`l${index}`)})`))}]::text[] AS labels,
      ARRAY[${sql.join(keys.map((key) => sql`GROUPING(${key}) = 1`))}] AS summed,
      ${sql.join(requestedFigures.map((figure) => sql`${ownFigures.includes(figure) ? value(figure) : sql`NULL`}::float8 AS ${sql.ref(figure.column)}`))}
    FROM (${from}) lines GROUP BY GROUPING SETS (${sql.join(sets.map((set) => (set.length > 0 ? sql`(${sql.join(set)})` : sql`()`)))})`
}

/** Selects key and label of each group, and each figure's value to sum: 1 for a counted row. */
function selectValues({ question: { by }, own: ownFigures, rows, facts }: Part, value: (measure: Measure) => Sql) {
  const groups = by.map((name) => groupOf(facts, name))
  return sql`SELECT ${sql.join([
    ...groups.map((group, index) => sql`${keyOf(group, ownFigures[0]!.measure)} AS ${sql.ref(`k${index}`)}`),
    ...groups.map((group, index) => sql`${labelOf(group)} AS ${sql.ref(`l${index}`)}`),
    ...ownFigures.map(
      ({ measure, column }) => sql`CASE WHEN ${isCounted(measure)} THEN ${value(measure)} END AS ${sql.ref(column)}`,
    ),
  ])} FROM ${rows}`
}

function addedLines(part: Part): Sql {
  const { by } = part.question
  const keys = by.map((_, index) => sql.ref(`k${index}`))
  // A line without counted rows would reveal a decision that the reader must not see.
  const countedOnly = part.facts.only ? sql`HAVING num_nonnulls(${sql.join(part.own.map(addedUp))}) > 0` : sql``
  const lines = sql`SELECT ${sql.join([
    ...keys,
    ...by.map((_, index) => sql`min(${sql.ref(`l${index}`)}) AS ${sql.ref(`l${index}`)}`),
    ...part.own.map((figure) => sql`${addedUp(figure)} AS ${sql.ref(figure.column)}`),
  ])} FROM (${selectValues(part, (measure) => rowValue(measure) ?? measure.sum ?? sql`1`)}) counted GROUP BY ${sql.join(keys)} ${countedOnly}`
  return grouped(
    part,
    (figure) => (isHighest(figure.measure) ? addedUp(figure) : sql`coalesce(${addedUp(figure)}, 0)`),
    lines,
  )
}

/** The sum of a column, or its highest value. */
const addedUp = ({ measure, column }: RequestedFigure) =>
  sql`${isHighest(measure) ? sql`max` : sql`sum`}(${sql.ref(column)})`

const rankedLines = (part: Part): Sql =>
  grouped(
    part,
    ({ measure, column }) => aggregateOf(measure, sql.ref(column)),
    selectValues(part, (measure) => rowValue(measure)!),
  )

function aggregateOf({ percentile, aggregate }: Measure, value: Sql): Sql {
  if (percentile) {
    const { share, decimals } = percentile
    const between = sql`percentile_cont(${share}) WITHIN GROUP (ORDER BY ${value})`
    // The mean of two rounded values has a decimal more than they have.
    return decimals === undefined ? between : sql`round((${between})::numeric, ${decimals}::int)::float8`
  }
  return sql`${aggregate!.by === 'average' ? sql`avg` : sql`stddev_pop`}(${value})`
}

const partOf = (part: number | null | undefined, whole: number | null | undefined) =>
  whole ? (part ?? 0) / whole : null

/** Computes the shares that a report defines, for both years. */
export function fillShares(report: Report, { values, before }: ReportLine) {
  for (const figures of before ? [values, before] : [values])
    for (const [name, { of, among }] of Object.entries(report.shares ?? {})) {
      const parts = [of].flat().map((part) => figures[part])
      // A sum without one of its parts would be a smaller figure under the same name.
      const isWhole = parts.every((part) => part !== null && part !== undefined)
      figures[name] = isWhole ? partOf(sum(parts), figures[among]) : null
    }
}

const sum = (parts: readonly (number | null | undefined)[]) =>
  parts.reduce<number>((total, part) => total + (part ?? 0), 0)

/** Merges parts into a line for each set of keys. */
function joinLines(
  report: Report,
  { by, before }: Question,
  requestedFigures: readonly RequestedFigure[],
  rows: Found[],
): ReportLine[] {
  const figureNames = new Set(requestedFigures.map(({ name }) => name))
  const [[first]] = figuresOf(report)
  const empty = () =>
    Object.fromEntries(
      figuresOf(report).map(([name, measure]) => [name, figureNames.has(name) && !isOfRows(measure) ? 0 : null]),
    )
  const lines = new Map<string, ReportLine>()
  for (const row of rows) {
    const groupsOfLine = by.flatMap((name, index) => (row.summed[index] ? [] : [{ name, index }]))
    const keys = Object.fromEntries(groupsOfLine.map(({ name, index }) => [name, row.keys[index] ?? null]))
    const id = JSON.stringify(keys)
    const line = lines.get(id) ?? { keys, labels: {}, values: empty(), before: before ? empty() : null }
    for (const { name, index } of groupsOfLine) if (row.labels[index]) line.labels[name] = row.labels[index]
    for (const { name, column } of requestedFigures) {
      const value = row[column]
      const part = row.before ? line.before : line.values
      if (part && value !== null && value !== undefined) part[name] = value
    }
    lines.set(id, line)
  }
  for (const line of lines.values()) fillShares(report, line)
  const total = lines.get('{}')
  if (total && report.shape !== 'pivot') {
    const within = report.shareWithin && by.includes(report.shareWithin) ? report.shareWithin : undefined
    const whole = new Map<string | null | undefined, number>()
    if (within)
      for (const { keys, values } of lines.values())
        if (within in keys) whole.set(keys[within], (whole.get(keys[within]) ?? 0) + (values[first] ?? 0))
    for (const line of lines.values())
      line.values.ofTotal = partOf(
        line.values[first],
        within && within in line.keys ? whole.get(line.keys[within]) : total.values[first],
      )
  }
  return [...lines.values()]
}

/** A figure of a line. `upTo` adds the lines before it; `any` matches several keys of one group. */
export type Cell = {
  figure: FigureName
  keys: Record<string, string | null>
  upTo?: boolean
  any?: { group: GroupName; keys: readonly (string | null)[] }
}

const joinsOf = (value: Column['value']) => ('joins' in value ? value.joins : [])

/**
 * Builds the query of the rows behind a figure. It uses the figure's own predicate, so their number equals the figure.
 */
export function rowsBehind(
  report: Report,
  actor: Actor,
  question: Question,
  { figure, keys, upTo, any }: Cell,
  { search, sort, moment = question }: { search?: string | undefined; sort?: string | undefined; moment?: Moment } = {},
) {
  const measure = report.measures[figure]!
  const { facts } = measure
  const columns = report.columns.flatMap((name) => (facts.columns[name] ? [{ name, ...facts.columns[name] }] : []))
  const path = facts.path && actor.permissions.has(facts.path.access) ? facts.path.to : sql`NULL::text`
  const conditions = [
    isCounted(measure),
    ...Object.entries(keys)
      .filter(([name]) => name !== any?.group)
      .map(([name, key]) => {
        const own = sql`(${keyOf(groupOf(facts, name as GroupName), measure)})::text`
        return upTo ? sql<boolean>`${own} <= ${key}` : sql<boolean>`${own} IS NOT DISTINCT FROM ${key}`
      }),
    ...(any
      ? [
          sql<boolean>`(${keyOf(groupOf(facts, any.group), measure)})::text = ANY (${any.keys.filter((key) => key !== null)}::text[])`,
        ]
      : []),
  ]
  if (search && facts.search) conditions.push(sql<boolean>`${facts.search} LIKE ${searchPattern(search)}`)
  const fromOf = (from: Sql) => sql`FROM ${rowsOf(facts, from, actor, question, moment)} AND ${allOf(conditions)}`
  // A search compares a text that stored facts do not have; divided ones have more rows than the list.
  const isCountedInTables = (search && facts.search) || facts.storedIsDivided
  const countedFrom = isCountedInTables ? facts.from : counted(facts, actor, question)
  const shownOf = ({ value, masked }: Column) =>
    masked && !actor.permissions.has(masked.unless) ? masked.value : value
  const joins = new Set(columns.flatMap((column) => joinsOf(shownOf(column))))
  const sorted = columns.find(({ name }) => name === sort?.replace('-', ''))
  const rowsBy = (part: 'each' | 'joined') => {
    const value = (column: Column) => {
      const source = shownOf(column)
      return 'joins' in source ? source[part] : source
    }
    const from = part === 'joined' ? sql.join([facts.from, ...joins], sql` `) : facts.from
    const order = sorted
      ? sql`${value(sorted)} ${sort!.startsWith('-') ? sql`DESC` : sql`ASC`} NULLS LAST, ${facts.order}`
      : facts.order
    return sql`SELECT concat_ws(':', ${facts.id}) AS id, ${path} AS path, ${sql.join(
      columns.map((column, index) => sql`${value(column)} AS ${sql.ref(`c${index}`)}`),
    )} ${fromOf(from)} ORDER BY ${order}, ${facts.id}`
  }
  return {
    searchable: facts.search !== undefined,
    columns,
    /** For a page: values of other tables are looked up for its rows, unless the order needs them for all rows. */
    rows: rowsBy(sorted && joinsOf(shownOf(sorted)).length > 0 ? 'joined' : 'each'),
    /** For a long file: the same rows, with values of other tables joined. */
    allRows: rowsBy('joined'),
    hasMoreThan: (many: number) =>
      sql<{ more: boolean }>`SELECT EXISTS (SELECT 1 ${fromOf(countedFrom)} OFFSET ${many}) AS more`,
    count: sql<{ total: number; sum: number | null }>`
      SELECT count(*)::int AS total, ${measure.sum ? sql`coalesce(sum(${measure.sum}), 0)` : sql`NULL`}::float8 AS sum ${fromOf(countedFrom)}`,
  }
}
