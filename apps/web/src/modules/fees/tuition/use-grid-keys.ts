import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { readBlock } from '#domain/fees/amounts.ts'
import { keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Grid = {
  componentIds: readonly string[]
  classIds: readonly string[]
  edits: TuitionEdits
  readOnly: boolean
}

/** Moves between grid cells by key, and fills several from a pasted block, as in a spreadsheet. */
export function useGridKeys({ componentIds, classIds, edits, readOnly }: Grid) {
  const table = useRef<HTMLTableElement>(null)
  const focus = (row: number, column: number) => {
    const cell = table.current?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`)
    cell?.focus()
    return !!cell
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { atStart, atEnd } = caretOf(event.currentTarget)
    const key = keyOf(componentIds[row]!, classIds[column]!)
    const moves: Record<string, () => boolean> = {
      ArrowUp: () => focus(row - 1, column),
      ArrowDown: () => focus(row + 1, column),
      ArrowLeft: () => atStart && focus(row, column - 1),
      ArrowRight: () => atEnd && focus(row, column + 1),
      Enter: () =>
        event.shiftKey
          ? focus(row - 1, column) || focus(componentIds.length - 1, column - 1)
          : focus(row + 1, column) || focus(0, column + 1),
    }
    if (event.key === 'Escape') {
      edits.forget([key])
    } else if (event.key.toLowerCase() === 'i' && !readOnly) {
      event.preventDefault()
      edits.allow([key], !edits.at(key).installmentsAllowed)
    } else if (moves[event.key]?.() || event.key === 'Enter') event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>, row: number, column: number) => {
    const block = readBlock(event.clipboardData.getData('text/plain'))
    if (readOnly || (block.length === 1 && block[0]!.length === 1)) return
    event.preventDefault()
    edits.fill(
      block.flatMap((texts, rowOffset) =>
        texts.flatMap((text, columnOffset) => {
          const componentId = componentIds[row + rowOffset]
          const classId = classIds[column + columnOffset]
          return componentId && classId ? [{ key: keyOf(componentId, classId), text: text.trim() }] : []
        }),
      ),
    )
  }
  return {
    table,
    cellProps: (row: number, column: number) => ({
      'data-row': row,
      'data-column': column,
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => onKeyDown(event, row, column),
      onPaste: (event: ClipboardEvent<HTMLInputElement>) => onPaste(event, row, column),
    }),
  }
}
export type CellProps = ReturnType<ReturnType<typeof useGridKeys>['cellProps']>

/** Whether the caret is at an end of the text; fully selected text counts as both ends. */
function caretOf({ value, selectionStart, selectionEnd }: HTMLInputElement) {
  const isAllSelected = selectionStart === 0 && selectionEnd === value.length
  return {
    atStart: isAllSelected || (selectionStart === 0 && selectionEnd === 0),
    atEnd: isAllSelected || (selectionStart === value.length && selectionEnd === value.length),
  }
}
