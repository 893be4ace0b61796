import type { Language } from '#entities/define/language.ts'
import { resources } from '#locales/index.ts'

/** Returns the sentences for a locale key in both languages, which the journeys look for on screen. */
export const wordsOf =
  (language: Language) =>
  (key: string, params: Record<string, string | number> = {}): string => {
    const [namespace = '', path = ''] = key.split(':')
    let node: unknown = (resources[language] as Record<string, unknown>)[namespace]
    for (const part of path.split('.')) node = (node as Record<string, unknown> | undefined)?.[part]
    if (typeof node !== 'string') throw new Error(`No sentence ${key} in ${language}`)
    return node.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
  }
