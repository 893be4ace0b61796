import { type Query, QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Answer, CallArguments, Endpoint, ReadEndpoint } from '#domain/endpoint.ts'
import { ApiError, type CallOptions, call, isNotFound } from './client.ts'
import { forgetFailure, reportFailure } from './failures.ts'
import { isQuiet, type QuietRead } from './quiet-reads.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    queryMeta: {
      /** Entry of `quietReads` whose failures open no dialog. */
      quietAs?: QuietRead | undefined
    }
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // A retry would not find the record either; the page says that it does not exist.
      if (isNotFound(error)) return
      if (isQuiet(query.meta?.quietAs, error) || (error instanceof ApiError && error.code === 'unauthenticated')) return
      // The page that read this has been left.
      if (query.getObserversCount() === 0) return
      reportFailure({
        id: query.queryHash,
        message: error.message,
        retry: () => void query.fetch().catch(() => {}),
      })
    },
    onSuccess: (_, query) => forgetFailure(query.queryHash),
  }),
  defaultOptions: {
    // The user decides about a retry; silent retries hide an outage and add load.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    // Without network a write fails at once; sent later, it would surprise the user on another page.
    mutations: { retry: false, networkMode: 'always' },
  },
})

// Removes a failed read from the dialog once no page shows it.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerRemoved' && query.getObserversCount() === 0) forgetFailure(query.queryHash)
})

/** Query key of a read. `keyOf(endpoint)` alone matches all reads of the endpoint, for invalidation. */
export const keyOf = (endpoint: Pick<Endpoint, 'path'>, args?: unknown): unknown[] =>
  args === undefined ? [endpoint.path] : [endpoint.path, args]

type Interval<E extends ReadEndpoint> = number | ((query: Query<Answer<E>>) => number | false)

type Options<E extends ReadEndpoint> = Omit<
  UseQueryOptions<Answer<E>>,
  'queryKey' | 'queryFn' | 'meta' | 'refetchInterval'
> & {
  quietAs?: QuietRead
  /** Milliseconds between reads; stops after a failure until the user retries. */
  refetchInterval?: Interval<E>
}
type Rest<E extends ReadEndpoint> =
  Record<never, never> extends CallArguments<E>
    ? [args?: CallArguments<E>, options?: Options<E>]
    : [args: CallArguments<E>, options?: Options<E>]

/** Reads an endpoint. A failure other than 404 opens the dialog with the server's sentence and "Try again!". */
export function useEndpoint<const E extends ReadEndpoint>(endpoint: E, ...[args, options]: Rest<E>) {
  const { quietAs, refetchInterval = 0, ...rest } = options ?? {}
  const intervalOf = (query: Query<Answer<E>>) =>
    (query.state.status === 'error' && quietAs === undefined) || refetchInterval === 0
      ? false
      : typeof refetchInterval === 'number'
        ? refetchInterval
        : refetchInterval(query)
  return useQuery<Answer<E>>({
    queryKey: keyOf(endpoint, args ?? {}),
    queryFn: ({ signal }) =>
      (call as (endpoint: ReadEndpoint, args: unknown, options: CallOptions) => Promise<Answer<E>>)(
        endpoint,
        args ?? {},
        {
          signal,
        },
      ),
    meta: { quietAs },
    refetchInterval: intervalOf,
    ...rest,
  })
}
