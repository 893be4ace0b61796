import { QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Answer, CallArguments, Endpoint, ReadEndpoint } from '#domain/endpoint.ts'
import { ApiError, type CallOptions, call } from './client.ts'
import { forgetFailure, reportFailure } from './failures.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    queryMeta: {
      /** The page tells about a failure itself (or nobody needs to know): no dialog. */
      quiet?: boolean
    }
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      if (query.meta?.quiet || (error instanceof ApiError && error.code === 'unauthenticated')) return
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

/** Key of one reading; `keyOf(endpoint)` alone matches all readings of that endpoint, for invalidation. */
export const keyOf = (endpoint: Pick<Endpoint, 'path'>, args?: unknown): unknown[] =>
  args === undefined ? [endpoint.path] : [endpoint.path, args]

type Options<E extends ReadEndpoint> = Omit<UseQueryOptions<Answer<E>>, 'queryKey' | 'queryFn' | 'meta'> & {
  /** Show no dialog when it fails. */
  quiet?: boolean
}
type Rest<E extends ReadEndpoint> =
  Record<never, never> extends CallArguments<E>
    ? [args?: CallArguments<E>, options?: Options<E>]
    : [args: CallArguments<E>, options?: Options<E>]

/** Reads an endpoint; a failure opens the dialog with the server's sentence and "Try again!". */
export function useEndpoint<const E extends ReadEndpoint>(endpoint: E, ...[args, options]: Rest<E>) {
  const { quiet, ...rest } = options ?? {}
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
    meta: { quiet: quiet ?? false },
    ...rest,
  })
}
