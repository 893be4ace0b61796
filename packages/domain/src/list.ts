import { z } from 'zod'
import type { Localized } from '#entities/define/field.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { type Access, endpoint } from './endpoint.ts'

/** A sentence by its key, or written out in both languages. */
export type Word = string | Localized

/** What values are called: `bills:billStatus` for `bills:billStatus.paid`, or their names themselves. */
export type ValueWords = string | Readonly<Record<string, Localized>>

export type ListColumn = {
  /** Sen are hundredths of a rupiah, a percentage is a fraction; text unless told. */
  kind?: 'text' | 'number' | 'money' | 'sen' | 'date' | 'dateTime' | 'percent' | 'yesNo'
  /** Its head; the key among the list's words unless told. */
  word?: Word
  /** What its values are called; a value without a name is shown as it is. */
  words?: ValueWords
  /** Said where a row has no value. */
  absent?: Word
  /** The list can be sorted by it. */
  sort?: true
  /** Characters its text usually takes, for files. */
  width?: number
  /** On screen a moment is shown without its time of day. */
  dayOnly?: true
  /** Not shown until somebody chooses it. */
  hidden?: true
  /** Permission without which there is no such column. */
  right?: string
  /** Cut short for readers without a permission; what is one's own is not, unless told. */
  masked?: { as: 'phone' | 'text'; without: string; evenOwn?: true }
}

export type ListFilter = {
  /** The key among the list's words unless told. */
  word?: Word
  /** Stands beside the search instead of in the panel of filters. */
  quick?: true
} & (
  | { values: readonly string[]; words: ValueWords }
  | { kind: 'yesNo' | 'day' | 'id' }
  | { kind: 'text'; most: number }
  /** Slug of the entity it names a row of. */
  | { of: string }
)

type Columns = Record<string, ListColumn>
type Filters = Record<string, ListFilter>

