import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { storageKeys } from '#domain/navigation/constants.ts'
import { isLanguage, type Language, languages } from '#entities/define/language.ts'

export const languageKey = 'language'

/** Sentences of the entrance pages and of the dashboard: two files for each language. */
const entranceFiles = import.meta.glob<Record<string, Record<string, unknown>>>(
  '../../../../packages/locales/src/*/{common,titles,accounts,navigation,dashboard,registration,admissions}.ts',
)

/** Each namespace is a file of its own, loaded when a page first uses it. */
async function load(language: string, namespace: string) {
  const path = `../../../../packages/locales/src/${language}/${namespace}.ts`
  const file = entranceFiles[path] ?? (await import('./sentences.ts')).sentenceFiles[path]
  if (!file) return {}
  const module = await file()
  return module[namespace] ?? Object.values(module)[0] ?? {}
}

/**
 * Indonesian replaces missing English sentences. To spare English readers a second copy of every text, a namespace is
 * fetched only if a sentence turns out to be missing, or when the language changes.
 */
const postponedNamespaces = new Set<string>()

async function fetchPostponed(namespaces: Iterable<string>) {
  await Promise.all(
    [...namespaces].map(async (namespace) => {
      if (!postponedNamespaces.delete(namespace)) return
      try {
        i18n.addResourceBundle('id', namespace, await load('id', namespace), true, true)
      } catch (error) {
        postponedNamespaces.add(namespace)
        throw error
      }
    }),
  )
}

/** Language of a mail, from the `lang` parameter of its link. */
const ofTheMail = (): Language | null => {
  const code = new URLSearchParams(location.search).get('lang')
  return isLanguage(code) ? code : null
}

const remembered = (): Language | null => {
  try {
    const code = localStorage.getItem(languageKey)
    return isLanguage(code) ? code : null
  } catch {
    return null
  }
}

/** First browser language that the product has; `first-paint.js` finds the same one. */
export const browserLanguage = (): Language | null =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? null

/** Whether Indonesian is among the languages of the browser, at any place. */
export const speaksIndonesian = () => navigator.languages.some((tag) => tag.slice(0, 2).toLowerCase() === 'id')

const narrow = (code: unknown): Language => (isLanguage(code) ? code : 'en')
export const currentLanguage = () => narrow(i18n.language)

/** The reader's language; re-renders the component when it changes. */
export const useLanguage = () => narrow(useTranslation().i18n.language)

export const i18n = i18next.createInstance()

/** For a signed-in reader, who will need the other sentences, fetches their list with the first page. */
function warmSentences() {
  try {
    if (localStorage.getItem(storageKeys.token)) import('./sentences.ts').catch(() => {})
  } catch {
    // Without storage nobody is signed in.
  }
}

export const startLanguage = () => {
  warmSentences()
  return i18n
    .use({
      type: 'backend' as const,
      read: (language: string, namespace: string, callback: (error: unknown, texts: unknown) => void) => {
        if (language === 'id' && i18n.language !== 'id') {
          postponedNamespaces.add(namespace)
          // Deferred: the caller may be rendering.
          return queueMicrotask(() => callback(null, {}))
        }
        load(language, namespace).then(
          (texts) => callback(null, texts),
          (error) => callback(error, null),
        )
      },
    })
    .use(initReactI18next)
    .init({
      lng: ofTheMail() ?? remembered() ?? browserLanguage() ?? 'en',
      supportedLngs: languages,
      // Shows sentences missing in English in Indonesian.
      fallbackLng: 'id',
      ns: ['common', 'titles'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      saveMissing: true,
      react: { useSuspense: true, bindI18nStore: 'added' },
    })
}

i18n.on('missingKey', (_languages: readonly string[], namespace: string) => {
  void fetchPostponed([namespace]).catch(() => {})
})
i18n.on('languageChanged', (language: string) => {
  document.documentElement.lang = language
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    // Without storage the next visit starts in the browser's language again.
  }
})

export async function setLanguage(language: Language) {
  if (language === 'id') await fetchPostponed(postponedNamespaces)
  await i18n.changeLanguage(language)
}
