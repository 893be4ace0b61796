import i18next from 'i18next'
import type { Language } from '#entities/define/language.ts'
import { resources } from './index.ts'

export type Translate = (key: string, params?: Record<string, unknown>) => string

const instance = i18next.createInstance()
instance.init({
  resources,
  lng: 'en',
  // Sentences missing in English appear in Indonesian.
  fallbackLng: 'id',
  ns: Object.keys(resources.en),
  // Titles of staff pages are apart, so that applicants do not load them.
  fallbackNS: 'staff-titles',
  defaultNS: 'messages',
  initAsync: false,
  interpolation: { escapeValue: false },
  returnNull: false,
})

const isLocalized = (value: unknown): value is Record<Language, string> =>
  typeof value === 'object' && value !== null && 'en' in value && 'id' in value

/** Translates with parameters in both languages, such as permission names, reduced to the sentence's language. */
const makeTranslator = (language: Language): Translate => {
  const translate = instance.getFixedT(language) as unknown as Translate
  return (key, params = {}) =>
    translate(
      key,
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, isLocalized(value) ? value[language] : value]),
      ),
    )
}

const translators: Record<Language, Translate> = { en: makeTranslator('en'), id: makeTranslator('id') }

/** Sentences of every namespace in one language: `translator('id')('errors:not_found')`. */
export const translator = (language: Language): Translate => translators[language]

export const hasSentence = (key: string, language: Language) => instance.exists(key, { lng: language, fallbackLng: [] })
