import i18next from 'i18next'
import { type Locale, resources } from './index.ts'

export type Translate = (key: string, params?: Record<string, unknown>) => string

const instance = i18next.createInstance()
instance.init({
  resources,
  lng: 'en',
  // English is the language one starts with; a sentence missing in it is shown in Indonesian.
  fallbackLng: 'id',
  ns: Object.keys(resources.en),
  defaultNS: 'messages',
  initAsync: false,
  interpolation: { escapeValue: false },
  returnNull: false,
})

const isLocalized = (value: unknown): value is Record<Locale, string> =>
  typeof value === 'object' && value !== null && 'en' in value && 'id' in value

/** A value given in both languages, such as the name of a permission, is said in the language of the sentence. */
const fixedIn = (language: Locale): Translate => {
  const translate = instance.getFixedT(language) as unknown as Translate
  return (key, params = {}) =>
    translate(
      key,
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, isLocalized(value) ? value[language] : value]),
      ),
    )
}

const fixed: Record<Locale, Translate> = { en: fixedIn('en'), id: fixedIn('id') }

/** Sentences of every namespace in one language: `translator('id')('errors:not_found')`. */
export const translator = (language: Locale): Translate => fixed[language]

export const hasSentence = (key: string, language: Locale) => instance.exists(key, { lng: language, fallbackLng: [] })
