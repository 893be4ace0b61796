import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { navigationConstants } from '#domain/navigation/constants.ts'
import type { Column, Filter } from './types.ts'

export const pageSizes = [10, 25, 50, 100]
/** What an address need not say. */
const usual: Record<string, string> = { page: '1', per_page: '25' }
const ofTheList = ['q', 'sort', 'per_page']

type Options = { filters: readonly Filter[]; defaultSort: string; prefix: string }

/** Search, filters, order and page of a list, kept in the address so that it can be sent, saved and returned to. */
export function useListState({ filters, defaultSort, prefix }: Options) {
  const [params, setParams] = useSearchParams()
  const get = (name: string) => params.get(prefix + name)
  const keys = filters.map(({ key }) => key)
  const set = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries({ page: null, ...changes })) {
          if (value === null || value === '' || value === usual[name]) next.delete(prefix + name)
          else next.set(prefix + name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const chosen = Object.fromEntries(
    keys.map((key) => [key, get(key)] as const).filter(([, value]) => value !== null && value !== ''),
  ) as Record<string, string>
  const state = {
    q: get('q') ?? '',
    sort: get('sort') ?? defaultSort,
    page: Math.max(1, Number(get('page')) || 1),
    perPage: pageSizes.find((size) => size === Number(get('per_page'))) ?? 25,
    filters: chosen,
  }
  const search = state.q.length >= navigationConstants.searchMinimumLength ? { q: state.q } : {}
  /** What is worth keeping under a name: all but the page. */
  const kept = new URLSearchParams(
    [...ofTheList, ...keys].flatMap((key) => {
      const value = get(key)
      return value ? [[key, value]] : []
    }),
  ).toString()
  return {
    ...state,
    narrowed: state.q !== '' || Object.keys(chosen).length > 0,
    query: { ...search, sort: state.sort, ...chosen },
    kept,
    set,
    clear: () => set({ q: null, ...Object.fromEntries(keys.map((key) => [key, null])) }),
    /** Shows what was kept under a name, and nothing else. */
    show: (query: string) => {
      const wanted = new URLSearchParams(query)
      set(Object.fromEntries([...ofTheList, ...keys].map((key) => [key, wanted.get(key)])))
    },
  }
}

export type ListState = ReturnType<typeof useListState>

/** Columns a reader chose for this list, remembered on the device; the first one always stays. */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const key = `columns:${name}`
  const usualOnes = columns.filter(({ hidden }) => !hidden).map((column) => column.key)
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    try {
      return (JSON.parse(localStorage.getItem(key) ?? 'null') as string[] | null) ?? usualOnes
    } catch {
      return usualOnes
    }
  })
  const shown = columns.filter((column, index) => index === 0 || chosen.includes(column.key))
  const choose = (keys: readonly string[]) => {
    setChosen(keys)
    localStorage.setItem(key, JSON.stringify(keys))
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
