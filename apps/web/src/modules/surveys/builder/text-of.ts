import type { Words } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'

/** Words in the reader's language, else in the other one; empty without either. */
export const textOf = (words: Words, language: Language): string =>
  words[language].trim() || words[language === 'en' ? 'id' : 'en'].trim()
