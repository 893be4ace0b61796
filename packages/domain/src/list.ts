import { z } from 'zod'
import type { Localized } from '#entities/define/language.ts'
import { once } from '#entities/define/once.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { type Access, endpoint, type Schema } from './endpoint.ts'
import { fileQueryShape } from './file-query.ts'
import { navigationConstants } from './navigation/constants.ts'

/** Key of a sentence, or text in both languages. */
export type Word = string | Localized

/** Names of values: `bills:billStatus` means `bills:billStatus.paid` and so on; or the names themselves. */
export type ValueWords = string | Readonly<Record<string, Localized>>

export type ListColumn = {
  /** Sen are hundredths of a rupiah, percentages are fractions; default: text. */
  kind?: 'text' | 'number' | 'money' | 'sen' | 'date' | 'dateTime' | 'percent' | 'yesNo'
  /** Heading; by default the column's key among the list's words. */
  word?: Word
  /** Names of values; a value without a name is shown unchanged. */
  words?: ValueWords
  /** Text for rows without a value. */
  absent?: Word
  /** The list can be sorted by the column. */
  sort?: true
  /** Permission required to sort by the column, because the order would reveal masked values. */
  sortRight?: string
  /** Typical number of characters, for column widths in files. */
  width?: number
  /** Show only the day of an instant. */
  dayOnly?: true
  /** Hidden until the user selects the column. */
  hidden?: true
  /** Permission required for the column to exist. */
  right?: string
  /** Masked for readers without the permission, except in their own rows; `evenOwn` masks those too. */
  masked?: { as: 'phone' | 'text'; without: string; evenOwn?: true }
}

export type ListFilter = {
  /** Name; by default the filter's key among the list's words. */
  word?: Word
  /** Shown beside the search instead of in the filter panel. */
  quick?: true
} & (
  | { values: readonly string[]; words: ValueWords }
  | { kind: 'yesNo' | 'day' }
  /** Id of a row in `table`; files and the register of exports show its name. */
  | { kind: 'id'; table: 'accounts' | 'bankAccounts' | 'roles' | 'statementImports' }
  | { kind: 'text'; most: number }
  /** Slug of the referenced entity. */
  | { of: string }
)

type Columns = Record<string, ListColumn>
type Filters = Record<string, ListFilter>

export type ListWords = {
  /** Title of the list. */
  title: Word
  /** Locale keys that hold the column headings and filter names. */
  columns?: string
  filters?: string
}

type Declared<
  P extends string,
  R extends z.ZodObject,
  C extends Columns,
  F extends Filters,
  S extends string,
  A extends z.ZodObject,
  U extends boolean,
> = {
  /** Key of saved views, remembered columns and files. */
  name: string
  /** Path below /api. */
  path: P
  access: Access
  alsoFor?: readonly string[]
  summary: string
  words: ListWords
  /** Schema of a row. */
  row: R
  /** In display order; the first column names the row. */
  columns: C
  filters?: F
  /** Sort keys besides the columns. */
  orders?: readonly string[]
  /** Default order; a leading minus sorts descending. */
  order: string
  /** Former names of orders, for saved addresses. */
  orderNames?: Record<string, string>
  /** Names of sums over all matching rows. */
  sums?: readonly S[]
  /** The list cannot be searched. */
  unsearchable?: U
  /** Files and the register of exports do not tell what was searched for: it may name somebody who is deleted later. */
  searchUntold?: true
  /** A search shorter than two characters matches everything instead of being refused. */
  ignoresShortSearch?: true
  /** Path parameters. */
  params?: A
}

type ValueOf<F> = F extends { values: readonly (infer V extends string)[] }
  ? V
  : F extends { kind: 'yesNo' }
    ? 'true' | 'false'
    : string
type Paging = { page: number; per_page: number; after?: string | undefined; sort: string }
type Search<U extends boolean> = U extends true ? unknown : { q?: string | undefined }
type FilterQuery<F> = { -readonly [K in keyof F]?: ValueOf<F[K]> | undefined }
type Page<Row, S extends string> = {
  data: Row[]
  meta: { total: number | null; total_is_estimate: boolean; sums: Record<S, number> | null; next: string | null }
}

type Common<A extends z.ZodObject> = {
  method: 'GET'
  access: Access
  alsoFor?: readonly string[]
  summary: string
} & ([keyof A['shape']] extends [never] ? unknown : { params: A })

/** A declared list: read endpoint, file endpoint, columns and filters. */
export type List<
  P extends string = string,
  R extends Schema = Schema,
  C extends Columns = Columns,
  F extends Filters = Filters,
  S extends string = string,
  A extends z.ZodObject = z.ZodObject<Record<never, never>>,
  U extends boolean = boolean,
> = Common<A> & {
  path: P
  query: z.ZodType<Paging & Search<U> & FilterQuery<F>, Partial<Paging> & Search<U> & FilterQuery<F>>
  response: Schema<Page<z.output<R>, S>, Page<z.input<R>, S>>
  name: string
  words: ListWords
  columns: C
  filters: F
  orders: readonly string[]
  order: string
  sums: readonly S[]
  unsearchable: U
  searchUntold: boolean
  /** File endpoint: all matching rows as XLSX, CSV or PDF, with the chosen columns. */
  file: Common<A> & {
    path: `${P}/export`
    query: z.ZodType<FileQuery & Search<U> & { sort: string } & FilterQuery<F>, Record<string, unknown>>
    response: z.ZodAny
  }
}

