import { useSearchParams } from 'react-router'
import type { Language } from '#entities/define/language.ts'

const keys = ['linkId', 'schoolId', 'language', 'version', 'from', 'to'] as const
export type ResultFilterKey = (typeof keys)[number]
type Filter = { [K in ResultFilterKey]?: string }

/** Filter of the results, kept in the URL so that a shared link applies the same filter. */
export function useResultFilter() {
  const [search, setSearch] = useSearchParams()
  const filter: Filter = Object.fromEntries(
    keys.flatMap((key) => {
      const value = search.get(key)
      return value ? [[key, value]] : []
    }),
  )
  const change = (changed: { [K in ResultFilterKey]?: string | null }) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries(changed)) value ? next.set(key, value) : next.delete(key)
        return next
      },
      { replace: true },
    )
  return {
    filter,
    query: filter as Filter & { language?: Language },
    change,
    clear: () => change(Object.fromEntries(keys.map((key) => [key, null]))),
    isSet: Object.keys(filter).length > 0,
  }
}
