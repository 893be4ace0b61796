import { useCallback, useRef, useState } from 'react'
import type { DocumentSlot } from '#domain/documents/endpoints.ts'
import { turnOn, uprightAndFitting, zoomBy } from '#web/modules/documents/document-viewer.tsx'

/** The document on screen and its rotation; without `firstId`, the first that waits for review. */
export function useChosenSlot(slots: readonly DocumentSlot[], firstId: string | null = null) {
  const [chosenId, setChosenId] = useState(firstId)
  const [turn, setTurn] = useState(uprightAndFitting)
  const list = useRef<HTMLUListElement>(null)
  const chosenSlot =
    slots.find(({ id }) => id === chosenId) ?? slots.find(({ status }) => status === 'uploaded') ?? slots[0] ?? null
  const chooseSlot = useCallback((slot: DocumentSlot | undefined) => {
    if (!slot) return
    setChosenId(slot.id)
    setTurn(uprightAndFitting)
    list.current?.querySelector(`[data-id="${slot.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [])
  return {
    list,
    chosenSlot,
    chooseSlot,
    /** Opens the next document waiting for review, starting after the given one. */
    chooseNextWaiting: ({ id: afterId }: DocumentSlot) => {
      const index = slots.findIndex(({ id }) => id === afterId)
      chooseSlot([...slots.slice(index + 1), ...slots.slice(0, index)].find(({ status }) => status === 'uploaded'))
    },
    moveBy: (step: number) => {
      const index = slots.findIndex(({ id }) => id === chosenSlot?.id)
      chooseSlot(slots[Math.min(slots.length - 1, Math.max(0, index + step))])
    },
    turn,
    setTurn,
    zoom: (step: number) => setTurn((previous) => zoomBy(previous, step)),
    turnOn: () => setTurn(turnOn),
  }
}
