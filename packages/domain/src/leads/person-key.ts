import { searchKeyOf } from '#domain/search/search-key.ts'

/** Most characters of a key; a sign such as `ﷺ` becomes eighteen letters. */
const longest = 200

/** A name as leads are compared by it: without accents, case, punctuation and double spaces; `Élan  Nur'aini` is `elan nuraini`. */
export const nameKeyOf = (name: string) =>
  searchKeyOf(name)
    .replace(/[\p{M}.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .trim()
