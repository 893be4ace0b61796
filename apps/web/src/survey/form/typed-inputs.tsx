import { surveyLimits } from '#domain/surveys/definition.ts'
import { h, setText } from '#web/survey/dom.ts'
import { type InputOptions, type QuestionInput, singleField, withPoints } from './input.ts'

/** Parses a number in Indonesian notation: `1.500` and `1500` are equal, and a comma starts the decimals. */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.replace(/\s/g, '')
  if (text === '') return undefined
  const plain = /^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text
  const value = Number(plain.replace(',', '.'))
  return Number.isFinite(value) ? value : typed
}

/** Formats a number as `numberOf` parses it. */
const typedNumber = (answer: unknown) =>
  typeof answer === 'number' ? String(answer).replace('.', ',') : typeof answer === 'string' ? answer : ''

function limitsOf({ question, say }: InputOptions): string {
  const { min, max } = question.number ?? {}
  if (min !== undefined && max !== undefined)
    return say('range', { minimum: withPoints(min), maximum: withPoints(max) })
  if (min !== undefined) return say('atLeast', { minimum: withPoints(min) })
  return max === undefined ? '' : say('atMost', { maximum: withPoints(max) })
}

export function numberInput(options: InputOptions): QuestionInput {
  const input = h('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    class: 'sv-input sv-short',
    value: typedNumber(options.answer),
    input: () => options.change(numberOf(input.value)),
  })
  const limits = limitsOf(options)
  return singleField(options, input, limits !== '' && h('p', { class: 'sv-help' }, limits))
}

/** A date field. A half-typed day is an answer too, so that it is refused instead of lost. */
export function dayField(answer: unknown, change: (day: string | undefined) => void, autocomplete = 'off') {
  const input = h('input', {
    type: 'date',
    min: '1900-01-01',
    max: '2199-12-31',
    autocomplete,
    class: 'sv-input sv-short',
    value: typeof answer === 'string' ? answer : '',
    input: () => change(input.value || (input.validity.badInput ? '?' : undefined)),
  })
  return input
}

export const dateInput = (options: InputOptions): QuestionInput =>
  singleField(options, dayField(options.answer, options.change))

export function textInput(options: InputOptions): QuestionInput {
  const { question, answer, say } = options
  const { maxLength = surveyLimits.answerText, multiline = false } = question.text ?? {}
  const count = h('p', { class: 'sv-help', hidden: true })
  const showCount = (length: number) =>
    setText(count, length > maxLength * 0.8 ? say('characters', { count: length, maximum: maxLength }) : '')
  const input = h(multiline ? 'textarea' : 'input', {
    class: 'sv-input',
    maxlength: maxLength,
    autocomplete: 'off',
    ...(multiline ? { rows: 4 } : { type: 'text' }),
    input: () => {
      showCount(input.value.length)
      options.change(input.value === '' ? undefined : input.value)
    },
  }) as HTMLInputElement | HTMLTextAreaElement
  input.value = typeof answer === 'string' ? answer : ''
  showCount(input.value.length)
  return singleField(options, input, count)
}