// A list of unknown type: its parts are `any`.
export type AnyList = List<string, any, any, any, any>
export type RowOf<L extends AnyList> = L['response'] extends Schema<{ data: (infer R)[] }> ? R : never
/** A row as the server returns it, with times as Dates. */
export type RowBeforeSending<L extends AnyList> =
  L['response'] extends Schema<unknown, { data: (infer R)[] }> ? R : never
export type FiltersOf<L extends AnyList> = Omit<z.output<L['query']>, 'page' | 'per_page' | 'after' | 'sort'>
export type SumOf<L extends AnyList> = L['sums'][number]
export type OrderOf<L extends AnyList> = {
  [K in keyof L['columns']]: L['columns'][K] extends { sort: true } ? K : never
}[keyof L['columns']] &
  string

/** `audit:` and `staff:column` are both followed by a key. */
const keyIn = (place: string, key: string) => `${place}${place.includes(':') ? '.' : ':'}${key}`

/** Heading of a column. */
export const columnWord = ({ columns, words }: AnyList, key: string): Word =>
  (columns as Columns)[key]?.word ?? keyIn(words.columns ?? '', key)

/** Name of a filter. */
export const filterWord = ({ filters, words }: AnyList, key: string): Word =>
  (filters as Filters)[key]?.word ?? keyIn(words.filters ?? '', key)

type FileQuery = { format: 'xlsx' | 'csv' | 'pdf'; columns?: string | undefined }

/** Exact totals up to this number of rows; larger ones may be estimates. */
export const mostCountedRows = 100_000

/** Default number of rows per page. */
export const defaultPageSize = 25

/** Page or cursor, with a limited page size. */
const paging = () => ({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(defaultPageSize),
  after: z.string().max(500).optional(),
})

function schemaOf(filter: ListFilter): z.ZodType {
  if ('values' in filter) return z.enum(filter.values as [string, ...string[]])
  if ('of' in filter || filter.kind === 'id') return z.uuid()
  if (filter.kind === 'text') return typedText().max(filter.most)
  return filter.kind === 'day' ? typedDay : z.enum(['true', 'false'])
}

const search = () => typedLine().max(100)
const lenientSearch = () =>
  search()
    .transform((q) => (q.length < navigationConstants.searchMinimumLength ? undefined : q))
    .optional()

/** Search, order and filters, common to the page and the file of a list. */
function queryShape(
  orders: readonly string[],
  {
    order,
    orderNames = {},
    filters = {},
    unsearchable,
    ignoresShortSearch,
  }: Declared<string, any, any, any, any, any, boolean>,
) {
  const ordersWithDirection = z.enum(orders.flatMap((key) => [key, `-${key}`]))
  const renamedOrders = z.preprocess((value) => orderNames[String(value)] ?? value, ordersWithDirection)
  return {
    ...(!unsearchable && {
      q: ignoresShortSearch ? lenientSearch() : search().min(navigationConstants.searchMinimumLength).optional(),
    }),
    sort: (Object.keys(orderNames).length > 0 ? renamedOrders : ordersWithDirection).default(order),
    ...Object.fromEntries(
      Object.entries(filters as Filters).map(([key, filter]) => [key, schemaOf(filter).optional()]),
    ),
  }
}

/**
 * One page of rows. For large tables the total is an estimate; null means counting has not finished and the caller
 * should ask again.
 */
const pageOf = (row: z.ZodType, sums: readonly string[]) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      total: z.int().nullable(),
      total_is_estimate: z.boolean(),
      ...(sums.length > 0 && { sums: z.object(Object.fromEntries(sums.map((name) => [name, z.int()]))).nullable() }),
      next: z.string().nullable(),
    }),
  })

/** Declares a list for server and web: endpoints, page, columns, filters, saved views, and XLSX, CSV and PDF files. */
export function defineList<
  const P extends string,
  R extends z.ZodObject,
  const C extends { [K in keyof z.output<R>]?: ListColumn },
  const F extends Filters = Record<never, never>,
  const S extends string = never,
  A extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const U extends boolean = false,
>(declaration: Declared<P, R, C & Columns, F, S, A, U>): List<P, R, C & Columns, F, S, A, U> {
  const { name, path, access, alsoFor, words, columns, filters, order, sums = [] } = declaration
  const { unsearchable = false, searchUntold = false } = declaration
  const orders = [
    ...Object.entries<ListColumn>(columns).flatMap(([key, { sort }]) => (sort ? [key] : [])),
    ...(declaration.orders ?? []),
  ]
  const sharedParts = { method: 'GET', access, ...(alsoFor && { alsoFor }) } as const
  const params = declaration.params && { params: declaration.params }
  const pageQuery = once(() => z.strictObject({ ...paging(), ...queryShape(orders, declaration) }))
  const page = once(() => pageOf(declaration.row, sums))
  const fileQuery = once(() => z.strictObject({ ...queryShape(orders, declaration), ...fileQueryShape() }))
  const list = endpoint({
    ...sharedParts,
    ...params,
    path,
    summary: declaration.summary,
    get query() {
      return pageQuery()
    },
    get response() {
      return page()
    },
  })
  const file = endpoint({
    ...sharedParts,
    ...params,
    path: `${path}/export`,
    summary: `${declaration.summary}, as XLSX, CSV or PDF`,
    get query() {
      return fileQuery()
    },
    response: z.any(),
  })
  const parts = { name, words, columns, filters: filters ?? {}, orders, order, sums, unsearchable, searchUntold }
  // Not spread: that would make the schemas of all lists at the start, two thirds of which are not read in a day.
  return Object.assign(list, { file, ...parts }) as unknown as List<P, R, C & Columns, F, S, A, U>
}
