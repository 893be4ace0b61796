import './form.css'
import {
  type AnswerProblem,
  type Answers,
  answerProblems,
  askedQuestions,
  isEmptyAnswer,
  keptAnswers,
  type QuestionKind,
  type SurveyDefinition,
} from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import { h, setText } from '#web/survey/dom.ts'
import { sayIn } from '#web/survey/say.ts'
import { choiceInput, scaleInput, severalInput } from './choices.ts'
import { contactInput } from './contact-input.ts'
import { type FormServices, type InputOptions, type QuestionInput, wordsIn } from './input.ts'
import { photoInput } from './photo-input.ts'
import { schoolInput } from './school-input.ts'
import { dateInput, numberInput, textInput } from './typed-inputs.ts'

const inputs: Record<QuestionKind, (options: InputOptions) => QuestionInput> = {
  choice: choiceInput,
  several: severalInput,
  scale: scaleInput,
  number: numberInput,
  date: dateInput,
  text: textInput,
  school: schoolInput,
  contact: contactInput,
  photo: photoInput,
}

export type FormOptions = {
  definition: SurveyDefinition
  language: Language
  /** Prefix of all ids on the page. */
  id: string
  /** Initial answers. The form does not modify them; `onChange` receives each new state. */
  answers: Readonly<Record<string, unknown>>
  schoolNames: Record<string, string>
  services: FormServices
  autocomplete: boolean
  onChange: (answers: Record<string, unknown>) => void
  /** Receives the answers to asked questions once there are no problems. */
  onSubmit: (answers: Answers) => void
}

/** The questions of a survey as a form. Each is shown while its condition holds, with its problems beside it. */
export function surveyForm({ definition, language, id, services, onChange, onSubmit, ...options }: FormOptions) {
  const say = sayIn(language)
  const known = definition.questions.map(({ key }) => key)
  const answers: Record<string, unknown> = Object.fromEntries(
    Object.entries(options.answers).filter(([key]) => known.includes(key)),
  )
  /** Keys of questions whose problems are shown. */
  let judged = new Set<string>()

  const blocks = definition.questions.map((question, index) => {
    const change = (answer: unknown) => {
      if (answer === undefined) delete answers[question.key]
      else answers[question.key] = answer
      if (judged.has(question.key)) showProblems(judged)
      update()
      onChange({ ...answers })
    }
    const input = inputs[question.kind]({
      ...options,
      question,
      id: `${id}-${index}`,
      answer: answers[question.key],
      change,
      say,
      language,
      services,
    })
    const step = h('p', { class: 'sv-step' })
    return { question, input, step, element: h('div', { class: 'sv-question' }, step, input.element) }
  })

  const progress = h('progress', { max: 1, value: 0, 'aria-labelledby': `${id}-answered` })
  const answered = h('p', { class: 'sv-help', id: `${id}-answered` })
  const wrong = h('div', { class: 'sv-wrong', role: 'alert', hidden: true })
  const intro = wordsIn(definition.intro, language)

  function update() {
    const askedNow = askedQuestions(definition, answers)
    for (const { question, step, element } of blocks) {
      const number = askedNow.indexOf(question) + 1
      element.hidden = number === 0
      setText(step, say('step', { number, count: askedNow.length }))
    }
    const filled = askedNow.filter(({ key }) => !isEmptyAnswer(answers[key])).length
    progress.max = Math.max(1, askedNow.length)
    progress.value = filled
    setText(answered, say('answered', { answered: filled, count: askedNow.length }))
  }

  /** Shows the problems of these questions; returns the first control with one. */
  function showProblems(keys: ReadonlySet<string>): HTMLElement | null {
    const problems = answerProblems(definition, answers).filter(({ question }) => keys.has(question))
    const ofQuestion = (key: string): AnswerProblem[] => problems.filter(({ question }) => question === key)
    let first: HTMLElement | null = null
    const links: HTMLElement[] = []
    for (const { question, input } of blocks) {
      const control = input.showProblems(ofQuestion(question.key))
      if (!control) continue
      first ??= control
      const goThere = (event: Event) => {
        event.preventDefault()
        bringIntoView(control)
      }
      links.push(h('li', {}, h('a', { href: `#${control.id}`, click: goThere }, wordsIn(question.label, language))))
    }
    wrong.hidden = links.length === 0
    wrong.replaceChildren(h('p', {}, say('wrong', { count: links.length })), h('ul', {}, ...links))
    return first
  }

  const element = h(
    'form',
    {
      class: 'sv-form',
      novalidate: true,
      autocomplete: options.autocomplete ? undefined : 'off',
      submit: (event: SubmitEvent) => {
        event.preventDefault()
        judged = new Set(known)
        const first = showProblems(judged)
        if (first) bringIntoView(first)
        else onSubmit(keptAnswers(definition, answers))
      },
    },
    intro !== '' && h('p', { class: 'sv-intro' }, intro),
    h('div', { class: 'sv-progress' }, answered, progress),
    ...blocks.map(({ element }) => element),
    wrong,
    h('button', { type: 'submit', class: 'sv-button' }, say('send')),
  )
  update()
  return element
}

function bringIntoView(control: HTMLElement) {
  control.focus({ preventScroll: true })
  ;(control.closest('.sv-question') ?? control).scrollIntoView({ block: 'start' })
}
