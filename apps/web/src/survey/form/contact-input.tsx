/** @jsxImportSource preact */
import type { ComponentChild } from 'preact'
import { useRef } from 'preact/hooks'
import { type AnswerProblem, surveyLimits } from '#domain/surveys/definition.ts'
import { describedBy, GroupField, type InputProps, OptionalMark, Problem, problemText } from './field.tsx'
import { DayLine, Line } from './typed-inputs.tsx'
import { wordsIn } from './words.ts'

type Part = NonNullable<AnswerProblem['part']>
type Contact = { name?: string; phone?: string; email?: string; birthDate?: string; consent?: true }

/** Parts of a contact, in the order of their fields. */
export const contactParts = ['name', 'phone', 'email', 'birthDate', 'consent'] as const satisfies Part[]

const lines = {
  name: { type: 'text', maxLength: surveyLimits.name, autocomplete: 'name' },
  phone: { type: 'tel', maxLength: 40, autocomplete: 'tel' },
  email: { type: 'email', maxLength: surveyLimits.email, autocomplete: 'email' },
} as const

/** Fields for contact details and consent. Reports undefined while all fields are empty. */
export function ContactInput(props: InputProps) {
  const { id, question, say, language, change, autocomplete } = props
  // A ref, because the browser may fill in several fields before the next rendering.
  const contact = useRef<Contact>({ ...(props.answer as Contact | undefined) })
  const set = (part: Part, value: string | true | undefined) => {
    const { [part]: _, ...others } = contact.current
    contact.current = value ? { ...others, [part]: value } : others
    change(Object.keys(contact.current).length > 0 ? contact.current : undefined)
  }

  const attributesOf = (part: Part, hintId: string | false = false) => ({
    id: `${id}-${part}`,
    ...describedBy(`${id}-${part}`, problemText(props, part), hintId),
  })
  const row = (part: Part, control: ComponentChild, hint?: ComponentChild) => (
    <div class="sv-part">
      <label for={`${id}-${part}`}>
        {say(`contact.${part}`)}
        {(part === 'email' || part === 'birthDate') && <OptionalMark say={say} />}
      </label>
      {control}
      {hint}
      <Problem id={`${id}-${part}`} text={problemText(props, part)} />
    </div>
  )
  const line = (part: keyof typeof lines, hintId: string | false = false) => (
    <Line
      {...lines[part]}
      {...attributesOf(part, hintId)}
      {...(!autocomplete && { autocomplete: 'off' })}
      start={contact.current[part] ?? ''}
      onText={(text) => set(part, text.trim())}
    />
  )
  const phoneHint = `${id}-phone-hint`

  return (
    <GroupField {...props}>
      {row('name', line('name'))}
      {row(
        'phone',
        line('phone', phoneHint),
        <p class="sv-help" id={phoneHint}>
          {say('contact.phoneHint')}
        </p>,
      )}
      {row('email', line('email'))}
      {row(
        'birthDate',
        <DayLine
          {...attributesOf('birthDate')}
          autocomplete={autocomplete ? 'bday' : 'off'}
          answer={contact.current.birthDate}
          onDay={(day) => set('birthDate', day)}
        />,
      )}
      <div>
        <label class="sv-choice">
          <input
            type="checkbox"
            {...attributesOf('consent')}
            checked={contact.current.consent === true}
            onChange={({ currentTarget }) => set('consent', currentTarget.checked || undefined)}
          />
          <span>{wordsIn(question.consent, language)}</span>
        </label>
        <Problem id={`${id}-consent`} text={problemText(props, 'consent')} />
      </div>
    </GroupField>
  )
}
