import type { Localized } from '#entities/define/language.ts'
import { findEntity } from '#entities/index.ts'

type Say = (key: string, params?: Record<string, unknown>) => string

/** Sentence of an action in the audit log; the code itself if it has none. */
export function actionSentence(say: Say, action: string, language: keyof Localized): string {
  const [subject = '', step = ''] = action.split('.')
  const noun = findEntity(subject)?.label.one[language]
  const key = noun ? `audit:entityActions.${step}` : `audit:actions.${subject}.${step}`
  return say(key, { defaultValue: '', ...(noun && { noun: noun.toLowerCase() }) }) || action
}

/** Word for the kind of record of an entry. */
export const subjectTypeWord = (say: Say, type: string, language: keyof Localized): string =>
  findEntity(type)?.label.one[language] ?? (say(`audit:types.${type}`, { defaultValue: '' }) || type)
