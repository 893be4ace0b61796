import type { Words } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'

/** Text in `language`, otherwise in the other language. Empty if both are blank. */
export const textOf = (words: Words, language: Language): string =>
  words[language].trim() || words[language === 'en' ? 'id' : 'en'].trim()
