export const draftPrefix = 'draft:'

/** Database of server answers stored for work without network; see `offline/snapshots.ts`. */
export const snapshotDatabase = 'pmb-snapshots'

/** Deletes all drafts and snapshots on this device, because another person may use it next. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  globalThis.indexedDB?.deleteDatabase(snapshotDatabase)
}
