import type { Localized } from '#entities/define/field.ts'
import { findEntity } from '#entities/index.ts'

type Say = (key: string, params?: Record<string, unknown>) => string

/** What an action of the audit log was, in words; an action nobody described shows its code. */
export function actionSentence(say: Say, action: string, language: keyof Localized): string {
  const [subject = '', step = ''] = action.split('.')
  const noun = findEntity(subject)?.label.one[language]
  const key = noun ? `audit:entityActions.${step}` : `audit:actions.${subject}.${step}`
  return say(key, { defaultValue: '', ...(noun && { noun: noun.toLowerCase() }) }) || action
}

/** What kind of record an entry is about, in words. */
export const subjectTypeWord = (say: Say, type: string, language: keyof Localized): string =>
  findEntity(type)?.label.one[language] ?? (say(`audit:types.${type}`, { defaultValue: '' }) || type)
