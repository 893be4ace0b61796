import { type KeyboardEvent, type RefObject, useCallback, useRef } from 'react'

function focusInput(table: HTMLTableElement | null, row: number, column: number) {
  const input = table?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`)
  if (!input || input.disabled) return false
  input.focus()
  input.select()
  return true
}

/** In the last row Enter leaves the input, so that a grid that saves rows on leaving saves that row too. */
function leave(input: HTMLInputElement) {
  input.blur()
  return true
}

/** Moves between the inputs of a grid with Enter and the arrow keys; leaves Tab to the browser. */
export function useGridFocus() {
  const table = useRef<HTMLTableElement>(null)
  /** Keeps its identity, so that rows can be memoized. */
  const inputProps = useCallback((row: number, column: number) => inputPropsIn(table, row, column), [])
  const focus = (row: number, column: number) => focusInput(table.current, row, column)
  return { table, inputProps, focus }
}

const inputPropsIn = (table: RefObject<HTMLTableElement | null>, row: number, column: number) => ({
  'data-row': row,
  'data-column': column,
  onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const focus = (toRow: number, toColumn: number) => focusInput(table.current, toRow, toColumn)
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
  },
})

export type InputProps = ReturnType<typeof inputPropsIn>
