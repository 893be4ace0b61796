import type { AnswerProblem, Question, Words } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import { h, setText } from '#web/survey/dom.ts'
import type { Say } from '#web/survey/say.ts'

export type FoundSchool = { id: string; name: string; city: string }

/** Services the page provides to inputs; the builder's preview has its own. */
export type FormServices = {
  /** Rejects without network. */
  findSchools: (text: string) => Promise<readonly FoundSchool[]>
  /** Keeps a picture on the device and returns its id. */
  keepPhoto: (photo: Blob) => Promise<string>
  findPhoto: (id: string) => Promise<Blob | undefined>
  dropPhoto: (id: string) => void
}

export type InputOptions = {
  question: Question
  /** Prefix of all element ids of the question. */
  id: string
  answer: unknown
  /** Receives the new answer; undefined for none. */
  change: (answer: unknown) => void
  say: Say
  language: Language
  services: FormServices
  /** Names of the chosen schools by id, since answers hold only ids. */
  schoolNames: Record<string, string>
  /** Whether the browser may suggest earlier input; not on a shared device. */
  autocomplete: boolean
}

export type QuestionInput = {
  element: HTMLElement
  /** Shows problems at their fields or clears them; returns the first control with one. */
  showProblems: (problems: readonly AnswerProblem[]) => HTMLElement | null
}

/** Text in the reader's language, otherwise in the other one. */
export const wordsIn = (words: Words | undefined, language: Language): string =>
  words ? words[language].trim() || words[language === 'id' ? 'en' : 'id'].trim() : ''

/** The sentence for a problem: specific to the part or kind if there is one, otherwise by code. */
export function sentenceOf({ part, code, params }: AnswerProblem, { kind }: Question, say: Say): string {
  const isMissing = code === 'field_required' || code === 'survey_answer_unusable'
  const ofPart = part && code === 'field_required' ? say(`kinds.${part}`) : ''
  const ofKind = !part && isMissing && (code !== 'field_required' || kind === 'school') ? say(`kinds.${kind}`) : ''
  if (ofPart || ofKind) return ofPart || ofKind
  if (code !== 'survey_number_range' || !params) return say(`problems.${code}`, params)
  const limits = Object.entries(params).map(([name, limit]) => [name, withPoints(limit)])
  return say(`problems.${code}`, Object.fromEntries(limits))
}

/** Formats a number with dots between thousands. */
export const withPoints = (value: string | number) => Number(value).toLocaleString('id-ID')

/** Marks a question as optional. */
export const optionalMark = (say: Say) => h('span', { class: 'sv-optional' }, ` (${say('optional')})`)

/** A line below a field for its problem; `show` links it to the control while it has text. */
export function problemPlace(id: string) {
  const element = h('p', { class: 'sv-problem', id: `${id}-problem`, hidden: true })
  const show = (control: HTMLElement, text: string, isInvalid = true) => {
    setText(element, text)
    const others = (control.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((name) => name && name !== element.id)
    const described = [...others, ...(text ? [element.id] : [])].join(' ')
    if (described) control.setAttribute('aria-describedby', described)
    else control.removeAttribute('aria-describedby')
    if (text && isInvalid) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
    return text ? control : null
  }
  return { element, show }
}

/** The label, the hint, the control and its problem, for questions with one control. */
export function singleField(
  { question, id, say, language }: InputOptions,
  control: HTMLElement,
  ...below: (HTMLElement | false)[]
): QuestionInput {
  const { element: problem, show } = problemPlace(id)
  const help = wordsIn(question.help, language)
  control.id = id
  if (help) control.setAttribute('aria-describedby', `${id}-help`)
  if (question.required) control.setAttribute('aria-required', 'true')
  return {
    element: h(
      'div',
      { class: 'sv-field' },
      h(
        'label',
        { for: id, class: 'sv-label' },
        wordsIn(question.label, language),
        !question.required && optionalMark(say),
      ),
      help !== '' && h('p', { class: 'sv-help', id: `${id}-help` }, help),
      control,
      ...below,
      problem,
    ),
    showProblems: ([first]) => show(control, first ? sentenceOf(first, question, say) : ''),
  }
}

/** A group of controls with the question as its legend. */
export function groupField(
  { question, id, say, language }: InputOptions,
  contents: readonly (HTMLElement | false)[],
  firstControl: () => HTMLElement | null,
): QuestionInput {
  const { element: problem, show } = problemPlace(id)
  const help = wordsIn(question.help, language)
  const element = h(
    'fieldset',
    { class: 'sv-field', id, 'aria-describedby': help !== '' && `${id}-help` },
    h('legend', { class: 'sv-label' }, wordsIn(question.label, language), !question.required && optionalMark(say)),
    help !== '' && h('p', { class: 'sv-help', id: `${id}-help` }, help),
    ...contents,
    problem,
  )
  return {
    element,
    showProblems: ([first]) => {
      show(element, first ? sentenceOf(first, question, say) : '', false)
      return first ? firstControl() : null
    },
  }
}
