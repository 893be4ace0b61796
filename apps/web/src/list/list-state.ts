import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { navigationConstants } from '#domain/navigation/constants.ts'
import type { Column } from './types.ts'

export const pageSizes = [10, 25, 50, 100]
/** What an address need not say. */
const usual: Record<string, string> = { page: '1', per_page: '25' }
const ofTheList = ['q', 'sort', 'per_page']

type Options = { filters: readonly { key: string }[]; defaultSort: string; prefix: string }

/** What an address says about the list: wrong words in it are as good as none. */
export function readAddress(params: URLSearchParams, { filters, defaultSort, prefix }: Options) {
  const get = (name: string) => params.get(prefix + name) ?? ''
  const keys = filters.map(({ key }) => key)
  const chosen: Record<string, string> = Object.fromEntries(
    keys.map((key) => [key, get(key)] as const).filter(([, value]) => value !== ''),
  )
  const q = get('q')
  const sort = get('sort') || defaultSort
  return {
    q,
    sort,
    page: Math.max(1, Math.floor(Number(get('page'))) || 1),
    perPage: pageSizes.find((size) => size === Number(get('per_page'))) ?? 25,
    filters: chosen,
    narrowed: q !== '' || Object.keys(chosen).length > 0,
    /** As the server is asked, without the page. */
    query: {
      ...(q.length >= navigationConstants.searchMinimumLength && { q }),
      ...(sort && { sort }),
      ...chosen,
    } as Record<string, string>,
    /** What is worth keeping under a name: all but the page. */
    kept: new URLSearchParams(
      [...ofTheList, ...keys].flatMap((key) => {
        const value = get(key)
        return value ? [[key, value]] : []
      }),
    ).toString(),
  }
}

/** The address after a change; whatever changes, the list begins at its first page again. */
export function changedAddress(before: URLSearchParams, prefix: string, changes: Record<string, string | null>) {
  const next = new URLSearchParams(before)
  for (const [name, value] of Object.entries({ page: null, ...changes })) {
    if (value === null || value === '' || value === usual[name]) next.delete(prefix + name)
    else next.set(prefix + name, value)
  }
  return next
}

/** Changes that show what was kept under a name, and nothing else. */
export function showing(query: string, keys: readonly string[]) {
  const wanted = new URLSearchParams(query)
  return Object.fromEntries([...ofTheList, ...keys].map((key) => [key, wanted.get(key)]))
}

/** Search, filters, order and page of a list, kept in the address so that it can be sent, saved and returned to. */
export function useListState(options: Options) {
  const [params, setParams] = useSearchParams()
  const keys = options.filters.map(({ key }) => key)
  const set = (changes: Record<string, string | null>) =>
    setParams((before) => changedAddress(before, options.prefix, changes), {
      replace: true,
      preventScrollReset: true,
    })
  return {
    ...readAddress(params, options),
    set,
    clear: () => set({ q: null, ...Object.fromEntries(keys.map((key) => [key, null])) }),
    show: (query: string) => set(showing(query, keys)),
  }
}

export type ListState = ReturnType<typeof useListState>

/** Columns in their own order: the chosen ones, and always the first, which names the row. */
export const shownColumns = <C extends { key: string }>(columns: readonly C[], chosen: readonly string[]) =>
  columns.filter(({ key }, index) => index === 0 || chosen.includes(key))

/** The orders the server knows for a column: upwards, and downwards where it can. */
export const ordersOf = ({ key, sort }: Pick<Column<never>, 'key' | 'sort'>): readonly (string | undefined)[] =>
  sort === true ? [key, `-${key}`] : sort || []

/** Columns a reader chose for this list, remembered on the device. */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const place = `columns:${name}`
  const usualOnes = columns.filter(({ hidden }) => !hidden).map((column) => column.key)
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    try {
      return (JSON.parse(localStorage.getItem(place) ?? 'null') as string[] | null) ?? usualOnes
    } catch {
      return usualOnes
    }
  })
  const shown = shownColumns(columns, chosen)
  const choose = (keys: readonly string[]) => {
    setChosen(keys)
    localStorage.setItem(place, JSON.stringify(keys))
  }
  return {
    all: columns,
    shown,
    keys: shown.map((column) => column.key),
    choose,
    reset: () => choose(usualOnes),
  }
}

export type Columns<Row> = ReturnType<typeof useColumns<Row>>
