/** @jsxImportSource preact */
import './form.css'
import type { ComponentType } from 'preact'
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import {
  type AnswerProblem,
  type Answers,
  answerProblems,
  askedQuestions,
  isEmptyAnswer,
  keptAnswers,
  type Question,
  type QuestionKind,
  type SurveyDefinition,
} from '#domain/surveys/definition.ts'
import { sayIn } from '#web/survey/say.ts'
import { ChoiceInput, ScaleInput, SeveralInput } from './choices.tsx'
import { ContactInput, contactParts } from './contact-input.tsx'
import type { InputProps } from './field.tsx'
import { PhotoInput } from './photo-input.tsx'
import { SchoolInput } from './school-input.tsx'
import { DateInput, NumberInput, TextInput } from './typed-inputs.tsx'
import { wordsIn } from './words.ts'

const inputs: Record<QuestionKind, ComponentType<InputProps>> = {
  choice: ChoiceInput,
  several: SeveralInput,
  scale: ScaleInput,
  number: NumberInput,
  date: DateInput,
  text: TextInput,
  school: SchoolInput,
  contact: ContactInput,
  photo: PhotoInput,
}

export type OnAnswer = (question: string, answer: unknown, schoolName?: string) => void

type Props = Pick<InputProps, 'language' | 'services' | 'schoolNames' | 'autocomplete'> & {
  definition: SurveyDefinition
  /** Prefix of the element ids. */
  id: string
  answers: Readonly<Record<string, unknown>>
  /** Reports an answer, or undefined when cleared. Keep the function stable, because effects depend on it. */
  onAnswer: OnAnswer
  /** Receives the answers to asked questions once the form is sent without problems. */
  onSubmit: (answers: Answers) => void
  /** Why the device could not keep the answers. Empty otherwise. */
  refusal?: string
}

/** A survey as a form. Shows problems once the respondent has tried to send. */
export function SurveyForm({ definition, id, answers, onAnswer, onSubmit, refusal = '', ...surroundings }: Props) {
  const { language, autocomplete } = surroundings
  const say = sayIn(language)
  /** `judged`: keys of questions whose problems are shown. `goTo`: id of the control to focus. */
  const [attempt, setAttempt] = useState<{ judged: readonly string[]; goTo?: string }>({ judged: [] })

  const questions = askedQuestions(definition, answers)
  const filled = questions.filter(({ key }) => !isEmptyAnswer(answers[key])).length
  const intro = wordsIn(definition.intro, language)
  const idOf = (question: Question) => `${id}-${definition.questions.indexOf(question)}`

  const problems = answerProblems(definition, answers)
  const problemsOf = ({ key }: Question) => problems.filter(({ question }) => question === key)
  const controlWithProblem = (question: Question) => controlIdOf(question, idOf(question), problemsOf(question))
  const wrong = questions.filter((question) => problemsOf(question).length > 0)
  const isJudged = ({ key }: Question) => attempt.judged.includes(key)
  const shownWrong = wrong.filter(isJudged)

  useLayoutEffect(() => {
    if (attempt.goTo) bringIntoView(attempt.goTo)
  }, [attempt])

  function submit(event: Event) {
    event.preventDefault()
    const judged = definition.questions.map(({ key }) => key)
    if (wrong[0]) return setAttempt({ judged, goTo: controlWithProblem(wrong[0]) })
    setAttempt({ judged })
    onSubmit(keptAnswers(definition, answers))
  }

  return (
    <form class="sv-form" noValidate autocomplete={autocomplete ? undefined : 'off'} onSubmit={submit}>
      {intro && <p class="sv-intro">{intro}</p>}
      <div class="sv-progress">
        <p class="sv-help" id={`${id}-answered`}>
          {say('answered', { answered: filled, count: questions.length })}
        </p>
        <progress max={Math.max(1, questions.length)} value={filled} aria-labelledby={`${id}-answered`} />
      </div>
      {questions.map((question, index) => (
        <div class="sv-question" key={`${question.kind}-${question.key}`}>
          <p class="sv-step">{say('step', { number: index + 1, count: questions.length })}</p>
          <QuestionInput
            {...surroundings}
            say={say}
            question={question}
            id={idOf(question)}
            answer={answers[question.key]}
            problems={isJudged(question) ? problemsOf(question) : []}
            onAnswer={onAnswer}
          />
        </div>
      ))}
      <div class="sv-wrong" role="alert" hidden={shownWrong.length === 0}>
        <p>{say('wrong', { count: shownWrong.length })}</p>
        <ul>
          {shownWrong.map((question) => (
            <li key={question.key}>
              <a
                href={`#${controlWithProblem(question)}`}
                onClick={(event) => {
                  event.preventDefault()
                  bringIntoView(controlWithProblem(question))
                }}
              >
                {wordsIn(question.label, language)}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <button type="submit" class="sv-button">
        {say('send')}
      </button>
      <p class="sv-problem" role="alert" hidden={refusal === ''}>
        {refusal}
      </p>
    </form>
  )
}

function QuestionInput({ onAnswer, ...props }: Omit<InputProps, 'change'> & { onAnswer: OnAnswer }) {
  const { kind, key } = props.question
  const change = useCallback<InputProps['change']>(
    (answer, schoolName) => onAnswer(key, answer, schoolName),
    [onAnswer, key],
  )
  const Input = inputs[kind]
  return <Input {...props} change={change} />
}

/** Id of the control to focus for the first problem of a question. */
function controlIdOf({ kind }: Question, id: string, problems: readonly AnswerProblem[]) {
  if (kind === 'photo') return `${id}-take`
  if (kind === 'choice' || kind === 'several' || kind === 'scale') return `${id}-0`
  if (kind !== 'contact') return id
  const isWhole = problems.some(({ part }) => !part)
  return `${id}-${contactParts.find((name) => isWhole || problems.some(({ part }) => part === name)) ?? 'name'}`
}

function bringIntoView(id: string) {
  const control = document.getElementById(id)
  control?.focus({ preventScroll: true })
  ;(control?.closest('.sv-question') ?? control)?.scrollIntoView({ block: 'start' })
}
