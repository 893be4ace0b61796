import { searchKeyOf } from '#domain/search/search-key.ts'

/** Letters a word needs for a typo to be tolerated. */
const typoLength = 4

/** Whether the typed word begins a word, with one letter too many, missing, wrong, or swapped with the next one. */
function isTypo(typed: string, word: string): boolean {
  let same = 0
  while (same < typed.length && typed[same] === word[same]) same++
  const begins = (typedFrom: number, wordFrom: number) => word.slice(wordFrom).startsWith(typed.slice(typedFrom))
  const isSwapped = typed[same] === word[same + 1] && typed[same + 1] === word[same]
  return (
    begins(same + 1, same + 1) ||
    begins(same + 1, same) ||
    begins(same, same + 1) ||
    (isSwapped && begins(same + 2, same + 2))
  )
}

/** Whether all typed words begin words of a text (in the form of `searchKeyOf`), at most one of them with a typo. */
export function matchOf(typed: string, text: string): 'exact' | 'typo' | null {
  const words = text.split(/\s+/).filter(Boolean)
  const missing = searchKeyOf(typed)
    .split(/\s+/)
    .filter((one) => one && !words.some((word) => word.startsWith(one)))
  if (missing.length === 0) return 'exact'
  const [typo] = missing
  const isTolerated =
    missing.length === 1 && typo !== undefined && typo.length >= typoLength && words.some((word) => isTypo(typo, word))
  return isTolerated ? 'typo' : null
}
