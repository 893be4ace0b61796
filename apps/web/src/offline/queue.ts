import { type DBSchema, openDB } from 'idb'

/** A write waiting on this device for the network; `id` makes it happen once, however often it is sent. */
export type QueuedItem<T> = {
  id: string
  /** Subject of the write, such as `attendance:<session>`. */
  topic: string
  /** Account that made the write; only this account sends it. */
  owner: string
  /** Device clock. */
  at: string
  data: T
}

interface Schema extends DBSchema {
  items: { key: string; value: QueuedItem<unknown>; indexes: { topic: [string, string] } }
}

const open = () =>
  openDB<Schema>('pmb-queue', 1, {
    upgrade: (database) =>
      void database.createObjectStore('items', { keyPath: 'id' }).createIndex('topic', ['owner', 'topic']),
    terminated: forget,
  })
let opened: ReturnType<typeof open> | undefined
/** A browser may close a connection or refuse the first one; the next write opens another. */
function forget() {
  opened = undefined
}
const database = () => {
  if (opened) return opened
  const opening = open()
  opened = opening
  opening.catch(forget)
  return opening
}

/** Stores a write on this device and asks the browser not to delete it when space is short. */
export async function addToQueue<T>(item: QueuedItem<T>) {
  await putInQueue([item])
  void navigator.storage?.persist?.()
}

/** Stores new or changed items at once, so that they survive a battery dying a moment later. */
export async function putInQueue<T>(items: readonly QueuedItem<T>[]) {
  const transaction = (await database()).transaction('items', 'readwrite', { durability: 'strict' })
  await Promise.all([...items.map((item) => transaction.store.put(item)), transaction.done])
}

/** Waiting writes of a topic, oldest first. */
export async function queuedItems<T>(owner: string, topic: string): Promise<QueuedItem<T>[]> {
  const items = (await (await database()).getAllFromIndex('items', 'topic', [owner, topic])) as QueuedItem<T>[]
  return items.sort((a, b) => a.at.localeCompare(b.at))
}

export const findQueued = async <T>(id: string): Promise<QueuedItem<T> | undefined> =>
  (await database()).get('items', id) as Promise<QueuedItem<T> | undefined>

export const countQueued = async (owner: string, topic: string): Promise<number> =>
  (await database()).countFromIndex('items', 'topic', [owner, topic])

export async function removeFromQueue(ids: readonly string[]) {
  if (ids.length === 0) return
  const transaction = (await database()).transaction('items', 'readwrite')
  await Promise.all([...ids.map((id) => transaction.store.delete(id)), transaction.done])
}
