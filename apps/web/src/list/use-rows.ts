import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReadEndpoint } from '#domain/endpoint.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import type { ListState } from './list-state.ts'
import { answerLocally } from './local-rows.ts'
import type { RowsAnswer } from './types.ts'

type Wanted<Row> = {
  endpoint: ReadEndpoint
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  list: ListState
  endless?: boolean
  rows?: readonly Row[]
}

const callRows = call as (endpoint: ReadEndpoint, args: unknown, options: CallOptions) => Promise<RowsAnswer<never>>

/** The server may answer before counting the rows; the list then asks again every second until it has the total. */
export const whileCounted = ({ state }: { state: { data?: unknown } }) =>
  (state.data as RowsAnswer<unknown> | undefined)?.meta.total === null ? 1_000 : (false as const)

/** Rows of the list: one page, or all pages loaded so far if `endless`; local rows need no server. */
export function useRows<Row>({ endpoint, params, query, list, endless = false, rows: localRows }: Wanted<Row>) {
  const listQuery = { ...query, ...list.query }
  const args = (extra: Record<string, unknown>) => ({ ...(params && { params }), query: { ...listQuery, ...extra } })
  const paged = useEndpoint(endpoint, args({ page: list.page, per_page: list.perPage }), {
    placeholderData: keepPreviousData,
    enabled: !endless && !localRows,
    refetchInterval: whileCounted,
  })
  const infinite = useInfiniteQuery({
    queryKey: keyOf(endpoint, args({ endless })),
    queryFn: ({ pageParam, signal }) =>
      callRows(endpoint, args({ per_page: 50, ...(pageParam && { after: pageParam }) }), { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whileCounted({ state: { data: state.data?.pages[0] } }),
    // A reader who returns finds all pages loaded before.
    gcTime: 30 * 60_000,
    enabled: endless && !localRows,
  })
  if (localRows)
    return {
      ...{ rows: [], pending: false, fetching: false, error: null, retry: () => {}, more: undefined },
      ...answerLocally(localRows, list),
    }
  const answer = endless ? infinite : paged
  const firstPage = (endless ? infinite.data?.pages[0] : paged.data) as RowsAnswer<Row> | undefined
  return {
    rows: (endless ? (infinite.data?.pages.flatMap(({ data }) => data) ?? []) : (firstPage?.data ?? [])) as Row[],
    meta: firstPage?.meta,
    pending: answer.isPending,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
    more: infinite.hasNextPage
      ? { load: () => void infinite.fetchNextPage(), loading: infinite.isFetchingNextPage }
      : undefined,
  }
}
