/** Characters of a biography in lists and in the card of a shared link. */
const longest = 200

/** The beginning of a biography on one line, ended after a whole word with `…` where it goes on. */
export function shortBiography(biography: string): string {
  const text = biography.replace(/\s+/g, ' ').trim()
  if (text.length <= longest) return text
  const begin = text.slice(0, longest)
  const lastSpace = begin.lastIndexOf(' ')
  return `${begin.slice(0, lastSpace > longest / 2 ? lastSpace : longest - 1).replace(/[\s.,;:!?]+$/, '')}…`
}
