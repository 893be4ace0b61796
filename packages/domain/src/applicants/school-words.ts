/**
 * A typed search as LIKE patterns over `school_search.words`, all of which must match. A short number is a whole word:
 * SMAN 1 is not SMAN 11.
 */
export const schoolPatterns = (typed: string): string[] =>
  typed
    .toLowerCase()
    .replace(/\b(?!np\d)([a-z]+)(\d)/g, '$1 $2')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => (/^\d{1,3}$/.test(word) ? `% ${word} %` : `%${word}%`))
