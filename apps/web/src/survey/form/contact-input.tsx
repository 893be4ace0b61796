import { type AnswerProblem, surveyLimits } from '#domain/surveys/definition.ts'
import { h } from '#web/survey/dom.ts'
import {
  groupField,
  type InputOptions,
  optionalMark,
  problemPlace,
  type QuestionInput,
  sentenceOf,
  wordsIn,
} from './input.ts'
import { dayField } from './typed-inputs.ts'

type Part = NonNullable<AnswerProblem['part']>
type Contact = { name?: string; phone?: string; email?: string; birthDate?: string; consent?: true }

/** Name and number of a person who agrees to be contacted. Empty fields without consent are no answer. */
export function contactInput(options: InputOptions): QuestionInput {
  const { id, question, say, language, change, autocomplete } = options
  const contact: Contact = { ...(options.answer as Contact | undefined) }
  const set = (part: Part, value: string | true | undefined) => {
    if (value === undefined || value === '') delete contact[part]
    else Object.assign(contact, { [part]: value })
    change(Object.keys(contact).length > 0 ? { ...contact } : undefined)
  }

  const parts = new Map<Part, { control: HTMLElement; show: (text: string) => HTMLElement | null }>()
  const row = (part: Part, control: HTMLInputElement, hint = '') => {
    const place = problemPlace(`${id}-${part}`)
    control.id = `${id}-${part}`
    if (hint) control.setAttribute('aria-describedby', `${id}-${part}-hint`)
    parts.set(part, { control, show: (text) => place.show(control, text) })
    return h(
      'div',
      { class: 'sv-part' },
      h(
        'label',
        { for: control.id },
        say(`contact.${part}`),
        (part === 'email' || part === 'birthDate') && optionalMark(say),
      ),
      control,
      hint !== '' && h('p', { class: 'sv-help', id: `${id}-${part}-hint` }, hint),
      place.element,
    )
  }
  const typed = (part: 'name' | 'phone' | 'email', attributes: Record<string, string | number>, filled: string) => {
    const input = h('input', {
      class: 'sv-input',
      autocomplete: autocomplete ? filled : 'off',
      value: contact[part] ?? '',
      input: () => set(part, input.value.trim()),
      ...attributes,
    })
    return input
  }

  const consentPlace = problemPlace(`${id}-consent`)
  const consent = h('input', {
    type: 'checkbox',
    id: `${id}-consent`,
    checked: contact.consent === true,
    change: () => set('consent', consent.checked ? true : undefined),
  })
  parts.set('consent', { control: consent, show: (text) => consentPlace.show(consent, text) })

  const group = groupField(
    options,
    [
      row('name', typed('name', { type: 'text', maxlength: surveyLimits.name }, 'name')),
      row('phone', typed('phone', { type: 'tel', maxlength: 40 }, 'tel'), say('contact.phoneHint')),
      row('email', typed('email', { type: 'email', maxlength: surveyLimits.email }, 'email')),
      row(
        'birthDate',
        dayField(contact.birthDate, (day) => set('birthDate', day), autocomplete ? 'bday' : 'off'),
      ),
      h(
        'div',
        {},
        h('label', { class: 'sv-choice' }, consent, h('span', {}, wordsIn(question.consent, language))),
        consentPlace.element,
      ),
    ],
    () => parts.get('name')!.control,
  )
  return {
    element: group.element,
    showProblems: (problems) => {
      const ofGroup = group.showProblems(problems.filter(({ part }) => !part))
      const wrong = [...parts].map(([name, { show }]) => {
        const first = problems.find(({ part }) => part === name)
        return show(first ? sentenceOf(first, question, say) : '')
      })
      return ofGroup ?? wrong.find((control) => control !== null) ?? null
    },
  }
}
