import { useEffect, useState } from 'react'
import { findSnapshot, keepSnapshot } from '#web/offline/snapshots.ts'

export type Timed = {
  /** Server clock. */
  now: string
}
type Snapshot<L> = { list: L; offsetMs: number }

/**
 * A list from the server, otherwise the copy stored on this device under the key. `readAt` is the read time in
 * milliseconds; `offsetMs` corrects the device clock.
 */
export function useKeptList<L extends Timed>(key: string, read: L | undefined, readAt: number) {
  const [snapshot, setSnapshot] = useState<Snapshot<L> | null>(null)
  useEffect(() => {
    void findSnapshot<Snapshot<L>>(key).then((found) => setSnapshot((present) => present ?? found?.data ?? null))
  }, [key])
  useEffect(() => {
    if (!read) return
    const fresh = { list: read, offsetMs: Date.parse(read.now) - readAt }
    setSnapshot(fresh)
    void keepSnapshot(key, fresh)
  }, [read, readAt, key])
  return { list: read ?? snapshot?.list, offsetMs: snapshot?.offsetMs ?? 0 }
}
