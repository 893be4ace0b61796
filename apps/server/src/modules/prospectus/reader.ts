import type { FastifyRequest } from 'fastify'
import type { Language } from '#entities/define/language.ts'
import type { Translate } from '#locales/translate.ts'
import { languageOfPage } from '#server/platform/http/page-language.ts'
import { sentences } from '#server/platform/text.ts'
import type { Named } from './read-prospectus.ts'

/** Whom a page is written for: the language, its sentences, and addresses that keep a language chosen by a link. */
export type Reader = {
  language: Language
  t: Translate
  /** A name in the reader's language; the Indonesian one if staff entered no English one. */
  nameOf(named: Named): string
  /** The first text if it is in the reader's language, otherwise the Indonesian one. */
  textOf(english: string | null | undefined, indonesian: string | null | undefined): string
  /** Address of one of these pages. */
  to(path: string, query?: Query): string
  /** Whether the app would show another language than this page does, unless told. */
  tellsLanguage: boolean
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, one)
  return search.size > 0 ? `${path}?${search}` : path
}

/** The reader who asks for a page. */
export function readerOf(request: FastifyRequest): Reader {
  const { language, isNamed, isOfBrowser } = languageOfPage(request, 'id')
  return {
    language,
    t: sentences(language),
    nameOf: ({ name, nameEn }) => (language === 'en' && nameEn) || name,
    textOf: (english, indonesian) => (language === 'en' && english) || indonesian || '',
    to: (path, query = {}) => withQuery(path, { ...(isNamed && { lang: language }), ...query }),
    tellsLanguage: !isOfBrowser,
  }
}
