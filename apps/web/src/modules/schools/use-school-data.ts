import { useQueryClient } from '@tanstack/react-query'
import { schoolQuality } from '#domain/schools/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'

/** Lists of schools, pairs and proposals are read again: one change moves rows in all of them. */
export function useSchoolRefresh() {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/master/sma-nama') })
}

export const useSchoolQuality = (enabled = true) =>
  useEndpoint(schoolQuality, {}, { quiet: true, enabled, staleTime: 30_000 })
