/** Characters of a biography in lists and in link previews. */
const longest = 200

/** Beginning of a biography on one line, cut after a whole word and marked with `…` if longer. */
export function shortBiography(biography: string): string {
  const text = biography.replace(/\s+/g, ' ').trim()
  if (text.length <= longest) return text
  const begin = text.slice(0, longest)
  const lastSpace = begin.lastIndexOf(' ')
  return `${begin.slice(0, lastSpace > longest / 2 ? lastSpace : longest - 1).replace(/[\s.,;:!?]+$/, '')}…`
}
