import { searchKeyOf } from '#domain/search/search-key.ts'
import type { ListState } from './list-state.ts'
import type { RowsAnswer } from './types.ts'

type Request = Pick<ListState, 'query' | 'page' | 'perPage'>

const compare = (one: unknown, other: unknown) =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other))

/** Answers a list like a server: search in all texts, filters by equality, order by one column, one page. */
export function answerLocally<Row>(
  rows: readonly Row[],
  { query, page, perPage }: Request,
): { rows: Row[]; meta: RowsAnswer<Row>['meta'] } {
  const { q, sort = '', ...filters } = query
  const searchText = q && searchKeyOf(q)
  const cellOf = (row: Row, key: string) => (row as Record<string, unknown>)[key]
  const found = rows.filter(
    (row) =>
      Object.entries(filters).every(([key, value]) => String(cellOf(row, key)) === value) &&
      (!searchText ||
        Object.values(row as object).some(
          (cell) => typeof cell === 'string' && searchKeyOf(cell).includes(searchText),
        )),
  )
  const [key, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  const sorted = key ? found.toSorted((one, other) => sign * compare(cellOf(one, key), cellOf(other, key))) : found
  return {
    rows: sorted.slice((page - 1) * perPage, page * perPage),
    meta: { total: found.length, total_is_estimate: false, next: null },
  }
}
