import { z } from 'zod'
import { type Endpoint, endpoint } from './endpoint.ts'

type ListOptions<S extends string, F extends z.ZodRawShape> = {
  /** What the list can be sorted by; a minus before it turns the order round. */
  sorts: readonly [S, ...S[]]
  defaultSort?: S | `-${S}`
  /** Schemas of the filters; each is optional. */
  filters?: F
}

/** Query every list takes: page or cursor, search from two characters, order, and the list's own filters. */
export const listQuery = <const S extends string, F extends z.ZodRawShape = Record<never, never>>({
  sorts,
  defaultSort,
  filters,
}: ListOptions<S, F>) =>
  z.strictObject({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(25),
    after: z.string().max(500).optional(),
    q: z.string().trim().min(2).max(100).optional(),
    sort: z
      .enum(sorts.flatMap((key) => [key, `-${key}` as const]) as [S | `-${S}`, ...(S | `-${S}`)[]])
      .default((defaultSort ?? sorts[0]) as never),
    ...(Object.fromEntries(
      Object.entries(filters ?? {}).map(([key, schema]) => [key, (schema as z.ZodType).optional()]),
    ) as unknown as { [K in keyof F]: z.ZodOptional<F[K]> }),
  })

/** Answer of every list: one page of rows, how many there are (exact up to 10,000), and where the next page begins. */
export const listOf = <const R extends z.ZodType>(row: R) =>
  z.object({
    data: z.array(row),
    meta: z.object({ total: z.int(), total_is_estimate: z.boolean(), next: z.string().nullable() }),
  })

const ofPaging = new Set(['page', 'per_page', 'after'])

/** Shape of a declared list's query without its paging. */
const filtersOf = (list: Endpoint): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries((list.query as z.ZodObject | undefined)?.shape ?? {}).filter(([key]) => !ofPaging.has(key)),
  )

/** What every export asks for besides the filters of its list; `columns` are keys with commas between them. */
export const exportQuery = z.strictObject({
  format: z.enum(['xlsx', 'csv', 'pdf']).default('xlsx'),
  columns: z.string().max(2000).optional(),
})

type FiltersOf<E extends Endpoint> = E extends { query: z.ZodType }
  ? Omit<z.output<E['query']>, 'page' | 'per_page' | 'after'>
  : unknown
type ExportEndpoint<E extends Endpoint> = {
  method: 'GET'
  path: `${E['path']}/export`
  access: E['access']
  summary: string
  query: z.ZodType<z.output<typeof exportQuery> & FiltersOf<E>, Record<string, unknown>>
  response: z.ZodAny
} & (E extends { params: z.ZodType } ? { params: E['params'] } : unknown)

/** The export of a declared list: same permission, same filters, every row of them, as XLSX, CSV or PDF. */
export const exportOf = <const E extends Endpoint>(list: E): ExportEndpoint<E> =>
  endpoint({
    method: 'GET',
    path: `${list.path}/export`,
    access: list.access,
    summary: `${list.summary}, as XLSX, CSV or PDF`,
    ...(list.params && { params: list.params }),
    query: z.strictObject({ ...filtersOf(list), ...exportQuery.shape }),
    response: z.any(),
  }) as unknown as ExportEndpoint<E>
