import { type KeyboardEvent, useRef } from 'react'

/** Moves between the inputs of a grid with Enter and the arrow keys; Tab is the browser's. */
export function useGridFocus() {
  const table = useRef<HTMLTableElement>(null)
  const focus = (row: number, column: number) => {
    const input = table.current?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`)
    if (!input || input.disabled) return false
    input.focus()
    input.select()
    return true
  }
  /** The last row has none below it: leaving the input saves the row. */
  const leave = (input: HTMLInputElement) => {
    input.blur()
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const isAllSelected = selectionStart === 0 && selectionEnd === value.length
    const atStart = isAllSelected || selectionEnd === 0
    const atEnd = isAllSelected || selectionStart === value.length
    const moves: Record<string, () => boolean> = {
      ArrowUp: () => focus(row - 1, column),
      ArrowDown: () => focus(row + 1, column),
      ArrowLeft: () => atStart && focus(row, column - 1),
      ArrowRight: () => atEnd && focus(row, column + 1),
      Enter: () => focus(row + (event.shiftKey ? -1 : 1), column) || leave(event.currentTarget),
    }
    if (moves[event.key]?.()) event.preventDefault()
  }
  return {
    table,
    inputProps: (row: number, column: number) => ({
      'data-row': row,
      'data-column': column,
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => onKeyDown(event, row, column),
    }),
  }
}
export type InputProps = ReturnType<ReturnType<typeof useGridFocus>['inputProps']>
