import type { ReactNode } from 'react'
import type { ReadEndpoint } from '#domain/endpoint.ts'
import type { AnyList, RowOf, SumOf } from '#domain/list.ts'
import type { RowAction } from './actions/row-action.ts'

export type Column<Row> = {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /**
   * The server can sort by this column: `true` for the column's key, or the names of its ascending and descending
   * orders.
   */
  sort?: boolean | readonly [ascending: string, descending?: string]
  numeric?: boolean
  /** Hidden until the reader chooses the column. */
  hidden?: boolean
}

type FilterKind =
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'text' }
  /** Set only by the address; the filter panel omits it. */
  | { kind: 'fixed' }
  | {
      kind: 'custom'
      control: (value: string | null, onChange: (value: string | null) => void) => ReactNode
      chip: (value: string) => ReactNode
    }

export type Filter = {
  key: string
  label: string
  /** Placed beside the search instead of in the filter panel. */
  quick?: boolean
  /** Value the server applies if the address has none; shown, but not removable. */
  inForce?: string
} & FilterKind

export type RowsAnswer<Row> = {
  data: Row[]
  /** `total` is null while the server is still counting. */
  meta: { total: number | null; total_is_estimate: boolean; sums?: unknown; next: string | null }
}

/** Behaviour and appearance of rows, apart from columns. */
type RowProps<Row> = {
  title: string
  params?: Record<string, unknown>
  /** Fixed part of the query. */
  query?: Record<string, unknown>
  /** Local rows instead of the server's; searched, filtered, sorted and paged by `local-rows.ts`. */
  rows?: readonly Row[]
  searchLabel?: string
  rowTitle: (row: Row) => string
  href?: (row: Row) => string | undefined
  onOpen?: ((row: Row) => void) | undefined
  /** Preview of a row beside the list, on wide screens; `true` lists all columns. */
  preview?: true | ((row: Row) => ReactNode)
  /** Rows to draw dimmed, such as deactivated ones. */
  dimmed?: (row: Row) => boolean
  /** Placed in the page header, such as the button that adds a row. */
  actions?: ReactNode
  /** Actions on rows; those for a single row are also buttons in the preview. */
  rowActions?: readonly RowAction<Row>[]
  empty?: { title: string; text?: ReactNode }
  card?: (row: Row) => ReactNode
  /** Loads further rows on scrolling instead of turning pages. */
  endless?: boolean
}

/** A list with its columns and filters already built. */
export type ListProps<Row> = RowProps<Row> & {
  /** Storage key for chosen columns and saved views. */
  name: string
  /** Returns `{ data, meta: { total, total_is_estimate, next } }`. */
  endpoint: ReadEndpoint
  columns: readonly Column<Row>[]
  filters?: readonly Filter[]
  /** Missing if the server has only one order. */
  defaultSort?: string
  /** The list cannot be searched. */
  noSearch?: boolean
  rowId: (row: Row) => string
  /** Line between title and list, such as the sum of the rows found; receives the answer's `meta`. */
  summary?: ReactNode | ((meta: RowsAnswer<Row>['meta']) => ReactNode)
  /** Path of the export endpoint, below /api. */
  exportPath?: string
  /** Prefix of its address parameters, for pages with several lists. */
  prefix?: string
}

type SumsOf<L extends AnyList> = { [K in SumOf<L>]: number }
/** Renders a line between the title and the rows once the server has counted them. */
export type Summary<L extends AnyList> = (found: { total: number; isEstimate: boolean; sums: SumsOf<L> }) => ReactNode

/** Control and label for a filter whose declaration has none. */
export type FilterControl = FilterKind & { label?: string }

/** A declared list, plus the parts only its page can add. */
export type DeclaredProps<L extends AnyList> = RowProps<RowOf<L>> & {
  list: L
  /** Cells of columns that need more than their kind's default cell. */
  cells?: { [K in keyof L['columns']]?: (row: RowOf<L>) => ReactNode }
  /** Controls for filters by an id, or by a text with options. */
  controls?: { [K in keyof L['filters']]?: FilterControl }
  rowId?: (row: RowOf<L>) => string
  /** Placed between title and list, such as tabs. */
  lead?: ReactNode
  /** Placed below `lead` once the server has counted the rows. */
  summary?: Summary<L>
}
