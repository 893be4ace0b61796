import dayjs from 'dayjs'
import type { Language } from '#entities/define/language.ts'
import 'dayjs/locale/id'
import english from 'dayjs/locale/en'
import { monthsFor } from '#locales/format.ts'

const englishMonths = 'en-months'

/** Name of a language's locale in dayjs; in English its month names equal those of every other date. */
export function dateLocaleFor(language: Language): string {
  if (language === 'id') return 'id'
  const names = { months: [...monthsFor('en', 'long')], monthsShort: [...monthsFor('en', 'short')] }
  dayjs.locale({ ...english, ...names, name: englishMonths }, undefined, true)
  return englishMonths
}
