import { type Adjustment, adjustAmount } from '#domain/fees/amounts.ts'
import type { TuitionCell, TuitionGrid } from '#domain/fees/endpoints.ts'
import { keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Copying = {
  grid: TuitionGrid
  edits: TuitionEdits
  /** Amounts of the other wave. */
  cells: readonly TuitionCell[]
  adjustment: Adjustment
  /** Whether amounts already in the grid are replaced. */
  replacing: boolean
}

/** Effect of copying on each cell that has an amount in the other wave, in the grid's column order. */
export function copiedRows({ grid, edits, cells, adjustment, replacing }: Copying) {
  return grid.classProgrammes.flatMap((classProgramme) =>
    grid.components.flatMap((component) => {
      const key = keyOf(component.id, classProgramme.id)
      return cells
        .filter((cell) => cell.active && keyOf(cell.feeComponentId, cell.classProgrammeId) === key)
        .map((cell) => {
          const currentAmount = edits.amountAt(key)
          const newAmount = adjustAmount(cell.amount, adjustment)
          const mayReplace = currentAmount === null || currentAmount === undefined || replacing
          return {
            key,
            componentName: component.name,
            className: classProgramme.name,
            otherAmount: cell.amount,
            installmentsAllowed: cell.installmentsAllowed,
            currentAmount,
            newAmount,
            isTaken: mayReplace && currentAmount !== newAmount,
          }
        })
    }),
  )
}
export type CopiedRow = ReturnType<typeof copiedRows>[number]
