export const draftPrefix = 'draft:'

/** Deletes every draft on this device, because another person may use it next. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
}
