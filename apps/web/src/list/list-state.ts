import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { defaultPageSize } from '#domain/list.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import type { Column } from './types.ts'

export const pageSizes = [10, 25, 50, 100]
/** Values omitted from the address. */
const defaults: Record<string, string> = { page: '1', per_page: String(defaultPageSize) }
const ofTheList = ['q', 'sort', 'per_page']

type Options = { filters: readonly { key: string }[]; defaultSort: string; prefix: string }

/** Reads the list state from the address, ignoring invalid values. */
export function readAddress(params: URLSearchParams, { filters, defaultSort, prefix }: Options) {
  const get = (name: string) => params.get(prefix + name) ?? ''
  const keys = filters.map(({ key }) => key)
  const activeFilters: Record<string, string> = Object.fromEntries(
    keys.map((key) => [key, get(key)] as const).filter(([, value]) => value !== ''),
  )
  const q = get('q')
  const sort = get('sort') || defaultSort
  return {
    q,
    sort,
    page: Math.max(1, Math.floor(Number(get('page'))) || 1),
    perPage: pageSizes.find((size) => size === Number(get('per_page'))) ?? defaultPageSize,
    filters: activeFilters,
    narrowed: q !== '' || Object.keys(activeFilters).length > 0,
    /** Query of the server request, without the page number. */
    query: {
      ...(q.length >= navigationConstants.searchMinimumLength && { q }),
      ...(sort && { sort }),
      ...activeFilters,
    } as Record<string, string>,
    /** Query stored in a saved view: everything except the page number. */
    viewQuery: new URLSearchParams(
      [...ofTheList, ...keys].flatMap((key) => {
        const value = get(key)
        return value ? [[key, value]] : []
      }),
    ).toString(),
  }
}

/** Address after a change; any change returns to the first page. */
export function changedAddress(before: URLSearchParams, prefix: string, changes: Record<string, string | null>) {
  const next = new URLSearchParams(before)
  for (const [name, value] of Object.entries({ page: null, ...changes })) {
    if (value === null || value === '' || value === defaults[name]) next.delete(prefix + name)
    else next.set(prefix + name, value)
  }
  return next
}

/** Changes that apply a saved view's query and clear everything else. */
export function changesToShow(query: string, keys: readonly string[]) {
  const view = new URLSearchParams(query)
  return Object.fromEntries([...ofTheList, ...keys].map((key) => [key, view.get(key)]))
}

/**
 * Search, filters, order and page of a list, stored in the address so that links, saved views and Back restore them.
 */
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
    show: (query: string) => set(changesToShow(query, keys)),
  }
}

export type ListState = ReturnType<typeof useListState>

/** The chosen columns in declared order; always includes the first column, which names the row. */
export const shownColumns = <C extends { key: string }>(columns: readonly C[], chosenKeys: readonly string[]) =>
  columns.filter(({ key }, index) => index === 0 || chosenKeys.includes(key))

/** Sort orders of a column: ascending and, if the server supports it, descending. */
export const ordersOf = ({ key, sort }: Pick<Column<never>, 'key' | 'sort'>): readonly (string | undefined)[] =>
  sort === true ? [key, `-${key}`] : sort || []

/** Columns the reader chose for this list, stored on the device. */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const storageKey = `columns:${name}`
  const defaultKeys = columns.filter(({ hidden }) => !hidden).map((column) => column.key)
  const [chosenKeys, setChosen] = useState<readonly string[]>(() => {
    try {
      return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as string[] | null) ?? defaultKeys
    } catch {
      return defaultKeys
    }
  })
  const visible = shownColumns(columns, chosenKeys)
  const choose = (keys: readonly string[]) => {
    setChosen(keys)
    localStorage.setItem(storageKey, JSON.stringify(keys))
  }
  return {
    all: columns,
    visible,
    keys: visible.map((column) => column.key),
    choose,
    reset: () => choose(defaultKeys),
  }
}

export type Columns<Row> = ReturnType<typeof useColumns<Row>>
