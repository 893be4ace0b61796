import { z } from 'zod'
import { type Endpoint, endpoint } from './endpoint.ts'

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
