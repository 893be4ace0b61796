import type { Language } from '#entities/define/language.ts'
import { surveyForm as en } from '#locales/en/survey-form.ts'
import { surveyForm as id } from '#locales/id/survey-form.ts'

const sentences = { en, id }

export type Say = (key: string, params?: Record<string, string | number>) => string

/**
 * Returns a function that looks up a text and fills in `params`. If `key` has no text, `params.count` decides between
 * `key_one` and `key_other`.
 */
export const sayIn =
  (language: Language): Say =>
  (key, params = {}) => {
    const find = (name: string) =>
      name
        .split('.')
        .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], sentences[language])
    const sentence = find(key) ?? find(`${key}_${params.count === 1 ? 'one' : 'other'}`)
    return typeof sentence === 'string'
      ? sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
      : ''
  }
