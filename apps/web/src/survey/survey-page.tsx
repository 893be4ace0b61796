import type { Answers } from '#domain/surveys/definition.ts'
import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { newId } from '#web/offline/new-id.ts'
import { CallFailure, fetchSurvey, findSchools } from './api.ts'
import { h, setText } from './dom.ts'
import { type Draft, draftOf, photos, surveySnapshots } from './draft.ts'
import { finishedAnswers } from './finished-answers.ts'
import { wordsIn } from './form/input.ts'
import { surveyForm } from './form/survey-form.ts'
import { countDown, exitButton, holdThePage, isKiosk, kioskTimes, setKiosk, watchIdle } from './kiosk.ts'
import { drawRecords } from './records-panel.ts'
import { sayIn } from './say.ts'
import { startSending, waitingLine } from './sending.ts'
import { colourVariables, readBranding, rememberLanguage, startLanguage } from './surroundings.ts'

/** Longest wait for a newer version on a device that already has the survey. */
const maxWaitMs = 4_000

/** Runs the public page of a survey in `root`. */
export async function openPage(root: HTMLElement, slug: string) {
  const branding = readBranding()
  const finished = finishedAnswers(slug)
  const drafts = draftOf(slug)
  const snapshotKey = `survey:${slug}`

  let language: Language = startLanguage()
  let say = sayIn(language)
  let survey: OpenSurvey | null = null
  let failure: 'missing' | 'unreachable' | null = null
  /** How far the server's clock is ahead of the device's. */
  let offsetMs = 0
  let draft: Draft = currentDraft()
  /** Id of the answer just finished, while the thank-you screen is shown. */
  let thankedFor: string | null = null
  let stopCountDown = () => {}
  let counts = { waiting: 0, refused: 0 }
  /** Whether the survey could not be read; browsers do not always know that they are offline. */
  let isCutOff = false

  const sending = startSending(finished, (next) => {
    if (next.waiting < counts.waiting) isCutOff = false
    const isChanged = next.waiting !== counts.waiting || next.refused !== counts.refused
    counts = next
    showCounts()
    if (isChanged) void redrawRecords()
    if (isChanged && thankedFor) void showOutcome(thankedFor)
  })

  // Elements kept across redraws.
  const page = h('div', { class: 'sv page', style: styleOf(colourVariables(branding.shades)) })
  const line = waitingLine(sending.flush)
  const main = h('main', { id: 'content', tabindex: -1 })
  const recordsPlace = h('div', {})
  const outcome = h('p', { role: 'status' })
  const idle = watchIdle(() => say, hasDraft, startOver)
  root.replaceChildren(page)
  holdThePage()
  addEventListener('offline', showCounts)
  addEventListener('online', () => {
    isCutOff = false
    showCounts()
  })

  draw()
  await load()
  draw()
  return

  function currentDraft(): Draft {
    const stored = drafts.read()
    const isForgotten = stored && isKiosk() && Date.now() - stored.touchedAt > kioskTimes.idle
    if (isForgotten) drafts.clear(stored)
    return stored && !isForgotten ? stored : drafts.start()
  }

  function hasDraft() {
    return !thankedFor && Object.keys(draft.answers).length > 0
  }

  /** Reads the survey from the server, or the copy on this device. */
  async function load() {
    const snapshot = await surveySnapshots.find<OpenSurvey>(snapshotKey).catch(() => undefined)
    try {
      const readAt = Date.now()
      survey = await fetchSurvey(slug, snapshot ? maxWaitMs : 30_000)
      offsetMs = Date.parse(survey.now) - readAt
      failure = null
      isCutOff = false
      await surveySnapshots.keep(snapshotKey, survey).catch(() => {})
    } catch (error) {
      const isMissing = error instanceof CallFailure && error.status === 404
      failure = isMissing ? 'missing' : 'unreachable'
      isCutOff = error instanceof CallFailure && error.status === 0
      if (!isMissing) survey ??= snapshot?.data ?? null
    }
  }

  /** Why no answers are taken now; an offline device checks the end itself. */
  function refusalOf({ refusal, endsAt }: OpenSurvey) {
    if (refusal) return refusal
    return endsAt && Date.now() + offsetMs > Date.parse(endsAt) ? 'survey_link_ended' : null
  }

  function draw() {
    document.title = titleOf()
    page.replaceChildren(
      h('a', { class: 'page-skip', href: '#content' }, say('skip')),
      h('header', { class: 'page-header' }, brandOf(), languageSwitch(), line.element),
      main,
      h('footer', { class: 'page-footer' }, idle, ...footer()),
    )
    main.replaceChildren(...(thankedFor ? thanksView(thankedFor) : content()))
    showCounts()
  }

  function brandOf() {
    const logo = branding.logo && h('img', { src: branding.logo, alt: '', class: 'page-logo' })
    return h('p', { class: 'page-brand' }, logo, branding.name || 'PMB Online')
  }

  function languageSwitch() {
    return h(
      'div',
      { role: 'group', 'aria-label': say('language'), class: 'page-languages' },
      ...languages.map((code) =>
        h(
          'button',
          {
            type: 'button',
            lang: code,
            'data-language': code,
            'aria-pressed': String(code === language),
            click: () => switchTo(code),
          },
          say(`languages.${code}`),
        ),
      ),
    )
  }

  function switchTo(code: Language) {
    language = code
    say = sayIn(code)
    rememberLanguage(code)
    draw()
    page.querySelector<HTMLElement>(`[data-language=${code}]`)?.focus()
  }

  function content(): HTMLElement[] {
    if (!survey) return failure ? failureView(failure) : [h('p', { role: 'status' }, say('loading'))]
    const { definition, school, event } = survey
    const place = [school?.name, wordsIn(event?.name, language)].filter(Boolean).join(' · ')
    const head = [
      h('h1', { tabindex: -1 }, wordsIn(definition.title, language)),
      ...(place ? [h('p', { class: 'sv-help' }, place)] : []),
    ]
    const refusal = refusalOf(survey)
    if (refusal)
      return [
        ...head,
        h('div', { class: 'sv-card' }, h('h2', {}, say('closed.title')), h('p', {}, say(`closed.${refusal}`))),
      ]
    return [...head, formOf(survey)]
  }

  function failureView(kind: 'missing' | 'unreachable') {
    const again = async () => {
      await load()
      draw()
    }
    return [
      h('h1', {}, say(`${kind}.title`)),
      h('p', {}, say(`${kind}.text`)),
      ...(kind === 'unreachable'
        ? [h('button', { type: 'button', class: 'sv-button', click: again }, say('unreachable.retry'))]
        : []),
    ]
  }

  function formOf({ definition }: OpenSurvey) {
    const sendRefusal = h('p', { class: 'sv-problem', role: 'alert', hidden: true })
    const form = surveyForm({
      definition,
      language,
      id: 'q',
      answers: draft.answers,
      schoolNames: draft.schoolNames,
      services: {
        findSchools: (text) => findSchools(slug, text),
        keepPhoto: photos.keep,
        findPhoto: photos.find,
        dropPhoto: photos.drop,
      },
      autocomplete: !isKiosk(),
      onChange: (answers) => {
        sendRefusal.hidden = true
        draft = { ...draft, answers, touchedAt: Date.now() }
        drafts.write(draft)
      },
      onSubmit: async (answers) => {
        if (await finish(answers)) return
        setText(sendRefusal, say('notKept'))
      },
    })
    form.append(sendRefusal)
    return form
  }

  /** Stores the finished answer on the device; everything else can wait. */
  async function finish(answers: Answers): Promise<boolean> {
    // Another tab may have finished the same draft; then these answers are a new response.
    const id = drafts.read()?.id === draft.id ? draft.id : newId()
    const { version, definition } = survey!
    try {
      const photoIds = definition.questions
        .filter(({ kind, key }) => kind === 'photo' && answers[key])
        .map(({ key }) => (answers[key] as { id: string }).id)
      const found = await Promise.all(
        photoIds.map(async (photoId) => ({ id: photoId, photo: await photos.find(photoId) })),
      )
      await finished.add(id, {
        version: version ?? 1,
        language,
        startedAt: draft.startedAt,
        finishedAt: new Date().toISOString(),
        answers,
        photos: found.filter((one): one is { id: string; photo: Blob } => one.photo !== undefined),
      })
    } catch {
      return false
    }
    drafts.clear(draft)
    draft = drafts.start()
    thankedFor = id
    sending.changed()
    void sending.flush()
    draw()
    scrollTo(0, 0)
    main.querySelector<HTMLElement>('h1')?.focus()
    if (isKiosk())
      stopCountDown = countDown(
        kioskTimes.thanks,
        (seconds) => {
          const text = main.querySelector('.page-back')
          if (text) text.textContent = say('backSoon', { seconds })
        },
        startOver,
      )
    return true
  }

  function thanksView(id: string) {
    void showOutcome(id)
    return [
      h('h1', { tabindex: -1 }, say('thanks')),
      h('p', { class: 'sv-intro' }, wordsIn(survey?.definition.thanks, language) || say('thanksText')),
      outcome,
      h('button', { type: 'button', class: 'sv-button', click: startOver }, say('another')),
      ...(isKiosk() ? [h('p', { class: 'sv-help page-back' })] : []),
    ]
  }

  async function showOutcome(id: string) {
    const item = await finished.find(id)
    outcome.textContent = item?.data.refusal ? say('refused', { count: 1 }) : say(item ? 'keeping' : 'sent')
  }

  /** Shows an empty form, with the newest version of the survey. */
  function startOver() {
    stopCountDown()
    drafts.clear(draft)
    draft = drafts.start()
    thankedFor = null
    draw()
    scrollTo(0, 0)
    main.querySelector<HTMLElement>('h1')?.focus()
    const before = JSON.stringify({ ...survey, now: '' })
    void load().then(() => {
      if (!hasDraft() && !thankedFor && JSON.stringify({ ...survey, now: '' }) !== before) draw()
    })
  }

  function footer(): HTMLElement[] {
    const leave = () => {
      setKiosk(false)
      draw()
    }
    const enter = () => {
      setKiosk(true)
      void document.documentElement.requestFullscreen?.().catch(() => {})
      draw()
    }
    if (isKiosk()) return [exitButton(say, leave)]
    return [
      h(
        'details',
        { class: 'sv-card', hidden: true, toggle: () => void redrawRecords() },
        h('summary', {}, say('records.title')),
        recordsPlace,
      ),
      h(
        'details',
        { class: 'sv-card' },
        h('summary', {}, say('kiosk.title')),
        h('p', { class: 'sv-help' }, say('kiosk.text', { seconds: kioskTimes.idle / 1000 })),
        h('button', { type: 'button', class: 'sv-button sv-outline', click: enter }, say('kiosk.start')),
      ),
    ]
  }

  async function redrawRecords() {
    const details = recordsPlace.closest('details')
    if (!details?.open) return
    await drawRecords(recordsPlace, {
      ...{ finished, say, language, slug, changed: sending.changed },
      definition: survey?.definition ?? null,
      timeZone: branding.timeZone,
    })
  }

  function showCounts() {
    line.show(say, counts, sending.failure(), !navigator.onLine || isCutOff || sending.failure()?.status === 0)
    const details = recordsPlace.closest('details')
    if (details) details.hidden = counts.waiting + counts.refused === 0
    document.title = titleOf()
  }

  function titleOf() {
    const parts = [
      ...(counts.waiting > 0 ? [say('waitingShort', { count: counts.waiting })] : []),
      ...(counts.refused > 0 ? [say('refusedShort', { count: counts.refused })] : []),
    ]
    const title = survey ? wordsIn(survey.definition.title, language) : 'PMB Online'
    return `${parts.length > 0 ? `(${parts.join(', ')}) ` : ''}${title}`
  }
}

const styleOf = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
