import type { FastifyRequest } from 'fastify'
import { isLanguage, type Language } from '#entities/define/language.ts'
import { knownLanguageOf } from '#server/platform/text.ts'

/** Language of a page that the server draws, and whether its address names it. */
export type PageLanguage = { language: Language; isNamed: boolean; isOfBrowser: boolean }

/**
 * The language of the address, else of the browser, else `otherwise`. For `otherwise` the sign-in page takes English,
 * as the app does; pages for visitors take Indonesian, because a visitor without a language is most likely a crawler,
 * a messenger that draws a preview, or a phone in a regional language.
 */
export function languageOfPage({ query, headers }: FastifyRequest, otherwise: Language): PageLanguage {
  const lang = ((query ?? {}) as { lang?: unknown }).lang
  const named = Array.isArray(lang) ? lang.at(-1) : lang
  if (isLanguage(named)) return { language: named, isNamed: true, isOfBrowser: false }
  const ofBrowser = knownLanguageOf(headers['accept-language'])
  return { language: ofBrowser ?? otherwise, isNamed: false, isOfBrowser: ofBrowser !== undefined }
}