export type ListWords = {
  /** Of the list itself. */
  title: Word
  /** Where the heads of columns and the names of filters are found by their keys. */
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
> = {
  /** Its saved views, remembered columns and files are kept under this name. */
  name: string
  /** Path below /api. */
  path: P
  access: Access
  alsoFor?: readonly string[]
  summary: string
  words: ListWords
  /** One row of the answer. */
  row: R
  /** In the order they are shown in; the first one names the row. */
  columns: C
  filters?: F
  /** Orders besides those of its columns. */
  orders?: readonly string[]
  /** The order it opens with; a minus turns one round. */
  order: string
  /** Other names of orders, which addresses may still hold. */
  orderNames?: Record<string, string>
  /** What is added up over all rows that match, by name. */
  sums?: readonly S[]
  /** The list cannot be searched. */
  unsearchable?: true
  /** A search of one letter finds everything instead of being refused. */
  ignoresShortSearch?: true
  /** Parameters of the path. */
  params?: A
}

type ValueOf<F> = F extends { values: readonly (infer V extends string)[] }
  ? V
  : F extends { kind: 'yesNo' }
    ? 'true' | 'false'
    : string
type Paging = { page: number; per_page: number; after?: string | undefined; q?: string | undefined; sort: string }
type Asked<F> = { -readonly [K in keyof F]?: ValueOf<F[K]> | undefined }
type Page<R extends z.ZodType, S extends string> = z.ZodObject<{
  data: z.ZodArray<R>
  meta: z.ZodObject<{
    total: z.ZodNullable<z.ZodNumber>
    total_is_estimate: z.ZodBoolean
    sums: z.ZodNullable<z.ZodObject<Record<S, z.ZodNumber>>>
    next: z.ZodNullable<z.ZodString>
  }>
}>

type Common<A extends z.ZodObject> = {
  method: 'GET'
  access: Access
  alsoFor?: readonly string[]
  summary: string
} & ([keyof A['shape']] extends [never] ? unknown : { params: A })

/** A declared list is the call that reads it, together with all that is known of it. */
export type List<
  P extends string = string,
  R extends z.ZodType = z.ZodType,
  C extends Columns = Columns,
  F extends Filters = Filters,
  S extends string = string,
  A extends z.ZodObject = z.ZodObject<Record<never, never>>,
> = Common<A> & {
  path: P
  query: z.ZodType<Paging & Asked<F>, Partial<Paging> & Asked<F>>
  response: Page<R, S>
  name: string
  words: ListWords
  columns: C
  filters: F
  orders: readonly string[]
  order: string
  sums: readonly S[]
  unsearchable: boolean
  /** Every row of the filter as XLSX, CSV or PDF, with the columns asked for. */
  file: Common<A> & {
    path: `${P}/export`
    query: z.ZodType<FileAsked & { q?: string | undefined; sort: string } & Asked<F>, Record<string, unknown>>
    response: z.ZodAny
  }
}

// Of a list the caller knows nothing of, what cannot be read from it is anything.
export type AnyList = List<string, any, any, any, any>
export type RowOf<L extends AnyList> = L['response'] extends z.ZodType<{ data: (infer R)[] }> ? R : never
export type FiltersOf<L extends AnyList> = Omit<z.output<L['query']>, 'page' | 'per_page' | 'after' | 'sort'>
export type SumOf<L extends AnyList> = L['sums'][number]
export type OrderOf<L extends AnyList> = {
  [K in keyof L['columns']]: L['columns'][K] extends { sort: true } ? K : never
}[keyof L['columns']] &
  string

/** `audit:` and `staff:column` are both followed by a key. */
const keyIn = (place: string, key: string) => `${place}${place.includes(':') ? '.' : ':'}${key}`

/** What the head of a column says. */
export const columnWord = ({ columns, words }: AnyList, key: string): Word =>
  (columns as Columns)[key]?.word ?? keyIn(words.columns ?? '', key)

/** What a filter is called. */
export const filterWord = ({ filters, words }: AnyList, key: string): Word =>
  (filters as Filters)[key]?.word ?? keyIn(words.filters ?? '', key)

type FileAsked = { format: 'xlsx' | 'csv' | 'pdf'; columns?: string | undefined }

/** What every file is asked with besides filters; `columns` are keys with commas between them. */
export const fileAsked = () => ({
  format: z.enum(['xlsx', 'csv', 'pdf']).default('xlsx'),
  columns: z.string().max(2000).optional(),
})

/** Page or cursor; the size of a page is limited. */
const paging = () => ({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(25),
  after: z.string().max(500).optional(),
})

function schemaOf(filter: ListFilter): z.ZodType {
  if ('values' in filter) return z.enum(filter.values as [string, ...string[]])
  if ('of' in filter || filter.kind === 'id') return z.uuid()
  if (filter.kind === 'text') return z.string().trim().max(filter.most)
  return filter.kind === 'day' ? typedDay : z.enum(['true', 'false'])
}

const leastSearched = 2
const search = () => z.string().trim().max(100)
const lenientSearch = () =>
  search()
    .transform((q) => (q.length < leastSearched ? undefined : q))
    .optional()

/** Search, order and filters, which the page and the file of a list have in common. */
function asked(
  orders: readonly string[],
  { order, orderNames = {}, filters = {}, unsearchable, ignoresShortSearch }: Declared<string, any, any, any, any, any>,
) {
  const either = z.enum(orders.flatMap((key) => [key, `-${key}`]))
  const named = z.preprocess((typed) => orderNames[String(typed)] ?? typed, either)
  return {
    ...(!unsearchable && { q: ignoresShortSearch ? lenientSearch() : search().min(leastSearched).optional() }),
    sort: (Object.keys(orderNames).length > 0 ? named : either).default(order),
    ...Object.fromEntries(
      Object.entries(filters as Filters).map(([key, filter]) => [key, schemaOf(filter).optional()]),
    ),
  }
}

/** One page of rows. Of very many rows the total is an estimate; `null` says that they are still being counted: ask again. */
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

/**
 * Declares a list once for both sides: from it come the call, its file, the page with its columns, filters and saved
 * views, and what is written into XLSX, CSV and PDF.
 */
export function defineList<
  const P extends string,
  R extends z.ZodObject,
  const C extends { [K in keyof z.output<R>]?: ListColumn },
  const F extends Filters = Record<never, never>,
  const S extends string = never,
  A extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(declared: Declared<P, R, C & Columns, F, S, A>): List<P, R, C & Columns, F, S, A> {
  const { name, path, access, alsoFor, words, columns, filters, order, sums = [], unsearchable = false } = declared
  const orders = [...Object.keys(columns).filter((key) => (columns as Columns)[key]!.sort), ...(declared.orders ?? [])]
  const common = { method: 'GET', access, ...(alsoFor && { alsoFor }) } as const
  const params = declared.params && { params: declared.params }
  return {
    ...endpoint({
      ...common,
      ...params,
      path,
      summary: declared.summary,
      query: z.strictObject({ ...paging(), ...asked(orders, declared) }),
      response: pageOf(declared.row, sums),
    }),
    file: endpoint({
      ...common,
      ...params,
      path: `${path}/export`,
      summary: `${declared.summary}, as XLSX, CSV or PDF`,
      query: z.strictObject({ ...asked(orders, declared), ...fileAsked() }),
      response: z.any(),
    }),
    ...{ name, words, columns, filters: filters ?? {}, orders, order, sums, unsearchable },
  } as unknown as List<P, R, C & Columns, F, S, A>
}
