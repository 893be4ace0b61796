import type { ReactNode } from 'react'
import type { ReadEndpoint } from '#domain/endpoint.ts'

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

export type Filter = {
  key: string
  label: string
  /** Stands beside the search instead of in the panel of filters. */
  quick?: boolean
} & (
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'text' }
  | {
      kind: 'custom'
      control: (value: string | null, onChange: (value: string | null) => void) => ReactNode
      chip: (value: string) => ReactNode
    }
)

export type BulkAction<Row> = {
  key: string
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Key that does it to what is selected, or else to the current row. */
  hotkey?: 'a' | 'r'
  /** Tells what will happen before it does; `done` empties the selection. */
  run: (rows: Row[], done: () => void) => void
}

export type ListProps<Row> = {
  /** Its columns and saved views are remembered under this name. */
  name: string
  title: string
  /** Answers `{ data, meta: { total, total_is_estimate, next } }`. */
  endpoint: ReadEndpoint
  params?: Record<string, unknown>
  /** Fixed part of the query. */
  query?: Record<string, unknown>
  columns: readonly Column<Row>[]
  filters?: readonly Filter[]
  /** Left out where the server knows one order only. */
  defaultSort?: string
  searchLabel?: string
  /** The list cannot be searched. */
  noSearch?: boolean
  rowId: (row: Row) => string
  rowTitle: (row: Row) => string
  href?: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
  /** What the row looks like beside the list, where there is room; `true` for all columns, one under the other. */
  preview?: true | ((row: Row) => ReactNode)
  /** Quiet rows: not active any more. */
  dimmed?: (row: Row) => boolean
  actions?: ReactNode
  /** A line between the title and the list, such as what the rows found add up to; told what else the answer's `meta` holds. */
  summary?: ReactNode | ((meta: RowsAnswer<Row>['meta'] & Record<string, unknown>) => ReactNode)
  bulk?: readonly BulkAction<Row>[]
  /** Where the export of the current filter is fetched, below /api. */
  exportPath?: string
  empty?: { title: string; text?: ReactNode }
  card?: (row: Row) => ReactNode
  /** A card of another record's page: smaller, and its address parameters begin with this. */
  within?: string
  /** Continues behind the last row instead of turning pages. */
  endless?: boolean
}

export type RowsAnswer<Row> = {
  data: Row[]
  meta: { total: number; total_is_estimate: boolean; next: string | null }
}
