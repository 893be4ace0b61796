import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Entity } from '#entities/define/entity.ts'
import { filterKeys } from '#entities/define/row.ts'

export const pageSizes = [10, 25, 50, 100]
/** What an address need not say. */
const usual: Record<string, string> = { page: '1', per_page: '25' }

/** Search, filters, order and page of a list, kept in the address so that it can be sent and returned to. */
export function useListState(entity: Entity, prefix = '') {
  const [params, setParams] = useSearchParams()
  const get = (name: string) => params.get(prefix + name)
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
  const filters = Object.fromEntries(
    filterKeys(entity)
      .map((key) => [key, get(key)] as const)
      .filter(([, value]) => value !== null),
  ) as Record<string, string>
  const active = get('active')
  const state = {
    q: get('q') ?? '',
    sort: get('sort') ?? entity.defaultSort,
    page: Math.max(1, Number(get('page')) || 1),
    perPage: pageSizes.find((size) => size === Number(get('per_page'))) ?? 25,
    active: active === 'true' || active === 'false' ? active : null,
    filters,
  }
  const query = {
    page: state.page,
    per_page: state.perPage,
    sort: state.sort,
    ...(state.q.length >= 2 && { q: state.q }),
    ...(state.active && { active: state.active }),
    ...filters,
  }
  const narrowed = state.q !== '' || state.active !== null || Object.keys(filters).length > 0
  return { ...state, narrowed, query, set }
}

export type ListState = ReturnType<typeof useListState>

/** Columns a reader chose for this list, remembered on the device. */
export function useColumns(entity: Entity) {
  const key = `columns:${entity.slug}`
  const possible = Object.keys(entity.fields).filter((name) => name !== entity.parent?.field)
  const offered = possible.filter((name) => entity.fields[name]!.list)
  const [chosen, setChosen] = useState<string[]>(() => {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as string[] | null
      return kept?.filter((name) => possible.includes(name) || name === 'updatedAt') ?? offered
    } catch {
      return offered
    }
  })
  const choose = (names: string[]) => {
    setChosen(names)
    localStorage.setItem(key, JSON.stringify(names))
  }
  return {
    columns: [...possible, 'updatedAt'].filter((name) => chosen.includes(name)),
    possible: [...possible, 'updatedAt'],
    choose,
  }
}
