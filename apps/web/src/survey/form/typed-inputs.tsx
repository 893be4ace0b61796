/** @jsxImportSource preact */
import type { InputHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { surveyLimits } from '#domain/surveys/definition.ts'
import { controlOf, type InputProps, SingleField } from './field.tsx'
import { numberOf, typedNumber } from './typed-number.ts'
import { withPoints } from './words.ts'

type Attributes = 'id' | 'class' | 'inputMode' | 'autocomplete' | 'maxLength' | 'min' | 'max'
type LineAttributes = Pick<InputHTMLAttributes, Attributes | keyof ReturnType<typeof controlOf>>
type LineProps = LineAttributes &
  ({ type: 'text' } | { type: 'tel' } | { type: 'email' } | { type: 'date' }) & {
    start: string
    onText: (text: string, input: HTMLInputElement) => void
  }

/** Input that keeps the text as typed, because the parsed answer would turn `1.500` into `1500`. */
export function Line({ start, onText, ...attributes }: LineProps) {
  const [text, setText] = useState(start)
  const readInput = (input: HTMLInputElement) => {
    setText(input.value)
    onText(input.value, input)
  }
  return (
    <input class="sv-input" {...attributes} value={text} onInput={({ currentTarget }) => readInput(currentTarget)} />
  )
}

function limitsOf({ question, say }: InputProps): string {
  const { min, max } = question.number ?? {}
  if (min !== undefined && max !== undefined)
    return say('range', { minimum: withPoints(min), maximum: withPoints(max) })
  if (min !== undefined) return say('atLeast', { minimum: withPoints(min) })
  return max === undefined ? '' : say('atMost', { maximum: withPoints(max) })
}

export function NumberInput(props: InputProps) {
  const limits = limitsOf(props)
  return (
    <SingleField {...props}>
      <Line
        {...controlOf(props)}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        class="sv-input sv-short"
        start={typedNumber(props.answer)}
        onText={(text) => props.change(numberOf(text))}
      />
      {limits && <p class="sv-help">{limits}</p>}
    </SingleField>
  )
}

/**
 * Answer for an incomplete date. `answerProblems` refuses this text, but accepts undefined for an optional question.
 */
const halfDay = '?'

type DayProps = LineAttributes & { answer: unknown; onDay: (day: string | undefined) => void }

export const DayLine = ({ answer, onDay, ...attributes }: DayProps) => (
  <Line
    {...attributes}
    type="date"
    min="1900-01-01"
    max="2199-12-31"
    class="sv-input sv-short"
    start={typeof answer === 'string' && answer !== halfDay ? answer : ''}
    onText={(day, { validity }) => onDay(day || (validity.badInput ? halfDay : undefined))}
  />
)

export const DateInput = (props: InputProps) => (
  <SingleField {...props}>
    <DayLine {...controlOf(props)} autocomplete="off" answer={props.answer} onDay={props.change} />
  </SingleField>
)

export function TextInput(props: InputProps) {
  const { question, answer, change, say } = props
  const { maxLength = surveyLimits.answerText, multiline = false } = question.text ?? {}
  const text = typeof answer === 'string' ? answer : ''
  const control = {
    ...controlOf(props),
    class: 'sv-input',
    maxLength,
    autocomplete: 'off',
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      change(currentTarget.value || undefined),
  }
  return (
    <SingleField {...props}>
      {multiline ? <textarea {...control} rows={4} /> : <input {...control} type="text" />}
      {text.length > maxLength * 0.8 && (
        <p class="sv-help">{say('characters', { count: text.length, maximum: maxLength })}</p>
      )}
    </SingleField>
  )
}
