const together = (...parts: string[]) => parts.filter((part) => part !== '').join('\n\n')

/**
 * The text of a field into which refused texts come back: behind those that came back before, ahead of what was typed
 * since. `returned` is what of the text came back so far.
 */
export function withReturned(text: string, returnedBefore: string, bodies: readonly string[]) {
  const isStillThere = returnedBefore !== '' && text.startsWith(returnedBefore)
  const before = isStillThere ? returnedBefore : ''
  const typed = text.slice(before.length).trim()
  const returned = together(before, ...bodies)
  return { returned, text: together(returned, typed === bodies.join('\n\n') ? '' : typed) }
}
