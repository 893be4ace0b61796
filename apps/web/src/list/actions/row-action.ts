import type { ReactNode } from 'react'

/** Callbacks of an action's dialog: after the rows were changed, and after it was closed. */
export type DialogEnds = { onDone: () => void; onClose: () => void }

/** A approves documents; Y and N decide about people. One key has one meaning in every list. */
export type Hotkey = 'a' | 'y' | 'n'

/**
 * An action on a row, declared once: the buttons of a record, the menu of its row, the bar of the selection and the
 * hotkeys of a list are built from it.
 */
export type RowAction<Row> = {
  key: string
  label: string
  icon?: ReactNode
  /** Permission required to see the action. */
  right?: string
  /** Usually the next step: its button is filled. */
  main?: boolean
  /** Deletes or withdraws something; drawn in red. */
  danger?: boolean
  /** The dialog accepts many rows: the bar of the selection offers the action. */
  many?: boolean
  /** Key that starts the action for the selected rows, or else for the current row; only with `many`. */
  hotkey?: Hotkey
  /** Whether the action applies to a row at all; without it the action applies to every row. */
  suits?: (row: Row) => boolean
  /** Reason why the action is refused for a row; reasons only the server knows appear in the dialog. */
  refusal?: (row: Row) => string | null
  /** Page that performs the action on one row. */
  href?: (row: Row) => string
  /** Performs the action on one row without a dialog and announces the result. */
  run?: (row: Row) => Promise<unknown>
  /** Dialog that asks for input, announces the effect, and performs the action. */
  dialog?: (rows: Row[], ends: DialogEnds) => ReactNode
}

/** Actions whose permission the reader holds. */
export const permitted = <Row>(actions: readonly RowAction<Row>[], may: (permission: string) => boolean) =>
  actions.filter(({ right }) => !right || may(right))

/** Actions that apply to a row, each with the reason it is refused. */
export const actionsOn = <Row>(actions: readonly RowAction<Row>[], row: Row) =>
  actions
    .filter(({ suits }) => suits?.(row) ?? true)
    .map((action) => ({ action, reason: action.refusal?.(row) ?? null }))

/** Reason to disable an action for these rows: that of the first row if every row is refused, otherwise null. */
export function reasonAgainst<Row>({ refusal }: RowAction<Row>, rows: readonly Row[]): string | null {
  const reasons = rows.map((row) => refusal?.(row) ?? null)
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null
}
