import { useState } from 'react'
import { newId } from '#web/offline/new-id.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/** This phone, as other phones see it. */
export type Device = { id: string; name: string }

/** Never rename, because phones keep their names under it. */
const storageKey = 'attendance_device'

/** This phone, with a name its user may change; `suggestedName` until then. */
export function useDevice(suggestedName: string) {
  const [device, setDevice] = useState<Device>(
    () => readStored<Device>('localStorage', storageKey) ?? { id: newId(), name: suggestedName },
  )
  const change = (next: Device) => {
    writeStored('localStorage', storageKey, next)
    setDevice(next)
  }
  return {
    device: { ...device, name: device.name.trim() || suggestedName },
    typedName: device.name,
    rename: (name: string) => change({ ...device, name }),
  }
}
