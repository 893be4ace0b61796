export const draftPrefix = 'draft:'

/** Database of server answers stored for work without network; see `offline/snapshots.ts`. */
export const snapshotDatabase = 'pmb-snapshots'

/** Start of the keys of dashboards in the database of snapshots; the account's id follows. */
export const dashboardPrefix = 'dashboard:'

/** Every key that starts with `prefix`. */
export const keysFrom = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

/** Deletes the dashboards on this device. Without the library of `snapshots.ts`, so that it works without network too. */
export function forgetDashboards() {
  const opening = globalThis.indexedDB?.open(snapshotDatabase)
  if (!opening) return
  // Nothing is kept yet: the database is not created.
  opening.onupgradeneeded = () => opening.transaction?.abort()
  opening.onsuccess = () => {
    const database = opening.result
    const store = database.transaction('snapshots', 'readwrite').objectStore('snapshots')
    store.delete(keysFrom(dashboardPrefix))
    database.close()
  }
}

/** Deletes all drafts and snapshots on this device, because another person may use it next. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  globalThis.indexedDB?.deleteDatabase(snapshotDatabase)
}
