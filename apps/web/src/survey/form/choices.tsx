/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { GroupField, type InputProps } from './field.tsx'
import { wordsIn } from './words.ts'

type OneOfProps = InputProps & {
  choices: readonly { value: string | number; label: string }[]
  listClass: string
  children?: ComponentChildren
}

/** Radio buttons for a choice or a scale. The answer to an optional question can be cleared. */
function OneOf({ choices, listClass, children, ...props }: OneOfProps) {
  const { id, question, answer, change, say } = props
  const clear = () => {
    document.getElementById(`${id}-0`)?.focus()
    change(undefined)
  }
  return (
    <GroupField {...props}>
      <div class={listClass}>
        {choices.map(({ value, label }, index) => (
          <label class="sv-choice" key={value}>
            <input
              type="radio"
              name={id}
              id={`${id}-${index}`}
              value={value}
              checked={answer === value}
              onChange={() => change(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {children}
      {!question.required && (
        <button type="button" class="sv-quiet" hidden={answer === undefined} onClick={clear}>
          {say('clear')}
        </button>
      )}
    </GroupField>
  )
}

export function ChoiceInput(props: InputProps) {
  const options = props.question.options ?? []
  const choices = options.map(({ key, label }) => ({ value: key, label: wordsIn(label, props.language) }))
  return <OneOf {...props} choices={choices} listClass="sv-choices" />
}

export function ScaleInput(props: InputProps) {
  const { from = 1, to = 5, fromLabel, toLabel } = props.question.scale ?? {}
  const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step)
  const [low, high] = [wordsIn(fromLabel, props.language), wordsIn(toLabel, props.language)]
  const choices = steps.map((step) => ({ value: step, label: String(step) }))
  return (
    <OneOf {...props} choices={choices} listClass="sv-scale">
      {(low || high) && (
        <p class="sv-ends">
          <span>{low && `${from} = ${low}`}</span>
          <span>{high && `${to} = ${high}`}</span>
        </p>
      )}
    </OneOf>
  )
}

export function SeveralInput(props: InputProps) {
  const { id, question, answer, change, say, language } = props
  const chosen = Array.isArray(answer) ? (answer as string[]) : []
  const options = question.options ?? []
  const toggle = (key: string, isChosen: boolean) => {
    const next = options
      .map((option) => option.key)
      .filter((known) => (known === key ? isChosen : chosen.includes(known)))
    change(next.length > 0 ? next : undefined)
  }
  return (
    <GroupField {...props}>
      <p class="sv-help">{say('several')}</p>
      <div class="sv-choices">
        {options.map(({ key, label }, index) => (
          <label class="sv-choice" key={key}>
            <input
              type="checkbox"
              id={`${id}-${index}`}
              value={key}
              checked={chosen.includes(key)}
              onChange={({ currentTarget }) => toggle(key, currentTarget.checked)}
            />
            <span>{wordsIn(label, language)}</span>
          </label>
        ))}
      </div>
    </GroupField>
  )
}
