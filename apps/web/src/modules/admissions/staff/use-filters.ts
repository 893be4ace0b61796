import { useSearchParams } from 'react-router'
import { registrationSorts } from '#domain/admissions/endpoints.ts'

export const filterKeys = ['waveId', 'trackId', 'programmeId', 'status', 'result', 'documents'] as const
export type FilterKey = (typeof filterKeys)[number]

/** Search, filters and order of the list, kept in the address so that it can be sent to a colleague. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(filterKeys.map((key) => [key, params.get(key)])) as Record<
    FilterKey,
    string | null
  >
  const asked = params.get('sort')
  const sort = registrationSorts.find((known) => known === asked) ?? 'newest'
  const set = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [key, value] of Object.entries(changes)) {
          if (value) after.set(key, value)
          else after.delete(key)
        }
        return after
      },
      { replace: true },
    )
  return {
    filters,
    q: params.get('q') ?? '',
    sort,
    set,
    clear: () => set(Object.fromEntries([...filterKeys, 'q'].map((key) => [key, null]))),
    /** As the API wants it. */
    query: Object.fromEntries(
      [
        ...Object.entries(filters),
        ['q', (params.get('q') ?? '').length >= 2 ? params.get('q') : null],
        ['sort', sort],
      ].filter(([, value]) => value),
    ) as Record<string, string>,
  }
}
