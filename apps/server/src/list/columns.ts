import { type AnyList, columnWord, filterWord, type ListColumn, type ValueWords, type Word } from '#domain/list.ts'
import type { Language } from '#entities/define/language.ts'
import { hasSentence } from '#locales/translate.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskListedPhone, maskText } from '#server/platform/access/masks.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { sentences } from '#server/platform/text.ts'

type Row = Record<string, unknown>

const masks: Record<NonNullable<ListColumn['masked']>['as'], (value: string) => string> = {
  phone: maskListedPhone,
  text: maskText,
}

const columnsOf = (list: AnyList) => Object.entries(list.columns as Record<string, ListColumn>)

/**
 * Returns a function that sets columns the actor has no right to to null, and shortens columns masked for the actor.
 */
export function maskerOf(list: AnyList, actor: Actor) {
  const { permissions } = actor
  const hiddenKeys = columnsOf(list).flatMap(([key, { right }]) => (right && !permissions.has(right) ? [key] : []))
  const masksByKey = columnsOf(list).flatMap(([key, { masked: rule }]) =>
    rule && (rule.evenOwn || !isApplicant(actor)) && !permissions.has(rule.without)
      ? [[key, masks[rule.as]] as const]
      : [],
  )
  return <R extends object>(row: R): R => {
    if (hiddenKeys.length + masksByKey.length === 0) return row
    const visibleRow = { ...row } as Row
    for (const key of hiddenKeys) visibleRow[key] = null
    for (const [key, mask] of masksByKey)
      if (typeof visibleRow[key] === 'string') visibleRow[key] = mask(visibleRow[key])
    return visibleRow as R
  }
}

/** Columns the actor has the right to, in list order. */
export const columnsFor = (list: AnyList, { permissions }: Actor) =>
  columnsOf(list).filter(([, { right }]) => !right || permissions.has(right))

/** Whether the actor may sort the list by a column or another order, such as `name` or `-name`. */
export function maySortBy(list: AnyList, { permissions }: Actor, sort: string): boolean {
  const { right, sortRight, masked } = (list.columns as Record<string, ListColumn>)[sort.replace(/^-/, '')] ?? {}
  return [right, sortRight, masked?.without].every((permission) => !permission || permissions.has(permission))
}

export const textIn = (word: Word, language: Language) =>
  typeof word === 'string' ? sentences(language)(word) : word[language]

/** Name of a value, such as a status, in a language; the value itself if it has no name. */
export function valueIn(words: ValueWords, value: unknown, language: Language) {
  if (typeof words !== 'string') return words[String(value)]?.[language] ?? String(value)
  const key = `${words}.${value}`
  return hasSentence(key, language) ? sentences(language)(key) : String(value)
}

export const titleIn = (list: AnyList, language: Language) => textIn(list.words.title, language)

export const headIn = (list: AnyList, key: string, language: Language) => textIn(columnWord(list, key), language)

export const filterIn = (list: AnyList, key: string, language: Language) =>
  textIn(key === 'q' ? 'list:searched' : filterWord(list, key), language)
