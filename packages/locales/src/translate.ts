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

const fixed: Record<Locale, Translate> = {
  en: instance.getFixedT('en') as unknown as Translate,
  id: instance.getFixedT('id') as unknown as Translate,
}

/** Sentences of every namespace in one language: `translator('id')('errors:not_found')`. */
export const translator = (language: Locale): Translate => fixed[language]

export const hasSentence = (key: string, language: Locale) => instance.exists(key, { lng: language, fallbackLng: [] })
