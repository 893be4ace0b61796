import { useQueryClient } from '@tanstack/react-query'
import { mergeSchools, schoolQuality } from '#domain/schools/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'

/** Refetches the lists of schools, pairs and proposals, because one change moves rows in all of them. */
export function useSchoolRefresh() {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/master/sma-nama') })
}

/** Whether the reader may merge and verify schools, or only see the lists. */
export const useMayDecide = () => useSession().may(mergeSchools.access)

export const useSchoolQuality = () => useEndpoint(schoolQuality, {}, { staleTime: 30_000 })
