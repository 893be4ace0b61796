import type { Words } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'

/** Text in the reader's language, otherwise in the other language; empty if neither is filled. */
export const textOf = (words: Words, language: Language): string =>
  words[language].trim() || words[language === 'en' ? 'id' : 'en'].trim()
