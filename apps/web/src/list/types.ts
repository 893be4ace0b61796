import type { ReactNode } from 'react'
import type { ReadEndpoint } from '#domain/endpoint.ts'
import type { AnyList, RowOf, SumOf } from '#domain/list.ts'
import type { RowAction } from './actions/row-action.ts'

export type Column<Row> = {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** The server can sort by it: under the same name, or under words of its own, upwards and downwards. */
  sort?: boolean | readonly [ascending: string, descending?: string]
  numeric?: boolean
  /** Not shown until somebody chooses it. */
  hidden?: boolean
}

type FilterKind =
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'text' }
  /** Set by an address, not in the panel. */
  | { kind: 'fixed' }
  | {
      kind: 'custom'
      control: (value: string | null, onChange: (value: string | null) => void) => ReactNode
      chip: (value: string) => ReactNode
    }

export type Filter = {
  key: string
  label: string
  /** Stands beside the search instead of in the panel of filters. */
  quick?: boolean
} & FilterKind

export type RowsAnswer<Row> = {
  data: Row[]
  /** Without a total the rows are still being counted. */
  meta: { total: number | null; total_is_estimate: boolean; sums?: unknown; next: string | null }
}

/** What a list does with its rows, and how they look beyond its columns. */
type RowProps<Row> = {
  title: string
  params?: Record<string, unknown>
  /** Fixed part of the query. */
  query?: Record<string, unknown>
  searchLabel?: string
  rowTitle: (row: Row) => string
  href?: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
  /** What the row looks like beside the list, where there is room; `true` for all columns, one under the other. */
  preview?: true | ((row: Row) => ReactNode)
  /** Quiet rows: not active any more. */
  dimmed?: (row: Row) => boolean
  /** Stands in the head of the page, such as what adds a row. */
  actions?: ReactNode
  /** What people do to rows; those that take one row only are buttons of the preview too. */
  rowActions?: readonly RowAction<Row>[]
  empty?: { title: string; text?: ReactNode }
  card?: (row: Row) => ReactNode
  /** Continues behind the last row instead of turning pages. */
  endless?: boolean
}

/** A list whose columns and filters are made already. */
export type ListProps<Row> = RowProps<Row> & {
  /** Its columns and saved views are remembered under this name. */
  name: string
  /** Answers `{ data, meta: { total, total_is_estimate, next } }`. */
  endpoint: ReadEndpoint
  columns: readonly Column<Row>[]
  filters?: readonly Filter[]
  /** Left out where the server knows one order only. */
  defaultSort?: string
  /** The list cannot be searched. */
  noSearch?: boolean
  rowId: (row: Row) => string
  /** A line between the title and the list, such as what the rows found add up to; told what the answer's `meta` holds. */
  summary?: ReactNode | ((meta: RowsAnswer<Row>['meta']) => ReactNode)
  /** Where the export of the current filter is fetched, below /api. */
  exportPath?: string
  /** Its address parameters begin with this, where a page has more than one list. */
  prefix?: string
}

type SumsOf<L extends AnyList> = { [K in SumOf<L>]: number }
/** What may be put between a list's title and its rows once everything is counted. */
export type Summary<L extends AnyList> = (found: { total: number; isEstimate: boolean; sums: SumsOf<L> }) => ReactNode

/** How a filter is set where its declaration does not say, and what it is called there. */
export type FilterControl = FilterKind & { label?: string }

/** A list as it is declared, with what only the page can know. */
export type DeclaredProps<L extends AnyList> = RowProps<RowOf<L>> & {
  list: L
  /** How columns look that are more than their kind. */
  cells?: { [K in keyof L['columns']]?: (row: RowOf<L>) => ReactNode }
  /** Of filters by an id or a text that are chosen from something. */
  controls?: { [K in keyof L['filters']]?: FilterControl }
  rowId?: (row: RowOf<L>) => string
  /** Stands between the title and the list, such as tabs. */
  lead?: ReactNode
  /** Stands there once everything is counted. */
  summary?: Summary<L>
}
