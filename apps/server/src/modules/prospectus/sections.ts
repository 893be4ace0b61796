import { dateTime, longDate, percent, rupiah, timeRange, weekdayDate } from '#locales/format.ts'
import { type Html, html } from '#server/platform/http/html.ts'
import { educationOf, groupsOf, listOf, trackName, waveName } from './facts.ts'
import type { Prospectus, Track, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'

const stateClass = { open: 'open', upcoming: 'soon', closed: 'stop' } as const

export const stateWord = ({ t }: Reader, state: keyof typeof stateClass) =>
  html`<span class="state ${stateClass[state]}">${t(`prospectus:state.${state}`)}</span>`

/** What happens now and until when, in one sentence. */
export function statusOf(reader: Reader, prospectus: Prospectus, wave: Wave | undefined): Html {
  const { t, language } = reader
  if (!prospectus.isOpen)
    return html`<p class="lead">${t('prospectus:status.closed')}</p><p class="dim">${t('prospectus:status.closedHelp')}</p>`
  if (!wave)
    return html`<p class="lead">${t('prospectus:status.none')}</p><p class="dim">${t('prospectus:status.noneHelp')}</p>`
  const state = wave.state === 'upcoming' ? 'upcoming' : 'open'
  const at = state === 'open' ? wave.closesAt : wave.opensAt
  return html`<p class="lead">${t(`prospectus:status.${state}`, {
    wave: waveName(reader, prospectus, wave),
    date: `${weekdayDate(at, language)}, ${dateTime(at, language).slice(-5)}`,
  })}</p>`
}

type Window = Track['windows'][number]
const momentsOf = ({ opensAt, closesAt, paymentDueAt, resultsAt, confirmationDueAt }: Window) =>
  [opensAt, closesAt, paymentDueAt, resultsAt, confirmationDueAt].map((at) => at?.getTime() ?? 0).join()

/** A line of time for each set of tracks with the same dates, in the entry level given. */
export function timelines(
  reader: Reader,
  prospectus: Prospectus,
  wave: Wave,
  tracks: readonly Track[],
  entryLevelId?: string,
): Html {
  const { t } = reader
  const dated = tracks.flatMap((track) =>
    track.windows
      .filter((window) => entryLevelId === undefined || window.entryLevelId === entryLevelId)
      .map((window) => ({ track, window })),
  )
  const groups = groupsOf(dated, ({ window }) => momentsOf(window))
  return html`<section class="card" id="jadwal"><h2>${t('prospectus:timeline')}</h2>
${groups.map(({ first, all }) => {
  const ofGroup = [...new Set(all.map(({ track }) => track))]
  const heading =
    groups.length > 1 && html`<h3>${t('prospectus:timelineOf', { tracks: namesOf(reader, prospectus, ofGroup) })}</h3>`
  return html`${heading}${timeline(reader, prospectus, wave, ofGroup, first.window)}`
})}</section>`
}

const namesOf = (reader: Reader, prospectus: Prospectus, tracks: readonly Track[]) =>
  tracks.map((track) => trackName(reader, prospectus, track)).join(', ')

function timeline(reader: Reader, prospectus: Prospectus, wave: Wave, tracks: readonly Track[], window: Window): Html {
  const { t, language } = reader
  const { now } = prospectus
  const later = t('prospectus:steps.later')
  const by = (at: Date | null) => (at ? t('prospectus:until', { date: dateTime(at, language) }) : later)
  const days = sessionsFor(prospectus, wave, tracks).map(({ date }) => longDate(date, language))
  const [first, last] = [days[0], days.at(-1)]
  const testDays =
    first === undefined ? later : first === last ? first : t('prospectus:between', { from: first, until: last })
  const paying = tracks.filter(({ fee }) => fee.maximum > 0)
  const tested = tracks.filter(({ hasTest }) => hasTest)
  /** Names the tracks that skip a step, if others take it. */
  const except = (takers: readonly Track[]) => {
    const others = tracks.filter((track) => !takers.includes(track))
    return others.length > 0
      ? ` (${t('prospectus:steps.notFor', { tracks: namesOf(reader, prospectus, others) })})`
      : ''
  }
  const [least, most] = [
    Math.min(...paying.map(({ fee }) => fee.minimum)),
    Math.max(...paying.map(({ fee }) => fee.maximum)),
  ]
  const amount = least === most ? rupiah(least) : `${rupiah(least)}–${rupiah(most)}`
  type Step = { title: string; when: string; isNow?: boolean; until?: Date | null }
  const steps: Step[] = [
    {
      title: t('prospectus:steps.apply'),
      when: t('prospectus:between', {
        from: longDate(window.opensAt, language),
        until: dateTime(window.closesAt, language),
      }),
      isNow: window.state === 'open',
      until: window.closesAt,
    },
    ...(paying.length > 0
      ? [
          {
            title: t('prospectus:steps.fee', { amount }),
            when: (window.paymentDueAt ? by(window.paymentDueAt) : t('prospectus:steps.feeDays')) + except(paying),
            until: window.paymentDueAt,
          },
        ]
      : []),
    { title: t('prospectus:steps.documents'), when: t('prospectus:steps.documentsWhen'), until: window.resultsAt },
    ...(tested.length > 0 ? [{ title: t('prospectus:steps.test'), when: testDays + except(tested) }] : []),
    {
      title: t('prospectus:steps.results'),
      when: window.resultsAt ? dateTime(window.resultsAt, language) : later,
      until: window.resultsAt,
    },
    { title: t('prospectus:steps.confirm'), when: by(window.confirmationDueAt), until: window.confirmationDueAt },
    { title: t('prospectus:steps.number'), when: t('prospectus:steps.numberWhen') },
  ]
  const stateOf = ({ isNow, until }: Step) => (isNow ? 'now' : until && until <= now ? 'done' : undefined)
  return html`<ol class="time">${steps.map((step) => {
    const state = stateOf(step)
    return html`<li${state && html` class="${state}"`}><b>${step.title}</b>${step.when}${
      state && html` <span class="dim">· ${t(`prospectus:${state}`)}</span>`
    }</li>`
  })}</ol>`
}

export const sessionsFor = ({ sessions }: Prospectus, wave: Wave, tracks: readonly Track[]) =>
  sessions.filter(
    (session) =>
      session.waveId === wave.id &&
      tracks.some(({ id, hasTest }) => hasTest && (session.trackId === null || session.trackId === id)),
  )

/** Sessions named one by one; the others are counted. */
const shownSessions = 6

export function testsOf(reader: Reader, prospectus: Prospectus, wave: Wave, tracks: readonly Track[]): Html {
  const { t, language } = reader
  const [tested, untested] = [tracks.filter(({ hasTest }) => hasTest), tracks.filter(({ hasTest }) => !hasTest)]
  const sessions = sessionsFor(prospectus, wave, tested)
  const names = (some: readonly Track[]) => namesOf(reader, prospectus, some)
  return html`<section class="card" id="tes"><h2>${t('prospectus:tests')}</h2>
${
  tested.length === 0
    ? html`<p>${t('prospectus:testsNone')}</p>`
    : sessions.length === 0
      ? html`<p>${t('prospectus:testsLater')}</p>`
      : html`<ul class="stack">${sessions
          .slice(0, shownSessions)
          .map(
            ({ date, startTime, endTime, mode, location, tests, trackId }) =>
              html`<li><b>${weekdayDate(date, language)}</b><br>${timeRange(startTime, endTime)} · ${
                mode === 'online' ? t('prospectus:online') : t('prospectus:onCampus', { place: location })
              }${tests.length > 0 && html`<br><span class="dim">${listOf(reader, tests)}</span>`}${
                trackId &&
                html` <span class="dim">${t('prospectus:onlyFor', { tracks: names(tracks.filter(({ id }) => id === trackId)) })}</span>`
              }</li>`,
          )}</ul>
${sessions.length > shownSessions && html`<p class="dim">${t('prospectus:moreSessions', { count: sessions.length - shownSessions })}</p>`}
<p class="dim">${t('prospectus:chooseSession')}</p>`
}
${tested.length > 0 && untested.length > 0 && html`<p>${t('prospectus:testsWithout', { tracks: names(untested) })}</p>`}</section>`
}

type File = Prospectus['files'][number]

/** Documents of these tracks by stage; one that not all of them ask for names those that do. */
export function documentsOf(reader: Reader, prospectus: Prospectus, tracks: readonly Track[]): Html {
  const { t } = reader
  const files = prospectus.files.filter(({ trackId }) => tracks.some(({ id }) => id === trackId))
  const stage = (name: File['stage'], title: string) => {
    const byName = groupsOf(
      files.filter((file) => file.stage === name),
      (file) => file.name,
    )
    if (byName.length === 0) return null
    return html`<h3>${title}</h3><ul>${byName.map(({ first, all }) => {
      const askers = tracks.filter(({ id }) => all.some(({ trackId }) => trackId === id))
      const notes = [
        askers.length < tracks.length &&
          t('prospectus:onlyFor', { tracks: askers.map((track) => trackName(reader, prospectus, track)).join(', ') }),
        all.every(({ required }) => !required) && t('prospectus:optional'),
        all.every(({ mayDefer }) => mayDefer) && t('prospectus:mayFollow'),
      ].filter((note) => note !== false)
      return html`<li>${reader.nameOf(first)}${notes.length > 0 && html` <span class="dim">(${notes.join(', ')})</span>`}</li>`
    })}</ul>`
  }
  return html`<section class="card" id="berkas"><h2>${t('prospectus:documents')}</h2>
${
  files.length === 0
    ? html`<p>${t('prospectus:noDocuments')}</p>`
    : html`<p class="dim">${t('prospectus:documentsHelp')}</p>
${stage('registration', t('prospectus:toRegister'))}${stage('enrolment', t('prospectus:toEnrol'))}`
}</section>`
}

export const choicesText = ({ t }: Reader, { maxChoices }: Track) =>
  maxChoices === 1 ? t('prospectus:oneChoice') : t('prospectus:choices', { count: maxChoices })

export type Question = { question: string; answer: string }

/** Questions people ask, answered from the data of the wave. */
export function questionsOf(reader: Reader, prospectus: Prospectus, wave: Wave, tracks: readonly Track[]): Question[] {
  const { t, language } = reader
  const q = (key: string, params?: Record<string, unknown>) => t(`prospectus:question.${key}`, params)
  const names = (some: readonly Track[]) => namesOf(reader, prospectus, some)
  const free = tracks.filter(({ freeOfFee }) => freeOfFee)
  const plans = prospectus.prices.plans.get(wave.id) ?? []
  const following = prospectus.files.filter(
    (file) => file.mayDefer && file.stage === 'registration' && tracks.some(({ id }) => id === file.trackId),
  )
  const follow = [...new Set(following.map(reader.nameOf))]
  const levels = [...new Set(tracks.flatMap(({ windows }) => windows.map(({ entryLevelId }) => entryLevelId)))]
    .map((id) => prospectus.entryLevels.get(id))
    .filter((level) => level !== undefined)
  const refunds = prospectus.refunds.filter(({ waveId }) => waveId === null || waveId === wave.id)
  return [
    {
      question: q('before'),
      answer: [q('beforeAnswer'), free.length > 0 && q('beforeFree', { tracks: names(free) })]
        .filter(Boolean)
        .join(' '),
    },
    {
      question: q('instalments'),
      answer: plans.some(({ terms }) => terms.length > 1)
        ? q('instalmentsAnswer', { plans: listOf(reader, plans) })
        : q('instalmentsNot'),
    },
    {
      question: q('diploma'),
      answer: follow.length > 0 ? q('diplomaAnswer', { documents: follow.join(', ') }) : q('diplomaNot'),
    },
    {
      question: q('who'),
      answer: levels
        .map(({ name, minimumEducation }) =>
          q('whoAnswer', { level: name, education: educationOf(reader, minimumEducation) }),
        )
        .join(' '),
    },
    {
      question: q('several'),
      answer: tracks
        .map((track) =>
          q('severalAnswer', {
            track: trackName(reader, prospectus, track),
            count: choicesText(reader, track),
          }),
        )
        .join(' '),
    },
    { question: q('payer'), answer: q('payerAnswer') },
    {
      question: q('refund'),
      answer:
        refunds.length > 0
          ? refunds
              .map(({ lastDay, shareBps }) =>
                q('refundAnswer', { date: longDate(lastDay, language), share: percent(shareBps / 10_000) }),
              )
              .join(' ')
          : q('refundNot'),
    },
  ].filter(({ answer }) => answer !== '')
}

export const questionList = ({ t }: Reader, questions: readonly Question[]) =>
  html`<section class="card" id="tanya"><h2>${t('prospectus:questions')}</h2>${questions.map(
    ({ question, answer }) => html`<details><summary>${question}</summary><p>${answer}</p></details>`,
  )}</section>`
