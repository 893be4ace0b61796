import { type Locale, resources } from '#locales/index.ts'

/** The sentence a person reads on the screen: the journeys press what is written there, in both languages. */
export const wordsOf =
  (language: Locale) =>
  (key: string, params: Record<string, string | number> = {}): string => {
    const [namespace = '', path = ''] = key.split(':')
    let found: unknown = (resources[language] as Record<string, unknown>)[namespace]
    for (const part of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[part]
    if (typeof found !== 'string') throw new Error(`No sentence ${key} in ${language}`)
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
  }
