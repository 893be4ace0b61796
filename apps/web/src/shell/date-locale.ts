import dayjs from 'dayjs'
import type { Language } from '#entities/define/language.ts'
import 'dayjs/locale/id'
import english from 'dayjs/locale/en'
import { monthsFor } from '#locales/format.ts'

const englishMonths = 'en-months'

/** Name of the English locale; its month names match those of all other dates. */
function englishLocale(): string {
  const names = { months: [...monthsFor('en', 'long')], monthsShort: [...monthsFor('en', 'short')] }
  dayjs.locale({ ...english, ...names, name: englishMonths }, undefined, true)
  return englishMonths
}

const locales: Record<Language, () => string> = { en: englishLocale, id: () => 'id' }

/** dayjs locale of a language. */
export const dateLocaleFor = (language: Language): string => locales[language]()
