import type { ReactNode } from 'react'

/** What a dialog of an action tells: that the rows were changed, and that it is closed. */
export type DialogEnds = { onDone: () => void; onClose: () => void }

/**
 * What people do to a row, declared once: the buttons of a record, the menu of its row, the bar of the selection and the
 * keys of a list are made of it.
 */
export type RowAction<Row> = {
  key: string
  label: string
  icon?: ReactNode
  /** Permission without which it is not offered. */
  right?: string
  /** Usually done next: its button is filled. */
  main?: boolean
  /** Takes something away. */
  danger?: boolean
  /** The dialog takes many rows: the action stands in the bar of the selection. */
  many?: boolean
  /** Does it to the selected rows, or else to the current one; only with `many`. */
  hotkey?: 'a' | 'r'
  /** Whether it has a meaning for a row at all; without one it has for all. */
  suits?: (row: Row) => boolean
  /** Why it cannot be done to a row, in words; what only the server knows is said by the dialog. */
  refusal?: (row: Row) => string | null
  /** Page that does it to one row. */
  href?: (row: Row) => string
  /** Does it at once to one row; says itself how it went. */
  run?: (row: Row) => Promise<unknown>
  /** Asks what it needs, says what will happen, and does it. */
  dialog?: (rows: Row[], ends: DialogEnds) => ReactNode
}

/** Actions that somebody with these permissions is offered. */
export const permitted = <Row>(actions: readonly RowAction<Row>[], may: (permission: string) => boolean) =>
  actions.filter(({ right }) => !right || may(right))

/** Actions that have a meaning for a row, each with the reason against it. */
export const actionsOn = <Row>(actions: readonly RowAction<Row>[], row: Row) =>
  actions
    .filter(({ suits }) => suits?.(row) ?? true)
    .map((action) => ({ action, reason: action.refusal?.(row) ?? null }))

/** Why an action can be done to none of the rows: the reason of the first. */
export function reasonAgainst<Row>({ refusal }: RowAction<Row>, rows: readonly Row[]): string | null {
  const reasons = rows.map((row) => refusal?.(row) ?? null)
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null
}
