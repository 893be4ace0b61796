import { describe, expect, it } from 'vitest'
import { type Question, questionKinds } from '#domain/surveys/definition.ts'
import { definitionProblems } from '#domain/surveys/definition-problems.ts'
import { changeKind, copyOf, emptyDefinition, moveBy, newQuestion, tidied } from './draft-changes.ts'
import { templates } from './templates.ts'

const words = { id: 'Ya', en: 'Yes' }
const choice: Question = {
  ...newQuestion('choice'),
  label: words,
  options: ['a', 'b'].map((key) => ({ key, label: words })),
}
const depending: Question = {
  ...newQuestion('text'),
  label: words,
  when: { question: choice.key, is: 'one-of', values: ['a'] },
}

describe('templates', () => {
  it.each(Object.entries(templates))('%s can be published as it stands', (_, template) =>
    expect(definitionProblems(template)).toEqual({}),
  )
})

describe('a new question', () => {
  it.each(questionKinds)('of kind %s lacks only words', (kind) => {
    const problems = definitionProblems({ ...emptyDefinition(), title: words, questions: [newQuestion(kind)] })
    expect(Object.entries(problems).filter(([, problem]) => problem !== 'field_required')).toEqual([])
  })
})

describe('changes of a draft', () => {
  it('moves items, but never past an end', () => {
    expect(moveBy(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(moveBy(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
    expect(moveBy(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  })

  it('gives a question a new key when its kind changes, which conditions follow', () => {
    const [several, text] = changeKind([choice, depending], 0, 'several')
    expect(several!.key).not.toBe(choice.key)
    expect(several!.options).toEqual(choice.options)
    expect(text!.when).toEqual({ question: several!.key, is: 'one-of', values: ['a'] })
    const [number, again] = changeKind([several!, text!], 0, 'number')
    expect(again!.when).toEqual({ question: number!.key, is: 'answered' })
  })

  it('copies a question with new keys', () => {
    const copy = copyOf(choice)
    expect([copy.key, ...copy.options!.map(({ key }) => key)]).not.toEqual(
      expect.arrayContaining([choice.key, 'a', 'b']),
    )
    expect(copy.options!.map(({ label }) => label)).toEqual([words, words])
  })

  it('omits words that are empty in both languages, and keeps those filled in one', () => {
    const sent = tidied({
      ...emptyDefinition(),
      intro: { id: ' ', en: '' },
      thanks: { id: 'Terima kasih', en: '' },
      questions: [{ ...choice, help: { id: '', en: '' } }],
    })
    expect(sent.intro).toBeUndefined()
    expect(sent.thanks).toEqual({ id: 'Terima kasih', en: '' })
    expect(sent.questions[0]!.help).toBeUndefined()
  })
})
