const together = (...parts: string[]) => parts.filter((part) => part !== '').join('\n\n')

/** Inserts refused texts before the newly typed text. Pass `returned` as `returnedBefore` next time. */
export function withReturned(text: string, returnedBefore: string, bodies: readonly string[]) {
  const isStillThere = returnedBefore !== '' && text.startsWith(returnedBefore)
  const before = isStillThere ? returnedBefore : ''
  const typed = text.slice(before.length).trim()
  const returned = together(before, ...bodies)
  return { returned, text: together(returned, typed === bodies.join('\n\n') ? '' : typed) }
}
