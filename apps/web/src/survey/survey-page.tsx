/** @jsxImportSource preact */
import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Language, languages } from '#entities/define/language.ts'
import { keepPage } from '#web/offline/keep-page.ts'
import { findSchools } from './api.ts'
import { photos } from './draft.ts'
import { type FinishedAnswers, finishedAnswers } from './finished-answers.ts'
import type { FormServices } from './form/field.tsx'
import { SurveyForm } from './form/survey-form.tsx'
import { Heading, Thanks } from './form/thanks.tsx'
import { wordsIn } from './form/words.ts'
import { BackSoon, ExitButton, IdleWarning, kioskTimes, useKiosk } from './kiosk.tsx'
import { hasAnswers } from './page-state.ts'
import { RecordsPanel } from './records-panel.tsx'
import { type Say, sayIn } from './say.ts'
import { type Counts, countTexts, useOnline, useSending, WaitingLine } from './sending.tsx'
import { colourVariables, type readBranding, rememberLanguage, startLanguage } from './surroundings.ts'
import { useSurvey } from './use-survey.ts'

type Props = { slug: string; branding: ReturnType<typeof readBranding> }

export function SurveyPage({ slug, branding }: Props) {
  const [language, setLanguage] = useState<Language>(startLanguage)
  const say = sayIn(language)
  const [isKiosk, setKiosk] = useKiosk()
  const finished = useMemo(() => finishedAnswers(slug), [slug])
  const { counts, failure: sendFailure, flush, recountEverywhere } = useSending(finished)
  const { state, read, answer, connected, finish, startOver } = useSurvey(slug, finished, isKiosk)
  const { survey, draft, thankedFor } = state
  const isOnline = useOnline(connected)
  const main = useRef<HTMLElement>(null)
  const services = useMemo(
    (): FormServices => ({
      findSchools: (text) => findSchools(slug, text),
      keepPhoto: photos.keep,
      findPhoto: photos.find,
      dropPhoto: photos.drop,
    }),
    [slug],
  )

  useEffect(() => {
    void read().then(() =>
      keepPage('/survei/', 'offline-surveys').catch(() => {
        // Without a stored copy, the page does not open offline. Finished responses are kept anyway.
      }),
    )
  }, [read])

  const title = survey ? wordsIn(survey.definition.title, language) : 'PMB Online'
  const shortCounts = countTexts(say, counts, 'Short').join(', ')
  useLayoutEffect(() => {
    document.title = shortCounts ? `(${shortCounts}) ${title}` : title
  }, [shortCounts, title])

  // A response that has left the queue was usually sent, so the network is back.
  const waitingBefore = useRef(counts.waiting)
  useEffect(() => {
    if (counts.waiting < waitingBefore.current) connected()
    waitingBefore.current = counts.waiting
  }, [counts.waiting, connected])

  // A new draft means that the thank-you screen or an empty form now shows. Scroll to the top and focus the heading.
  const draftInView = useRef(draft.id)
  useLayoutEffect(() => {
    if (draftInView.current === draft.id) return
    draftInView.current = draft.id
    scrollTo(0, 0)
    main.current?.querySelector<HTMLElement>('h1')?.focus()
  }, [draft.id])

  function view(): ComponentChild {
    if (!survey)
      return state.failure ? (
        <>
          <Heading>{say(`${state.failure}.title`)}</Heading>
          <p>{say(`${state.failure}.text`)}</p>
          {state.failure === 'unreachable' && (
            <button type="button" class="sv-button" onClick={() => void read()}>
              {say('unreachable.retry')}
            </button>
          )}
        </>
      ) : (
        <p role="status">{say('loading')}</p>
      )
    const { definition, school, event } = survey
    if (thankedFor)
      return (
        <Thanks definition={definition} language={language} onAgain={startOver}>
          <Outcome {...{ finished, say, counts }} id={thankedFor} />
          {isKiosk && <BackSoon say={say} onEnd={startOver} />}
        </Thanks>
      )
    const place = [school?.name, wordsIn(event?.name, language)].filter(Boolean).join(' · ')
    return (
      <>
        <Heading>{title}</Heading>
        {place && <p class="sv-help">{place}</p>}
        {state.refusal ? (
          <div class="sv-card">
            <h2>{say('closed.title')}</h2>
            <p>{say(`closed.${state.refusal}`)}</p>
          </div>
        ) : (
          <SurveyForm
            key={draft.id}
            id="q"
            {...{ definition, language, services }}
            answers={draft.answers}
            schoolNames={draft.schoolNames}
            autocomplete={!isKiosk}
            onAnswer={answer}
            onSubmit={async (answers) => {
              if (!(await finish(answers, language))) return
              recountEverywhere()
              void flush()
            }}
            refusal={state.isNotKept ? say('notKept') : ''}
          />
        )}
      </>
    )
  }

  return (
    <div class="sv page" style={colourVariables(branding.shades)}>
      <a class="page-skip" href="#content">
        {say('skip')}
      </a>
      <header class="page-header">
        <p class="page-brand">
          {branding.logo && <img src={branding.logo} alt="" class="page-logo" />}
          {branding.name || 'PMB Online'}
        </p>
        <LanguageSwitch
          {...{ say, language }}
          onChange={(code) => {
            rememberLanguage(code)
            setLanguage(code)
          }}
        />
        <WaitingLine {...{ say, counts, flush, isOnline }} failure={sendFailure} isCutOff={state.isCutOff} />
      </header>
      <main id="content" class="sv-sheet" tabIndex={-1} ref={main}>
        {view()}
      </main>
      <footer class="page-footer">
        {isKiosk ? (
          <>
            {hasAnswers(state) && <IdleWarning say={say} clear={startOver} />}
            <ExitButton say={say} leave={() => setKiosk(false)} />
          </>
        ) : (
          <>
            <RecordsPanel
              {...{ finished, counts, language, say, slug, recountEverywhere }}
              definition={survey?.definition}
              timeZone={branding.timeZone}
            />
            <details class="sv-card">
              <summary>{say('kiosk.title')}</summary>
              <p class="sv-help">{say('kiosk.text', { seconds: kioskTimes.idle / 1000 })}</p>
              <button
                type="button"
                class="sv-button sv-outline"
                onClick={() => {
                  void document.documentElement.requestFullscreen?.().catch(() => {})
                  setKiosk(true)
                }}
              >
                {say('kiosk.start')}
              </button>
            </details>
          </>
        )}
      </footer>
    </div>
  )
}

type SwitchProps = { say: Say; language: Language; onChange: (language: Language) => void }

const LanguageSwitch = ({ say, language, onChange }: SwitchProps) => (
  <div role="group" aria-label={say('language')} class="page-languages">
    {languages.map((code) => (
      <button type="button" key={code} lang={code} aria-pressed={code === language} onClick={() => onChange(code)}>
        {say(`languages.${code}`)}
      </button>
    ))}
  </div>
)

type OutcomeProps = { finished: FinishedAnswers; id: string; say: Say; counts: Counts }

/** Says whether a finished response was refused or waits on the device. Otherwise says that it was sent. */
function Outcome({ finished, id, say, counts: { waiting, refused } }: OutcomeProps) {
  const [sentence, setSentence] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other counts may mean another outcome.
  useEffect(() => {
    let isCurrent = true
    void finished.find(id).then((item) => {
      if (isCurrent) setSentence(item?.data.refusal ? 'refused' : item ? 'keeping' : 'sent')
    })
    return () => {
      isCurrent = false
    }
  }, [finished, id, waiting, refused])
  return <p role="status">{sentence && say(sentence, { count: 1 })}</p>
}
