type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/**
 * Query after a key pressed before the search field has the focus; null leaves the key to the browser. Enter adds
 * nothing, but must not press the button or link that still has the focus.
 */
export function addEarlyKey(query: string, { key, ctrlKey, metaKey, altKey, isComposing }: Key): string | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null
  if (key === 'Enter') return query
  if (key === 'Backspace') return query.slice(0, -1)
  return key.length === 1 ? query + key : null
}
