import { searchKeyOf } from '#domain/search/search-key.ts'

/** Longest key in characters; one character such as `ﷺ` becomes eighteen letters. */
const longest = 200

/**
 * Name as compared between leads: without accents, case, punctuation and double spaces. `Élan  Nur'aini` becomes `elan
 * nuraini`.
 */
export const nameKeyOf = (name: string) =>
  searchKeyOf(name)
    .replace(/[\p{M}.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .trim()
