import { AsyncLocalStorage } from 'node:async_hooks'

type Later = { work: (() => void)[]; ended: boolean }

/** What the running transaction leaves until it has committed. */
const currentLater = new AsyncLocalStorage<Later>()

/** Calls `work` once the running transaction has committed, never if it is rolled back; at once outside of a transaction. */
export function afterCommit(work: () => void) {
  const later = currentLater.getStore()
  if (!later || later.ended) work()
  else later.work.push(work)
}

/** Runs a transaction, then what its code left until the commit. */
export async function collectingLaterWork<T>(transact: () => Promise<T>): Promise<T> {
  const later: Later = { work: [], ended: false }
  try {
    const result = await currentLater.run(later, transact)
    for (const work of later.work) work()
    return result
  } finally {
    later.ended = true
  }
}
