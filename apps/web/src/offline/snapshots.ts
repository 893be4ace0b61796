import { openDB } from 'idb'
import { snapshotDatabase } from '#web/ui/form/forget-drafts.ts'

type Snapshot<T> = { data: T; savedAt: string }

const open = () => openDB(snapshotDatabase, 1, { upgrade: (database) => void database.createObjectStore('snapshots') })

/**
 * Keeps an answer of the server on this device for work without network. Signing out deletes every snapshot, so the
 * database is closed after each use.
 */
export async function keepSnapshot<T>(key: string, data: T) {
  const database = await open()
  const snapshot: Snapshot<T> = { data, savedAt: new Date().toISOString() }
  await database.put('snapshots', snapshot, key).finally(() => database.close())
}

export async function findSnapshot<T>(key: string): Promise<Snapshot<T> | undefined> {
  const database = await open()
  return database.get('snapshots', key).finally(() => database.close()) as Promise<Snapshot<T> | undefined>
}
