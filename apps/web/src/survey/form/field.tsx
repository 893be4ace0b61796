/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { AnswerProblem, Question } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import type { Say } from '#web/survey/say.ts'
import { sentenceOf, wordsIn } from './words.ts'

export type FoundSchool = { id: string; name: string; city: string }

/** Services for inputs. The public page and the builder's preview provide different ones. */
export type FormServices = {
  /** Rejects if the search fails, for example without network. */
  findSchools: (text: string) => Promise<readonly FoundSchool[]>
  /** Keeps a picture on the device and returns its id. Rejects if the device cannot store it. */
  keepPhoto: (photo: Blob) => Promise<string>
  findPhoto: (id: string) => Promise<Blob | undefined>
  dropPhoto: (id: string) => void
}

export type InputProps = {
  question: Question
  /** Prefix of the element ids of the question. */
  id: string
  answer: unknown
  /** Reports the new answer, or undefined when cleared. Keep the function stable, because effects depend on it. */
  change: (answer: unknown, schoolName?: string) => void
  /** Problems to show. Empty until the respondent has tried to send. */
  problems: readonly AnswerProblem[]
  say: Say
  language: Language
  services: FormServices
  /** Names of chosen schools by id, because an answer holds only the id of a chosen school. */
  schoolNames: Readonly<Record<string, string>>
  /** Whether the browser may suggest contact details. False in a kiosk and in the preview. */
  autocomplete: boolean
}

/** Sentence about a problem of the question or, with `part`, of that part of a contact. Empty if there is none. */
export function problemText({ problems, question, say }: InputProps, part?: AnswerProblem['part']) {
  const problem = problems.find((one) => one.part === part)
  return problem ? sentenceOf(problem, question, say) : ''
}

const listOfIds = (...ids: (string | false)[]) => ids.filter(Boolean).join(' ') || undefined

/** ARIA attributes that connect a control with its hint and its problem. */
export const describedBy = (id: string, problem: string, hintId: string | false = false) => ({
  'aria-describedby': listOfIds(hintId, problem && `${id}-problem`),
  'aria-invalid': problem !== '' || undefined,
})

/** Attributes for the control in a `SingleField`. */
export const controlOf = (props: InputProps) => ({
  id: props.id,
  'aria-required': props.question.required || undefined,
  ...describedBy(props.id, problemText(props), hasHelp(props) && `${props.id}-help`),
})

export const OptionalMark = ({ say }: { say: Say }) => <span class="sv-optional"> ({say('optional')})</span>

export const Problem = ({ id, text }: { id: string; text: string }) =>
  text === '' ? null : (
    <p class="sv-problem" id={`${id}-problem`}>
      {text}
    </p>
  )

const hasHelp = ({ question, language }: InputProps) => wordsIn(question.help, language) !== ''

const Label = ({ question, language, say }: InputProps) => (
  <>
    {wordsIn(question.label, language)}
    {!question.required && <OptionalMark say={say} />}
  </>
)

const Help = (props: InputProps) =>
  hasHelp(props) ? (
    <p class="sv-help" id={`${props.id}-help`}>
      {wordsIn(props.question.help, props.language)}
    </p>
  ) : null

type FieldProps = InputProps & { children: ComponentChildren }

/** A question with one control. The control needs the attributes of `controlOf`. */
export const SingleField = ({ children, ...props }: FieldProps) => (
  <div class="sv-field">
    <label for={props.id} class="sv-label">
      <Label {...props} />
    </label>
    <Help {...props} />
    {children}
    <Problem id={props.id} text={problemText(props)} />
  </div>
)

/** A question with several controls, in a fieldset. */
export function GroupField({ children, ...props }: FieldProps) {
  const { id } = props
  const problem = problemText(props)
  return (
    <fieldset
      class="sv-field"
      id={id}
      aria-describedby={listOfIds(hasHelp(props) && `${id}-help`, problem && `${id}-problem`)}
    >
      <legend class="sv-label">
        <Label {...props} />
      </legend>
      <Help {...props} />
      {children}
      <Problem id={id} text={problem} />
    </fieldset>
  )
}
