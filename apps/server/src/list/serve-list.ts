import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
  type SqlBool,
  sql,
} from 'kysely'
import type { z } from 'zod'
import type { Schema } from '#domain/endpoint.ts'
import type {
  AnyList,
  FiltersOf,
  ListColumn,
  ListFilter,
  OrderOf,
  RowBeforeSending,
  RowOf,
  SumOf,
} from '#domain/list.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { type App, type Sendable, serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetColumn, SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { refuseUnknownColumns } from '#server/platform/sheets/refusals.ts'
import { type SheetFormat, sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { columnsFor, filterIn, headIn, maskerOf, maySortBy, textIn, titleIn, valueIn } from './columns.ts'
import type { Count } from './count-rows.ts'
import { type PageOf, type PageQuery, pageOf, type Sort, wholeList } from './page.ts'
import { findName, findTitle } from './row-titles.ts'

export type Reader<L extends AnyList = AnyList> = {
  services: Services
  actor: Actor
  now: Date
  language: Language
  params: L extends { params: Schema } ? z.output<L['params']> : Record<never, never>
}

/**
 * `connection` holds the cursor of a file. A query on another connection would wait for the pool, which such waiting
 * files may exhaust.
 */
type RowReader<L extends AnyList> = Omit<Reader<L>, 'services'> & { connection: Db }

type Maybe<T> = T | Promise<T>
type FilterWord = { label: string; value: string }
type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

/** A condition on a source's tables, as SQL or with Kysely's builder. */
export type Condition<DB, TB extends keyof DB> =
  | Expression<SqlBool>
  | ((eb: ExpressionBuilder<DB, TB>) => Expression<SqlBool>)

/** Columns a filter may equal: with the type of its values, or boolean for `true` and `false`. */
type ColumnOf<DB, TB extends keyof DB, V> = {
  [T in TB & string]: {
    [C in keyof DB[T] & string]: Holds<SelectType<DB[T][C]>, V> extends true ? `${T}.${C}` : never
  }[keyof DB[T] & string]
}[TB & string]
type Holds<Value, V> = [V] extends ['true' | 'false']
  ? boolean extends Value
    ? true
    : false
  : [V] extends [Value]
    ? true
    : false

/** Further conditions of a filter, besides the one for its value. */
type FilterParts<Rule, Unset> = {
  find: Rule
  /** Like `find`, but cheap to check row by row in list order, for values with very many matches. */
  test?: Rule
  /** Condition while the filter has no value. */
  unset?: Unset
}

/**
 * A filter's condition on the rows: the name of the column that equals its value, or a condition; undefined means no
 * condition. If `from` takes the reader or the filters, the compiler sees a column name before it knows the tables and
 * refuses it; such a source writes `(value) => (eb) => eb(column, '=', value)`.
 */
type FilterRule<L extends AnyList, DB, TB extends keyof DB, V> =
  | ColumnOf<DB, TB, V>
  | ValueRule<L, DB, TB, V>
  | FilterParts<ValueRule<L, DB, TB, V>, (reader: Reader<L>) => Condition<DB, TB>>
type ValueRule<L extends AnyList, DB, TB extends keyof DB, V> = (
  value: V,
  reader: Reader<L>,
  all: FiltersOf<L>,
) => Maybe<Condition<DB, TB> | undefined>

/** One rule for each filter of the list, and no others. */
export type FilterRules<L extends AnyList, DB, TB extends keyof DB> = {
  [K in keyof FiltersOf<L>]-?: FilterRule<L, DB, TB, NonNullable<FiltersOf<L>[K]>>
} & NoOther

/** The compiler refuses unknown members only if a type has at least one member. */
type NoOther = { ''?: never }

/**
 * Rows of a source that a reader may see; `everyone` means that every reader with the list's permission sees every row.
 */
type Scope<DB, TB extends keyof DB> = 'everyone' | Condition<DB, TB> | readonly Condition<DB, TB>[]

/** How a declared list is queried. */
export type ListSource<L extends AnyList, DB, TB extends keyof DB, O> = {
  /**
   * Tables, and conditions that apply to every reader, without columns and order. Takes the filters only if a table
   * needs one.
   */
  from: (reader: Reader<L>, filters: FiltersOf<L>) => Maybe<Query<DB, TB, object>>
  /** The rows the reader may see; a function may refuse the reader instead. */
  scope: 'everyone' | ((reader: Reader<L>) => Maybe<Scope<DB, TB>>)
  filters: FilterRules<L, DB, TB>
  /** Rows are always counted before they are read, whatever the filter; a few are found and sorted. */
  countsFirst?: true
  sorts: Record<OrderOf<L> | L['orders'][number], Sort>
  /** Unique column that breaks ties; a uuid unless `idType` says otherwise. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Counts and sums every row instead of estimating above 100,000. */
  exact?: true
  /** Cells of a file that differ from the row's value in the answer. */
  toCells?: (row: RowOf<L>, reader: Reader<L>) => { [K in keyof L['columns']]?: unknown }
  /** Overrides `from`, `sorts` or `id` for certain orders or filters; hands on a count of `from` that it has begun. */
  planFor?: (
    query: { from: Query<DB, TB, object>; filters: FiltersOf<L>; sort: string },
    reader: Reader<L>,
  ) => Maybe<{
    from?: Query<DB, TB, object>
    sorts?: Record<string, Sort>
    id?: RawBuilder<unknown>
    pendingCount?: Promise<Count>
  }>
  /** Label and title of the parent row named by the path, printed on the file; 404 if the reader may not see it. */
  above?: (reader: Reader<L>) => Maybe<FilterWord | undefined>
  /** Name of a filter's value that the list's declaration does not name. */
  nameOf?: (filter: string, value: string, reader: Reader<L>) => Maybe<string | undefined>
} & ([SumOf<L>] extends [never] ? unknown : { sums: Record<SumOf<L>, RawBuilder<unknown>> }) &
  (
    | (ReadRows<L, DB, TB, O> & {
        /** Converts rows as read into rows of the answer, with queries on `connection` only. */
        toRows: (found: O[], reader: RowReader<L>) => Maybe<readonly AnsweredRow<L>[]>
      })
    // Without `toRows`, rows are sent as read.
    | (ReadRows<L, DB, TB, AnsweredRow<L>> & { toRows?: undefined })
  )

type AnsweredRow<L extends AnyList> = Sendable<RowBeforeSending<L>>

type ReadRows<L extends AnyList, DB, TB extends keyof DB, O> =
  | { columns: (from: Query<DB, TB, object>, reader: Reader<L>) => Query<any, any, O> }
  /** All rows with their columns; filtered by the ids found in `from`. */
  | { rows: (reader: Reader<L>) => Query<any, any, O> }

/** Source of a list that is also read elsewhere. */
export const sourceFor = <L extends AnyList, DB, TB extends keyof DB, O>(_list: L, source: ListSource<L, DB, TB, O>) =>
  source

/** Reader of a list without parameters, outside its pages and files. */
export const readerFor = (services: Services, actor: Actor) => ({
  services,
  actor,
  now: services.clock.now(),
  language: actor.language,
  params: {},
})

/** Serves a declared list as pages with total and sums, and as a file with the reader's columns, order and filter. */
export function serveList<L extends AnyList, DB, TB extends keyof DB, O>(
  app: App,
  services: Services,
  list: L,
  source: ListSource<L, DB, TB, O>,
) {
  serve(app, list as AnyList, async (request) => {
    const { page, per_page, after, sort, ...filters } = request.query as PageQuery
    const reader = readerOf<L>(services, request)
    const selection = await selectionFor(list, source, reader, filters as FiltersOf<L>, sort)
    const { data, meta } = await pageOf(services.db, { page, per_page, after, sort }, selection)
    const rows = ((await source.toRows?.(data, { ...reader, connection: services.db })) ?? data) as object[]
    return { data: rows.map(maskerOf(list, reader.actor)), meta }
  })
  serve(app, list.file, (request, reply) => sendList(services, list, source, request, reply), { raw: true })
}

const readerOf = <L extends AnyList>(services: Services, request: FastifyRequest): Reader<L> => ({
  services,
  actor: actorOf(request),
  now: services.clock.now(),
  language: languageOfRequest(request),
  // Validated by the list's schema before the handler runs.
  params: request.params as Reader<L>['params'],
})

type Rows<DB, TB extends keyof DB> = {
  from: Query<DB, TB, object>
  /** The same rows with conditions that are cheap to check row by row, if a filter has them. */
  many: Query<DB, TB, object> | undefined
}

/** Rows of a list that match these filters and that the reader may see, without columns and order. */
export async function matchingRows<L extends AnyList, DB, TB extends keyof DB, O>(
  list: L,
  source: ListSource<L, DB, TB, O>,
  reader: Reader<L>,
  filters: FiltersOf<L>,
): Promise<Rows<DB, TB>> {
  const scope = source.scope === 'everyone' ? source.scope : await source.scope(reader)
  const visible = scope === 'everyone' ? [] : [scope].flat()
  let from = await source.from(reader, filters)
  for (const condition of visible as Condition<DB, TB>[]) from = from.where(condition)
  let many = from
  let hasTest = source.countsFirst === true
  for (const [key, rule] of Object.entries(source.filters as Record<string, FilterRule<L, DB, TB, string>>)) {
    const value = (filters as Record<string, string | null | undefined>)[key] ?? undefined
    const { find, test, unset } = partsOf(list, key, rule)
    const found = value === undefined ? unset?.(reader) : await find(value, reader, filters)
    const tested = value === undefined || !test ? found : await test(value, reader, filters)
    if (found) from = from.where(found)
    if (tested) many = many.where(tested)
    if (tested !== found) hasTest = true
  }
  return { from, many: hasTest ? many : undefined }
}

function partsOf<L extends AnyList, DB, TB extends keyof DB>(
  list: L,
  key: string,
  rule: FilterRule<L, DB, TB, string>,
): Exclude<FilterRule<L, DB, TB, string>, string | ValueRule<L, DB, TB, string>> {
  if (typeof rule === 'object') return rule
  if (typeof rule === 'function') return { find: rule }
  const { kind } = (list.filters[key] ?? {}) as { kind?: string }
  return { find: (value) => sql<boolean>`${sql.ref(rule)} = ${kind === 'yesNo' ? value === 'true' : value}` }
}

/** Query for the rows of a list that match these filters and that the reader may see. */
export async function selectionFor<L extends AnyList, DB, TB extends keyof DB, O>(
  list: L,
  source: ListSource<L, DB, TB, O>,
  reader: Reader<L>,
  filters: FiltersOf<L>,
  sort: string,
): Promise<PageOf<DB, TB, O, SumOf<L>>> {
  const { sorts, id, idType, exact, ...rowsOfSource } = source
  if (!maySortBy(list, reader.actor, sort)) throw invalid({ sort: 'invalid_input' })
  const { from, many } = await matchingRows(list, source, reader, filters)
  return {
    from,
    ...('columns' in rowsOfSource
      ? { columns: (from) => rowsOfSource.columns(from, reader) as Query<any, any, O> }
      : { rows: rowsOfSource.rows(reader) as Query<any, any, O>, ...(many && { many }) }),
    ...('sums' in rowsOfSource && { sums: rowsOfSource.sums as Record<SumOf<L>, RawBuilder<unknown>> }),
    ...(idType && { idType }),
    ...(exact && { exact }),
    seal: { secret: reader.services.config.secretKey, path: list.path },
    sorts,
    id,
    ...(await source.planFor?.({ from, filters, sort }, reader)),
  }
}

type FileQuery = { format: SheetFormat; columns?: string; sort: string }

async function sendList<L extends AnyList, DB, TB extends keyof DB, O>(
  services: Services,
  list: L,
  source: ListSource<L, DB, TB, O>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const {
    format,
    columns: columnNames,
    sort,
    ...filters
  } = request.query as FileQuery & Record<string, string | undefined>
  const reader = readerOf<L>(services, request)
  const { actor, language } = reader
  const keys = columnNames?.split(',')
  if (keys) refuseUnknownColumns(keys, Object.keys(list.columns))
  const columns = columnsFor(list, actor).filter(([key]) => keys === undefined || keys.includes(key))
  if (columns.length === 0) throw invalid({ columns: 'invalid_input' })
  const query = wholeList(sort, await selectionFor(list, source, reader, filters as FiltersOf<L>, sort))
  const mask = maskerOf(list, actor)
  const parentWord = await source.above?.(reader)
  async function* rows(): AsyncGenerator<SheetRow> {
    const answers = readRows<O & object, object>(
      services.db,
      query,
      async (found, connection) =>
        ((await source.toRows?.(found, { ...reader, connection })) ?? found) as readonly object[],
    )
    for await (const answer of answers) {
      const row = mask(answer)
      yield { ...cellsOf(row as SheetRow, columns, language), ...source.toCells?.(row as RowOf<L>, reader) }
    }
  }
  return sendExport(services, request, reply, {
    name: list.name,
    title: titleIn(list, language),
    format,
    searchUntold: list.searchUntold,
    columns: columns.map(([key, { kind = 'text', width }]): SheetColumn => {
      const label = headIn(list, key, language)
      return { key, label, kind: kind === 'yesNo' ? 'text' : kind, ...(width && { width }) }
    }),
    rows: rows(),
    filter: [...(parentWord ? [parentWord] : []), ...(await filterWords(list, source.nameOf, filters, reader))],
  })
}

const yesOrNo = (value: boolean) => (value ? 'common:yes' : 'common:no')

/** Replaces keys by names in the reader's language. */
function cellsOf(row: SheetRow, columns: readonly [string, ListColumn][], language: Language): SheetRow {
  const t = sentences(language)
  const cells: SheetRow = {}
  for (const [key, { kind, words, absent }] of columns) {
    const value = row[key]
    if (value === null || value === undefined) cells[key] = absent ? textIn(absent, language) : null
    else if (words) cells[key] = valueIn(words, value, language)
    else if (kind === 'yesNo') cells[key] = t(yesOrNo(value === true))
    else cells[key] = value
  }
  return cells
}

/** The filter as text, for the file and the register of exports. */
export async function filterWords<L extends AnyList>(
  list: L,
  nameOf: ((filter: string, value: string, reader: Reader<L>) => Maybe<string | undefined>) | undefined,
  filters: Record<string, string | undefined>,
  reader: Reader<L>,
) {
  const { services, language } = reader
  const t = sentences(language)
  const words: FilterWord[] = []
  for (const [key, value] of Object.entries(filters)) {
    if (value === undefined) continue
    const filter = list.filters[key] as ListFilter | undefined
    const name =
      filter === undefined
        ? list.searchUntold
          ? '…'
          : value
        : 'values' in filter
          ? valueIn(filter.words, value, language)
          : 'of' in filter
            ? await findTitle(services.db, getEntity(filter.of), value)
            : filter.kind === 'yesNo'
              ? t(yesOrNo(value === 'true'))
              : filter.kind === 'id'
                ? await findName(services.db, filter.table, value)
                : await nameOf?.(key, value, reader)
    words.push({ label: filterIn(list, key, language), value: name ?? value })
  }
  return words
}
