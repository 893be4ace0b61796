import { openDB } from 'idb'
import { keysFrom, snapshotDatabase } from '#web/ui/form/forget-drafts.ts'

type Snapshot<T> = { data: T; savedAt: string }

/** Values stored on this device by key, in a database that is closed after each use so that it can be deleted. */
export function snapshotsIn(databaseName: string) {
  const open = () => openDB(databaseName, 1, { upgrade: (database) => void database.createObjectStore('snapshots') })
  return {
    async keep<T>(key: string, data: T) {
      const database = await open()
      const snapshot: Snapshot<T> = { data, savedAt: new Date().toISOString() }
      await database.put('snapshots', snapshot, key).finally(() => database.close())
    },
    async find<T>(key: string): Promise<Snapshot<T> | undefined> {
      const database = await open()
      return database.get('snapshots', key).finally(() => database.close()) as Promise<Snapshot<T> | undefined>
    },
    /** Replaces all values whose keys start with `prefix` by one. */
    async keepOnly<T>(prefix: string, key: string, data: T) {
      const database = await open()
      const { store, done } = database.transaction('snapshots', 'readwrite')
      const snapshot: Snapshot<T> = { data, savedAt: new Date().toISOString() }
      await Promise.all([store.delete(keysFrom(prefix)), store.put(snapshot, key), done]).finally(() =>
        database.close(),
      )
    },
    async forget(key: string) {
      const database = await open()
      await database.delete('snapshots', key).finally(() => database.close())
    },
  }
}

/** Server answers stored for work without network; signing out deletes them. */
export const {
  keep: keepSnapshot,
  keepOnly: keepOnlySnapshot,
  find: findSnapshot,
  forget: forgetSnapshot,
} = snapshotsIn(snapshotDatabase)
