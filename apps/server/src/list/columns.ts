import { type AnyList, columnWord, filterWord, type ListColumn, type ValueWords, type Word } from '#domain/list.ts'
import type { Locale } from '#locales/index.ts'
import { hasSentence } from '#locales/translate.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { sentences } from '#server/platform/text.ts'

type Row = Record<string, unknown>

const maskings: Record<NonNullable<ListColumn['masked']>['as'], (value: string) => string> = {
  phone: (value) => `${value.slice(0, 6)}****${value.slice(-3)}`,
  text: (value) => `••••${value.slice(-4)}`,
}

const columnsOf = (list: AnyList) => Object.entries(list.columns as Record<string, ListColumn>)

/** What a row leaves of itself for this reader: columns without the right to them are empty, masked ones cut short. */
export function maskerOf(list: AnyList, actor: Actor) {
  const { permissions } = actor
  const hidden = columnsOf(list).flatMap(([key, { right }]) => (right && !permissions.has(right) ? [key] : []))
  const masked = columnsOf(list).flatMap(([key, { masked: rule }]) =>
    rule && (rule.evenOwn || !isApplicant(actor)) && !permissions.has(rule.without)
      ? [[key, maskings[rule.as]] as const]
      : [],
  )
  return <R extends object>(row: R): R => {
    if (hidden.length + masked.length === 0) return row
    const seen = { ...row } as Row
    for (const key of hidden) seen[key] = null
    for (const [key, mask] of masked) if (typeof seen[key] === 'string') seen[key] = mask(seen[key])
    return seen as R
  }
}

/** The columns a reader may have, in their order. */
export const columnsFor = (list: AnyList, { permissions }: Actor) =>
  columnsOf(list).filter(([, { right }]) => !right || permissions.has(right))

export const said = (word: Word, language: Locale) =>
  typeof word === 'string' ? sentences(language)(word) : word[language]

/** A value as it is read; one without a name stays as it is. */
export function valueIn(words: ValueWords, value: unknown, language: Locale) {
  if (typeof words !== 'string') return words[String(value)]?.[language] ?? String(value)
  const key = `${words}.${value}`
  return hasSentence(key, language) ? sentences(language)(key) : String(value)
}

export const titleIn = (list: AnyList, language: Locale) => said(list.words.title, language)

export const headIn = (list: AnyList, key: string, language: Locale) => said(columnWord(list, key), language)

export const filterIn = (list: AnyList, key: string, language: Locale) =>
  said(key === 'q' ? 'list:searched' : filterWord(list, key), language)
