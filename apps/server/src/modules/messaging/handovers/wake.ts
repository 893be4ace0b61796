import { afterCommit } from '#server/platform/database/after-commit.ts'
import type { Services } from '#server/platform/services.ts'

type OfDatabase = Pick<Services, 'db'>

/** Callbacks that wake the senders of this process, by database. */
const wakesByDatabase = new WeakMap<Services['db'], Set<() => void>>()

/** Calls `wake` after every commit of a message in this process. Returns a function that stops it. */
export function onMessages({ db }: OfDatabase, wake: () => void) {
  const wakes = wakesByDatabase.get(db) ?? new Set()
  wakesByDatabase.set(db, wakes.add(wake))
  return () => wakes.delete(wake)
}

/**
 * Wakes the sender of this process after the running transaction commits. Senders of other processes look every half
 * second, or every two seconds if nothing was due for a minute.
 */
export const wakeSender = ({ db }: OfDatabase) =>
  afterCommit(() => {
    for (const wake of wakesByDatabase.get(db) ?? []) wake()
  })
