import type { ReactNode } from 'react'

/** Callbacks of an action's dialog, after rows changed and after closing. */
export type DialogEnds = { onDone: () => void; onClose: () => void }

/** A approves documents; Y and N decide about people. A key has the same meaning in every list. */
export type Hotkey = 'a' | 'y' | 'n'

/** An action on a row, declared once for a record's buttons, the row menu, the selection bar and a list's hotkeys. */
export type RowAction<Row> = {
  key: string
  label: string
  icon?: ReactNode
  /** Permission required to see the action. */
  right?: string
  /** Usually the next step; its button is filled. */
  main?: boolean
  /** Deletes or withdraws something; drawn in red. */
  danger?: boolean
  /** The dialog accepts many rows, so the selection bar offers the action. */
  many?: boolean
  /** Key that starts the action for the selected rows, or for the current row; only with `many`. */
  hotkey?: Hotkey
  /** Whether the action applies to a row at all; by default it applies to every row. */
  suits?: (row: Row) => boolean
  /** Why the action is refused for a row; reasons only the server knows appear in the dialog. */
  refusal?: (row: Row) => string | null
  /** Page that performs the action on one row. */
  href?: (row: Row) => string
  /** Performs the action on one row without a dialog and announces the result. */
  run?: (row: Row) => Promise<unknown>
  /** Dialog that asks for input, announces the effect and performs the action. */
  dialog?: (rows: Row[], ends: DialogEnds) => ReactNode
}

/** Actions the reader has permission for. */
export const permitted = <Row>(actions: readonly RowAction<Row>[], may: (permission: string) => boolean) =>
  actions.filter(({ right }) => !right || may(right))

/** Actions that apply to a row, each with its refusal reason. */
export const actionsOn = <Row>(actions: readonly RowAction<Row>[], row: Row) =>
  actions
    .filter(({ suits }) => suits?.(row) ?? true)
    .map((action) => ({ action, reason: action.refusal?.(row) ?? null }))

/** Reason to disable an action for these rows: the first row's if every row is refused, otherwise null. */
export function reasonAgainst<Row>({ refusal }: RowAction<Row>, rows: readonly Row[]): string | null {
  const reasons = rows.map((row) => refusal?.(row) ?? null)
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null
}
