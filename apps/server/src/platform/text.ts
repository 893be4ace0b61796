import { isLanguage, type Language } from '#entities/define/language.ts'
import { hasSentence, translator } from '#locales/translate.ts'

/** Sentences in one language: `sentences('id')('errors:not_found')`. */
export const sentences = (language: Language) => translator(language)

/** Sentences in the form `problemSentences` expects. */
export const wordsIn = (language: Language) => ({
  t: sentences(language),
  has: (key: string) => hasSentence(key, language),
})

/** The available language with the highest weight in Accept-Language; English otherwise. */
export const languageOf = (acceptLanguage: string | undefined): Language => knownLanguageOf(acceptLanguage) ?? 'en'

/** The available language with the highest weight in Accept-Language; undefined if the header names none of ours. */
export function knownLanguageOf(acceptLanguage: string | undefined): Language | undefined {
  if (!acceptLanguage) return
  let best: Language | undefined
  let bestWeight = 0
  for (const part of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = part.trim().split(';')
    const language = tag.slice(0, 2).toLowerCase()
    if (!isLanguage(language)) continue
    const q = parameters.map((p) => p.trim()).find((p) => p.startsWith('q='))
    const weight = q ? Number(q.slice(2)) : 1
    if (weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}
