import type { ClipboardEvent, KeyboardEvent } from 'react'
import { readBlock } from '#domain/fees/amounts.ts'
import { useGridFocus } from '#web/ui/form/use-grid-focus.ts'
import { keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Grid = {
  componentIds: readonly string[]
  classIds: readonly string[]
  edits: TuitionEdits
  readOnly: boolean
}

/** Moves between grid cells by key, and fills several from a pasted block, as in a spreadsheet. */
export function useGridKeys({ componentIds, classIds, edits, readOnly }: Grid) {
  const { table, inputProps, focus } = useGridFocus()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const key = keyOf(componentIds[row]!, classIds[column]!)
    if (event.key === 'Escape') {
      edits.forget([key])
    } else if (event.key.toLowerCase() === 'i' && !readOnly) {
      event.preventDefault()
      edits.allow([key], !edits.at(key).installmentsAllowed)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const step = event.shiftKey ? -1 : 1
      const next = row + step
      // After a column's last cell follows the next column.
      focus(next, column) || focus(next < 0 ? componentIds.length - 1 : 0, column + step)
    } else inputProps(row, column).onKeyDown(event)
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
      ...inputProps(row, column),
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => onKeyDown(event, row, column),
      onPaste: (event: ClipboardEvent<HTMLInputElement>) => onPaste(event, row, column),
    }),
  }
}
export type CellProps = ReturnType<ReturnType<typeof useGridKeys>['cellProps']>
