/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { AnswerProblem, Question } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import type { Say } from '#web/survey/say.ts'
import { sentenceOf, wordsIn } from './words.ts'

export type FoundSchool = { id: string; name: string; city: string }

/** Services the page provides to inputs; the builder's preview has its own. */
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
  /** Prefix of all element ids of the question. */
  id: string
  answer: unknown
  /** Reports the new answer (undefined when cleared) and the chosen school's name. Same function on every render. */
  change: (answer: unknown, schoolName?: string) => void
  /** Problems to show beside the fields; empty until the respondent has tried to send. */
  problems: readonly AnswerProblem[]
  say: Say
  language: Language
  services: FormServices
  /** Names of the chosen schools by id, since answers hold only ids. */
  schoolNames: Readonly<Record<string, string>>
  /** Whether the browser may suggest contact details; false on a shared device and in the preview. */
  autocomplete: boolean
}

/** Sentence about the problem of a question, or of one part of a contact; empty if there is no problem. */
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

/** Attributes for the control of a question that has only one. */
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

/** A question with one control, which takes its attributes from `controlOf`. */
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

/** A question with several controls; the question's label is the legend of the group. */
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
