import { searchKeyOf } from '#domain/search/search-key.ts'

/**
 * LIKE patterns for searching `school_search.words`; all must match. A number of up to three digits must match a whole
 * word: SMAN 1 is not SMAN 11.
 */
export const schoolPatterns = (text: string): string[] =>
  searchKeyOf(text)
    .replace(/\b(?!np\d)([a-z]+)(\d)/g, '$1 $2')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => (/^\d{1,3}$/.test(word) ? `% ${word} %` : `%${word}%`))
