import type { ReadEndpoint } from '#domain/endpoint.ts'
import type { AnyList } from '#domain/list.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { RowsAnswer } from './types.ts'
import { whileCounted } from './use-rows.ts'

/** Number of a list's rows that match a query, estimated for very many; null until the server has counted. */
export function useTotal(list: AnyList, query: Record<string, unknown>): number | null {
  const { data } = useEndpoint<ReadEndpoint>(
    list,
    { query: { ...query, per_page: 10 } },
    { refetchInterval: whileCounted },
  )
  return (data as RowsAnswer<never> | undefined)?.meta.total ?? null
}
