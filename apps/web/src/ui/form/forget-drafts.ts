export const draftPrefix = 'draft:'

/** Database of the answers kept for work without network; see `offline/snapshots.ts`. */
export const snapshotDatabase = 'pmb-snapshots'

/** Deletes every draft and snapshot on this device, because another person may use it next. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  globalThis.indexedDB?.deleteDatabase(snapshotDatabase)
}
