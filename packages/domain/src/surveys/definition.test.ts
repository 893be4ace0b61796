import { describe, expect, test } from 'vitest'
import {
  type Answers,
  answerProblems,
  askedQuestions,
  isAsked,
  keptAnswers,
  type Question,
  type SurveyDefinition,
} from './definition.ts'
import { definitionProblems } from './definition-problems.ts'
import { surveyDefinition } from './definition-schema.ts'

const words = (text: string) => ({ id: text, en: text })
const question = (key: string, more: Partial<Question> = {}): Question => ({
  key,
  kind: 'text',
  label: words(key),
  required: false,
  ...(more.kind === undefined && { text: { maxLength: 20, multiline: false } }),
  ...more,
})
const options = [
  { key: 'yes', label: words('Yes') },
  { key: 'no', label: words('No') },
]
const choice = (key: string, more: Partial<Question> = {}) => question(key, { kind: 'choice', options, ...more })
const survey = (...questions: Question[]): SurveyDefinition => ({ title: words('A survey'), questions })
const codes = (questions: Question[], answers: Record<string, unknown>) =>
  answerProblems({ questions }, answers).map(({ question: key, part, code }) =>
    [key, part, code].filter(Boolean).join(' '),
  )
const uuid = '0b8f6a52-9d0c-4c8e-8d4c-6f0d3a1f2b3c'

describe('answers', () => {
  test('every problem is named, in the order of the questions', () => {
    const questions = [
      choice('a', { required: true }),
      choice('b'),
      question('c', { kind: 'scale', scale: { from: 1, to: 5 } }),
      question('d', { kind: 'date' }),
    ]
    expect(codes(questions, { b: 'maybe', c: 6, d: '2026-02-30', z: 1 })).toEqual([
      'a field_required',
      'b survey_option_unknown',
      'c survey_number_range',
      'd survey_answer_unusable',
      'z survey_question_unknown',
    ])
  })

  const right: [string, Question, unknown][] = [
    ['a choice', choice('a'), 'yes'],
    ['several options', question('a', { kind: 'several', options }), ['no', 'yes']],
    ['the ends of a scale', question('a', { kind: 'scale', scale: { from: 0, to: 10 } }), 10],
    ['a number with a fraction', question('a', { kind: 'number', number: { min: 0 } }), 2.5],
    ['a leap day', question('a', { kind: 'date' }), '2028-02-29'],
    ['a text of exactly the longest length', question('a'), 'x'.repeat(20)],
    ['a listed school', question('a', { kind: 'school' }), { id: uuid }],
    ['a school that is not listed', question('a', { kind: 'school' }), { name: 'SMA Jauh' }],
    ['a photo', question('a', { kind: 'photo' }), { id: uuid }],
    [
      'a contact with everything',
      question('a', { kind: 'contact' }),
      { name: 'Ani', phone: '0812 3456 7890', email: 'ani@example.com', birthDate: '2008-05-01', consent: true },
    ],
    [
      'a contact with empty extras',
      question('a', { kind: 'contact' }),
      { name: 'Ani', phone: '081234567890', email: '', consent: true },
    ],
  ]
  test.each(right)('%s is accepted', (_name, asked, answer) => {
    expect(codes([asked], { a: answer })).toEqual([])
  })

  const wrong: [string, Question, unknown, string][] = [
    ['an object for a choice', choice('a'), {}, 'a survey_answer_unusable'],
    ['an option twice', question('a', { kind: 'several', options }), ['yes', 'yes'], 'a survey_answer_unusable'],
    [
      'half a step of a scale',
      question('a', { kind: 'scale', scale: { from: 1, to: 5 } }),
      2.5,
      'a survey_answer_unusable',
    ],
    ['a number in words', question('a', { kind: 'number' }), '5', 'a survey_answer_unusable'],
    ['a year of five digits', question('a', { kind: 'date' }), '1850-01-01', 'a date_out_of_range'],
    ['a text that is too long', question('a'), 'x'.repeat(21), 'a survey_text_too_long'],
    [
      'a school with id and name',
      question('a', { kind: 'school' }),
      { id: uuid, name: 'SMA' },
      'a survey_answer_unusable',
    ],
    [
      'a contact without consent',
      question('a', { kind: 'contact' }),
      { name: 'Ani', phone: '081234567890' },
      'a consent survey_consent_required',
    ],
    [
      'a foreign number',
      question('a', { kind: 'contact' }),
      { name: 'Ani', phone: '+1 202 555', consent: true },
      'a phone phone_invalid',
    ],
    ['a photo with a path for an id', question('a', { kind: 'photo' }), { id: '../x' }, 'a survey_answer_unusable'],
  ]
  test.each(wrong)('%s is refused', (_name, asked, answer, expected) => {
    expect(codes([asked], { a: answer })).toEqual([expected])
  })

  test('names of object properties are no answers', () => {
    expect(codes([question('constructor', { required: true })], {})).toEqual(['constructor field_required'])
  })
})

