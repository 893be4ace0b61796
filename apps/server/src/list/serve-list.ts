import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
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
import { type PageOf, type PageQuery, pageOf, type Sort, wholeList } from './page.ts'
import { findName, findTitle } from './row-titles.ts'

export type Reader<L extends AnyList = AnyList> = {
  services: Services
  actor: Actor
  now: Date
  language: Language
  params: L extends { params: Schema } ? z.output<L['params']> : Record<never, never>
}

/** `connection` holds the cursor of a file: a query on another one waits for the pool, which such waiting files may empty. */
type RowReader<L extends AnyList> = Omit<Reader<L>, 'services'> & { connection: Db }

type Maybe<T> = T | Promise<T>
type FilterWord = { label: string; value: string }
type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

/** How the rows of a declared list are queried. */
export type ListSource<L extends AnyList, DB, TB extends keyof DB, O> = {
  /** Tables and conditions, without columns and order. */
  from: (reader: Reader<L>, filters: FiltersOf<L>) => Maybe<Query<DB, TB, object>>
  sorts: Record<OrderOf<L> | L['orders'][number], Sort>
  /** Unique column that settles ties; a uuid unless `idType` says otherwise. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Counts and sums every row instead of estimating above 100,000. */
  exact?: true
  /** Turns rows as read into those of the answer, with queries on `connection` only; without it they are answered as read. */
  toRows?: (found: O[], reader: RowReader<L>) => Maybe<readonly Sendable<RowBeforeSending<L>>[]>
  /** Cells of a file that differ from the value in the answered row. */
  toCells?: (row: RowOf<L>, reader: Reader<L>) => { [K in keyof L['columns']]?: unknown }
  /** Overrides `from`, `sorts` or `id` for a certain order or filter. */
  planFor?: (
    query: { from: Query<DB, TB, object>; filters: FiltersOf<L>; sort: string },
    reader: Reader<L>,
  ) => Maybe<{ from?: Query<DB, TB, object>; sorts?: Record<string, Sort>; id?: RawBuilder<unknown> }>
  /** Label and title of the parent row named by the path, printed on the file; 404 if the reader may not see it. */
  above?: (reader: Reader<L>) => Maybe<FilterWord | undefined>
  /** Name of a filter's value whose declaration has no words for it. */
  nameOf?: (filter: string, value: string, reader: Reader<L>) => Maybe<string | undefined>
} & ([SumOf<L>] extends [never] ? unknown : { sums: Record<SumOf<L>, RawBuilder<unknown>> }) &
  (
    | { columns: (from: Query<DB, TB, object>, reader: Reader<L>) => Query<any, any, O> }
    | {
        /** All rows with their columns; filtered by the ids found in `from`. */
        rows: (reader: Reader<L>) => Query<any, any, O>
        /** As `from`, with conditions that are cheap to check row by row, for filters that find very many rows. */
        many?: (reader: Reader<L>, filters: FiltersOf<L>) => Query<DB, TB, object> | undefined
      }
  )

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
  params: request.params as never,
})

/** The query for the rows of a list that match these filters and that the reader may see. */
export async function selectionFor<L extends AnyList, DB, TB extends keyof DB, O>(
  list: L,
  source: ListSource<L, DB, TB, O>,
  reader: Reader<L>,
  filters: FiltersOf<L>,
  sort: string,
): Promise<PageOf<DB, TB, O, SumOf<L>>> {
  const { sorts, id, idType, exact, ...rowsOfSource } = source
  if (!maySortBy(list, reader.actor, sort)) throw invalid({ sort: 'invalid_input' })
  const from = await source.from(reader, filters)
  const many = 'many' in rowsOfSource ? rowsOfSource.many?.(reader, filters) : undefined
  return {
    from,
    ...('columns' in rowsOfSource
      ? { columns: (from) => rowsOfSource.columns(from, reader) }
      : { rows: rowsOfSource.rows(reader), ...(many && { many }) }),
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

/** Replaces keys by words in the reader's language. */
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

/** The filter in words, for the file and the register of exports. */
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
