import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReadEndpoint } from '#domain/endpoint.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import type { ListState } from './list-state.ts'
import type { RowsAnswer } from './types.ts'

type Wanted = {
  endpoint: ReadEndpoint
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  list: ListState
  endless?: boolean
}

const ask = call as (endpoint: ReadEndpoint, args: unknown, options: CallOptions) => Promise<RowsAnswer<never>>

/** Rows come before their count: they are asked for again until it is there. */
const whileCounted = ({ state }: { state: { data?: RowsAnswer<never> } }) =>
  state.data?.meta.total === null ? 1_000 : (false as const)

/** The rows a list shows: one page of them, or all pages asked for so far. */
export function useRows<Row>({ endpoint, params, query, list, endless = false }: Wanted) {
  const wanted = { ...query, ...list.query }
  const args = (more: Record<string, unknown>) => ({ ...(params && { params }), query: { ...wanted, ...more } })
  const paged = useEndpoint(
    endpoint as never,
    args({ page: list.page, per_page: list.perPage }) as never,
    { placeholderData: keepPreviousData, enabled: !endless, refetchInterval: whileCounted } as never,
  )
  const whole = useInfiniteQuery({
    queryKey: keyOf(endpoint, args({ endless })),
    queryFn: ({ pageParam, signal }) =>
      ask(endpoint, args({ per_page: 50, ...(pageParam && { after: pageParam }) }), { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whileCounted({ state: { data: state.data?.pages[0] } }),
    enabled: endless,
  })
  const answer = endless ? whole : paged
  const first = (endless ? whole.data?.pages[0] : paged.data) as RowsAnswer<Row> | undefined
  return {
    rows: (endless ? (whole.data?.pages.flatMap(({ data }) => data) ?? []) : (first?.data ?? [])) as Row[],
    meta: first?.meta,
    pending: answer.isPending,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
    more: whole.hasNextPage ? { load: () => void whole.fetchNextPage(), loading: whole.isFetchingNextPage } : undefined,
  }
}
