import { h } from '#web/survey/dom.ts'
import { groupField, type InputOptions, type QuestionInput, wordsIn } from './input.ts'

/** A button that removes the answer to an optional question. */
function clearButton({ say, change }: InputOptions, inputs: readonly HTMLInputElement[], hasAnswer: boolean) {
  const button = h('button', { type: 'button', class: 'sv-quiet', hidden: !hasAnswer }, say('clear'))
  button.addEventListener('click', () => {
    for (const input of inputs) input.checked = false
    button.hidden = true
    inputs[0]?.focus()
    change(undefined)
  })
  return button
}

/** One of several: options of a choice, or steps of a scale. */
function oneOf(
  options: InputOptions,
  choices: readonly { value: string | number; label: string }[],
  listClass: string,
  ...around: (HTMLElement | false)[]
): QuestionInput {
  const { id, answer, change, question } = options
  const inputs = choices.map(({ value }, index) =>
    h('input', {
      type: 'radio',
      name: id,
      id: `${id}-${index}`,
      value,
      checked: answer === value,
      change: () => {
        clear.hidden = question.required
        change(value)
      },
    }),
  )
  const clear = clearButton(options, inputs, !question.required && answer !== undefined)
  const list = h(
    'div',
    { class: listClass },
    ...choices.map(({ label }, index) => h('label', { class: 'sv-choice' }, inputs[index]!, h('span', {}, label))),
  )
  return groupField(options, [list, ...around, clear], () => inputs[0] ?? null)
}

export const choiceInput = (options: InputOptions): QuestionInput =>
  oneOf(
    options,
    (options.question.options ?? []).map(({ key, label }) => ({ value: key, label: wordsIn(label, options.language) })),
    'sv-choices',
  )

export function scaleInput(options: InputOptions): QuestionInput {
  const { from = 1, to = 5, fromLabel, toLabel } = options.question.scale ?? {}
  const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step)
  const [low, high] = [wordsIn(fromLabel, options.language), wordsIn(toLabel, options.language)]
  const ends =
    (low !== '' || high !== '') &&
    h('p', { class: 'sv-ends' }, h('span', {}, low && `${from} = ${low}`), h('span', {}, high && `${to} = ${high}`))
  return oneOf(
    options,
    steps.map((step) => ({ value: step, label: String(step) })),
    'sv-scale',
    ends,
  )
}

export function severalInput(options: InputOptions): QuestionInput {
  const { id, question, change, say, language } = options
  const chosen = new Set(Array.isArray(options.answer) ? (options.answer as string[]) : [])
  const keys = (question.options ?? []).map(({ key }) => key)
  const inputs = keys.map((key, index) =>
    h('input', {
      type: 'checkbox',
      id: `${id}-${index}`,
      value: key,
      checked: chosen.has(key),
      change: ({ target }: { target: HTMLInputElement }) => {
        if (target.checked) chosen.add(key)
        else chosen.delete(key)
        change(chosen.size > 0 ? keys.filter((one) => chosen.has(one)) : undefined)
      },
    }),
  )
  const list = h(
    'div',
    { class: 'sv-choices' },
    ...(question.options ?? []).map(({ label }, index) =>
      h('label', { class: 'sv-choice' }, inputs[index]!, h('span', {}, wordsIn(label, language))),
    ),
  )
  return groupField(options, [h('p', { class: 'sv-help' }, say('several')), list], () => inputs[0] ?? null)
}