describe('conditions', () => {
  const questions = [
    choice('a'),
    choice('b', { when: { question: 'a', is: 'one-of', values: ['yes'] }, required: true }),
    question('c', { when: { question: 'b', is: 'answered' }, required: true }),
  ]
  const keys = (answers: Answers) => askedQuestions({ questions }, answers).map(({ key }) => key)

  test('a question opens with the answer it waits for', () => {
    expect([keys({}), keys({ a: 'no' }), keys({ a: 'yes' }), keys({ a: 'yes', b: 'no' })]).toEqual([
      ['a'],
      ['a'],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
  })

  test('an answer to a question no longer asked opens nothing, is not checked and is not kept', () => {
    const answers = { a: 'no', b: 'maybe', c: 'x'.repeat(99) }
    expect([keys(answers as Answers), codes(questions, answers), keptAnswers({ questions }, answers)]).toEqual([
      ['a'],
      [],
      { a: 'no' },
    ])
  })

  test('one of several options is enough, and steps of a scale are compared as text', () => {
    const when = { question: 'x', is: 'one-of', values: ['2', 'no'] } as const
    const conditional = { when: { ...when, values: [...when.values] } }
    expect([
      isAsked(conditional, { x: ['yes', 'no'] }),
      isAsked(conditional, { x: 2 }),
      isAsked(conditional, { x: 3 }),
    ]).toEqual([true, true, false])
  })
})

describe('definitions', () => {
  const problems = (...questions: Question[]) => Object.entries(definitionProblems(survey(...questions)))

  test('a complete one has no problems', () => {
    const whole = survey(
      choice('a'),
      question('b', {
        kind: 'scale',
        scale: { from: 1, to: 5 },
        when: { question: 'a', is: 'one-of', values: ['no'] },
      }),
      question('c', {
        kind: 'contact',
        consent: words('I agree'),
        when: { question: 'b', is: 'one-of', values: ['5'] },
      }),
    )
    expect(definitionProblems(whole)).toEqual({})
    expect(surveyDefinition.parse(whole)).toEqual(whole)
  })

  test('words are needed in both languages, help in both or none', () => {
    const half = question('a', { label: { id: 'Nama', en: ' ' }, help: { id: '', en: 'Help' } })
    expect(problems(half)).toEqual([
      ['questions.0.label.en', 'field_required'],
      ['questions.0.help.id', 'field_required'],
    ])
  })

  test('every problem of every question is named', () => {
    expect(
      problems(
        choice('a', { options: [options[0]!, options[0]!] }),
        choice('a', { options: [] }),
        question('c', { kind: 'scale', scale: { from: 5, to: 5 } }),
        question('d', { kind: 'number', number: { min: 2, max: 1 } }),
        question('e', { kind: 'contact' }),
        question('f', { kind: 'contact', consent: words('Yes'), when: { question: 'g', is: 'answered' } }),
        question('g', { when: { question: 'd', is: 'one-of', values: ['1'] } }),
      ).map(([field]) => field),
    ).toEqual([
      'questions.0.options.1.key',
      'questions.1.key',
      'questions.1.options',
      'questions.2.scale.to',
      'questions.3.number.max',
      'questions.4.consent.id',
      'questions.4.consent.en',
      'questions.5.kind',
      'questions.5.when.question',
      'questions.6.when.values',
    ])
  })

  test('a survey without questions cannot be published', () => {
    expect(problems()).toEqual([['questions', 'survey_without_questions']])
  })
})
