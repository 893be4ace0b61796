import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#web/ui/stored.ts'

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]
export type LayoutSettings = { asideMinimized: boolean; density: Density }

export const usualLayout: LayoutSettings = { asideMinimized: false, density: 'comfortable' }

/** Browser storage keys: the layout belongs to the device, like theme and language. */
const storageKeys = { asideMinimized: 'aside_minimized', density: 'density' } as const

const readLayout = (): LayoutSettings => ({
  asideMinimized: readStored('localStorage', storageKeys.asideMinimized) === true,
  density: densities.find((density) => density === readStored('localStorage', storageKeys.density)) ?? 'comfortable',
})

let layout = readLayout()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Changes the frame at once and stores the change; without storage it lasts until a reload. */
export function changeLayout(change: Partial<LayoutSettings>) {
  layout = { ...layout, ...change }
  for (const key of Object.keys(change) as (keyof LayoutSettings)[])
    writeStored('localStorage', storageKeys[key], layout[key] === usualLayout[key] ? null : layout[key])
  for (const listener of listeners) listener()
}

export const useLayoutSettings = () => useSyncExternalStore(subscribe, () => layout)
