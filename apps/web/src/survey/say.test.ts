import { expect, it } from 'vitest'
import { answerProblemCodes } from '#domain/surveys/definition.ts'
import { linkRefusals } from '#domain/surveys/surveys.ts'
import { sayIn } from './say.ts'

it('fills in sentences and uses the singular or plural form', () => {
  expect(sayIn('en')('waiting', { count: 1 })).toBe('1 answer is waiting to be sent')
  expect(sayIn('en')('waiting', { count: 3 })).toBe('3 answers are waiting to be sent')
  expect(sayIn('id')('problems.survey_number_range', { minimum: 1, maximum: 5 })).toBe('Tulis angka dari 1 sampai 5.')
  expect(sayIn('en')('nothing.of.the.kind')).toBe('')
})

it.each(['en', 'id'] as const)(
  'has a sentence for every problem of an answer and every closed link in %s',
  (language) => {
    const keys = [
      ...answerProblemCodes.map((code) => `problems.${code}`),
      ...linkRefusals.map((code) => `closed.${code}`),
    ]
    expect(keys.filter((key) => sayIn(language)(key) === '')).toEqual([])
  },
)
