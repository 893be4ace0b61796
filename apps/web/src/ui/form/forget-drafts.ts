export const draftPrefix = 'draft:'

/** Forgets every draft on this device: somebody else may use it next. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
}
