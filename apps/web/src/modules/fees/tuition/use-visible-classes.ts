import { useState } from 'react'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
import { useSettledMedia } from '#web/ui/use-settled-media.ts'

/** Class programmes shown as columns: offered or priced ones first; only one on a narrow screen. */
export function useVisibleClasses(grid: TuitionGrid) {
  const isNarrow = useSettledMedia('(max-width: 48em)')
  const [everyClass, setEveryClass] = useState(false)
  const [chosenId, chooseClass] = useState<string | null>(null)
  const offeredClasses = grid.classProgrammes.filter(
    ({ id, offered }) => offered || grid.cells.some((cell) => cell.classProgrammeId === id),
  )
  const classes = everyClass || offeredClasses.length === 0 ? grid.classProgrammes : offeredClasses
  const chosenClass = classes.find(({ id }) => id === chosenId) ?? classes[0]
  return {
    classes,
    columnIds: isNarrow && chosenClass ? [chosenClass.id] : classes.map(({ id }) => id),
    /** Whether the screen has room for only one column. */
    isOneShown: isNarrow && classes.length > 1,
    chosenClass,
    chooseClass,
    hiddenCount: grid.classProgrammes.length - classes.length,
    showEveryClass: () => setEveryClass(true),
  }
}
export type VisibleClasses = ReturnType<typeof useVisibleClasses>
