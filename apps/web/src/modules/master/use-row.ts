import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'

/** Reads one row; with `fresh`, never from the cache, so that an edit starts from the saved values. */
export function useRow(entity: Entity, id: string | undefined, options: { fresh?: boolean } = {}) {
  const answer = useEndpoint(
    endpointsOf(entity).read,
    { params: { id: id ?? '' } },
    {
      enabled: !!id,
      refetchOnWindowFocus: false,
      ...(options.fresh && { staleTime: 0, gcTime: 0 }),
    },
  )
  return {
    row: answer.data?.data as unknown as Row | undefined,
    error: answer.error,
    retry: answer.refetch,
    loading: answer.isPending && !!id,
  }
}
