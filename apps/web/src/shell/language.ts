import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { isLanguage, type Language, languages } from '#entities/define/language.ts'

export const languageKey = 'language'

const files = import.meta.glob<Record<string, Record<string, unknown>>>([
  '../../../../packages/locales/src/{en,id}/*.ts',
  '!../../../../packages/locales/src/{en,id}/messages.ts',
])

/** Each namespace is a file of its own and arrives when the first page asks for it. */
async function load(language: string, namespace: string) {
  const file = files[`../../../../packages/locales/src/${language}/${namespace}.ts`]
  if (!file) return {}
  const module = await file()
  return module[namespace] ?? Object.values(module)[0] ?? {}
}

/**
 * Indonesian stands in for a missing English sentence, but no reader of English should wait for a second copy of every
 * text: it is fetched when a sentence turns out to be missing, or when the language changes.
 */
const postponed = new Set<string>()

async function fetchPostponed(namespaces: Iterable<string>) {
  await Promise.all(
    [...namespaces].map(async (namespace) => {
      if (!postponed.delete(namespace)) return
      try {
        i18n.addResourceBundle('id', namespace, await load('id', namespace), true, true)
      } catch (error) {
        postponed.add(namespace)
        throw error
      }
    }),
  )
}

/** The language a mail was written in, which its link names. */
const ofTheMail = (): Language | null => {
  const named = new URLSearchParams(location.search).get('lang')
  return isLanguage(named) ? named : null
}

const remembered = (): Language => {
  try {
    return narrow(localStorage.getItem(languageKey))
  } catch {
    return 'en'
  }
}

const narrow = (code: unknown): Language => (isLanguage(code) ? code : 'en')
export const currentLanguage = () => narrow(i18n.language)

/** Language of the reader; the component renders again when it changes. */
export const useLanguage = () => narrow(useTranslation().i18n.language)

export const i18n = i18next.createInstance()

export const startLanguage = () =>
  i18n
    .use({
      type: 'backend' as const,
      read: (language: string, namespace: string, done: (error: unknown, texts: unknown) => void) => {
        if (language === 'id' && i18n.language !== 'id') {
          postponed.add(namespace)
          // Not at once: whoever asks may be in the middle of drawing the page.
          return queueMicrotask(() => done(null, {}))
        }
        load(language, namespace).then(
          (texts) => done(null, texts),
          (error) => done(error, null),
        )
      },
    })
    .use(initReactI18next)
    .init({
      lng: ofTheMail() ?? remembered(),
      supportedLngs: languages,
      // A sentence missing in English is shown in Indonesian.
      fallbackLng: 'id',
      ns: ['common', 'titles'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      saveMissing: true,
      react: { useSuspense: true, bindI18nStore: 'added' },
    })

i18n.on('missingKey', (_languages: readonly string[], namespace: string) => {
  void fetchPostponed([namespace]).catch(() => {})
})
i18n.on('languageChanged', (language: string) => {
  document.documentElement.lang = language
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    // A browser without storage simply starts in English the next time.
  }
})

export async function setLanguage(language: Language) {
  if (language === 'id') await fetchPostponed(postponed)
  await i18n.changeLanguage(language)
}
