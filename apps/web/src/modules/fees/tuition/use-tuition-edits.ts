import { useState } from 'react'
import { readAmount } from '#domain/fees/amounts.ts'
import type { CellChange, TuitionCell, TuitionGrid } from '#domain/fees/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'

/** Content of a cell as typed, so that invalid text is shown, not dropped. */
type Edit = { text: string; installmentsAllowed: boolean }
export type CellKey = `${string}.${string}`

export const keyOf = (componentId: string, classId: string): CellKey => `${componentId}.${classId}`
const textOf = (amount: number | null) => (amount === null ? '' : wholeNumber(amount))

/** Unsaved changes to a tuition grid. */
export function useTuitionEdits(grid: TuitionGrid) {
  const [edits, setEdits] = useState<Readonly<Record<CellKey, Edit>>>({})
  const cells = new Map<CellKey, TuitionCell>(
    grid.cells.map((cell) => [keyOf(cell.feeComponentId, cell.classProgrammeId), cell]),
  )
  /** An inactive amount is never billed, so its cell is empty. */
  const savedOf = (key: CellKey): Edit => {
    const cell = cells.get(key)
    return { text: textOf(cell?.active ? cell.amount : null), installmentsAllowed: cell?.installmentsAllowed ?? true }
  }
  const at = (key: CellKey) => edits[key] ?? savedOf(key)
  const amountAt = (key: CellKey) => readAmount(at(key).text)
  const isChanged = (key: CellKey) => {
    const edit = edits[key]
    if (!edit) return false
    const saved = savedOf(key)
    const amount = readAmount(edit.text)
    return (
      amount !== readAmount(saved.text) || (amount !== null && edit.installmentsAllowed !== saved.installmentsAllowed)
    )
  }
  const change = (key: CellKey, next: Partial<Edit>) =>
    setEdits((before) => ({ ...before, [key]: { ...(before[key] ?? savedOf(key)), ...next } }))
  const changedKeys = (Object.keys(edits) as CellKey[]).filter(isChanged)

  return {
    cells,
    changed: changedKeys,
    at,
    amountAt,
    isChanged,
    isWrong: (key: CellKey) => amountAt(key) === undefined,
    wrong: changedKeys.filter((key) => amountAt(key) === undefined),
    type: (key: CellKey, text: string) => change(key, { text }),
    /** Formats the amount as it will appear once saved. */
    settle: (key: CellKey) => {
      const amount = amountAt(key)
      if (edits[key] && amount !== undefined) change(key, { text: textOf(amount) })
    },
    fill: (amounts: readonly { key: CellKey; text: string; installmentsAllowed?: boolean }[]) =>
      setEdits((before) => ({
        ...before,
        ...Object.fromEntries(
          amounts.map(({ key, text, installmentsAllowed }) => {
            const amount = readAmount(text)
            const current = before[key] ?? savedOf(key)
            return [
              key,
              {
                text: amount === undefined ? text : textOf(amount),
                installmentsAllowed: installmentsAllowed ?? current.installmentsAllowed,
              },
            ]
          }),
        ),
      })),
    allow: (keys: readonly CellKey[], installmentsAllowed: boolean) =>
      setEdits((before) => ({
        ...before,
        ...Object.fromEntries(keys.map((key) => [key, { ...(before[key] ?? savedOf(key)), installmentsAllowed }])),
      })),
    forget: (keys?: readonly CellKey[]) =>
      setEdits((before) =>
        keys ? Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key as CellKey))) : {},
      ),
    changes: (): CellChange[] =>
      changedKeys.map((key) => {
        const [feeComponentId, classProgrammeId] = key.split('.') as [string, string]
        const cell = cells.get(key)
        return {
          feeComponentId,
          classProgrammeId,
          base: cell ? { id: cell.id, version: cell.version } : null,
          amount: amountAt(key) ?? null,
          installmentsAllowed: at(key).installmentsAllowed,
        }
      }),
  }
}
export type TuitionEdits = ReturnType<typeof useTuitionEdits>
