import { afterCommit } from '#server/platform/database/after-commit.ts'
import type { Services } from '#server/platform/services.ts'

type OfDatabase = Pick<Services, 'db'>

/** What wakes the senders of this process, by the database they send for. */
const wakesByDatabase = new WeakMap<Services['db'], Set<() => void>>()

/** Lets `wake` be called whenever a message is committed in this process; returns what ends that. */
export function onMessages({ db }: OfDatabase, wake: () => void) {
  const wakes = wakesByDatabase.get(db) ?? new Set()
  wakesByDatabase.set(db, wakes.add(wake))
  return () => wakes.delete(wake)
}

/** Wakes the sender of this process once the running transaction has committed. Other processes look every half second. */
export const wakeSender = ({ db }: OfDatabase) =>
  afterCommit(() => {
    for (const wake of wakesByDatabase.get(db) ?? []) wake()
  })
