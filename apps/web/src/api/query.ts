import { type Query, QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Answer, CallArguments, Endpoint, ReadEndpoint } from '#domain/endpoint.ts'
import { ApiError, type CallOptions, call } from './client.ts'
import { forgetFailure, reportFailure } from './failures.ts'
import { isQuiet, type QuietRead } from './quiet-reads.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    queryMeta: {
      /** Name under which `quietReads` lists the failures that open no dialog. */
      quietAs?: QuietRead | undefined
    }
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      if (isQuiet(query.meta?.quietAs, error) || (error instanceof ApiError && error.code === 'unauthenticated')) return
      // The page that asked was left.
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
    // The reader decides about trying again; silent repetition only hides an outage and adds to it.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    // Sent now or refused now: a write that waited for the network would happen later, on another page.
    mutations: { retry: false, networkMode: 'always' },
  },
})

// A failed read that no page wants any more leaves the dialog.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerRemoved' && query.getObserversCount() === 0) forgetFailure(query.queryHash)
})

/** Key of one reading; `keyOf(endpoint)` alone matches all readings of that endpoint, for invalidation. */
export const keyOf = (endpoint: Pick<Endpoint, 'path'>, args?: unknown): unknown[] =>
  args === undefined ? [endpoint.path] : [endpoint.path, args]

type Repeated<E extends ReadEndpoint> = number | ((query: Query<Answer<E>>) => number | false)

type Options<E extends ReadEndpoint> = Omit<
  UseQueryOptions<Answer<E>>,
  'queryKey' | 'queryFn' | 'meta' | 'refetchInterval'
> & {
  quietAs?: QuietRead
  /** Milliseconds after which it is read again; after a failure the reader's "Try again!" comes first. */
  refetchInterval?: Repeated<E>
}
type Rest<E extends ReadEndpoint> =
  Record<never, never> extends CallArguments<E>
    ? [args?: CallArguments<E>, options?: Options<E>]
    : [args: CallArguments<E>, options?: Options<E>]

/** Reads an endpoint; a failure opens the dialog with the server's sentence and "Try again!". */
export function useEndpoint<const E extends ReadEndpoint>(endpoint: E, ...[args, options]: Rest<E>) {
  const { quietAs, refetchInterval = 0, ...rest } = options ?? {}
  const pauseOf = (query: Query<Answer<E>>) =>
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
    refetchInterval: pauseOf,
    ...rest,
  })
}
