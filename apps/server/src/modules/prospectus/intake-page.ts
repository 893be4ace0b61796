import { longDate, rupiah } from '#locales/format.ts'
import { type Html, html } from '#server/platform/http/html.ts'
import { money } from './cost.ts'
import { className, degreeOf, gradeOf, groupsOf, lowestOf, offersOf, trackName, waveName, waveOf } from './facts.ts'
import type { PublicPage } from './layout.ts'
import type { Programme, Prospectus, Track, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'
import {
  choicesText,
  documentsOf,
  questionList,
  questionsOf,
  stateWord,
  statusOf,
  testsOf,
  timelines,
} from './sections.ts'
import { signUpLink } from './sign-up-link.ts'
import { programmePath, questionsData, universityData } from './structured-data.ts'

/** `/daftar`: an intake with its programmes, tracks, documents, tests and dates. */
export function intakePage(
  reader: Reader,
  prospectus: Prospectus,
  publicUrl: string,
  query: { wave?: string | undefined },
): PublicPage {
  const { t } = reader
  const { university, waves, isOpen } = prospectus
  const wave = waveOf(waves, query.wave)
  const isAsked = wave !== undefined && wave.code === query.wave
  const tracks = wave?.tracks ?? []
  const questions = wave && isOpen ? questionsOf(reader, prospectus, wave, tracks) : []
  return {
    path: '/daftar',
    query: isAsked ? { wave: wave.code } : {},
    title: t('prospectus:title', { university: university.name }),
    description: t('prospectus:description', { university: university.name }),
    data: [universityData(prospectus, publicUrl), ...(questions.length > 0 ? [questionsData(questions)] : [])],
    body: html`<div class="card"><h1>${t('prospectus:title', { university: university.name })}</h1>
${statusOf(reader, prospectus, wave)}
<p>${t('prospectus:lead')}</p>
${isOpen && wave?.state === 'open' && html`<p class="row"><a class="button" href="${signUpLink(reader, { wave })}">${t('prospectus:apply')}</a><span class="dim">${t('prospectus:applyNote')}</span></p>`}</div>
${isOpen && wave && jumps(reader)}
${isOpen && waves.length > 1 && wave && waveList(reader, prospectus, wave)}
${programmeList(reader, prospectus, isOpen ? wave : undefined)}
${
  isOpen &&
  wave &&
  html`${trackList(reader, prospectus, wave)}
<div class="half">${documentsOf(reader, prospectus, tracks)}${testsOf(reader, prospectus, wave, tracks)}</div>
${timelines(reader, prospectus, wave, tracks)}
${questionList(reader, questions)}`
}`,
  }
}

/** Links to the sections below: on a phone the page is long. */
const jumps = ({ t }: Reader) =>
  html`<nav class="jump" aria-label="${t('prospectus:onThisPage')}">${(
    [
      ['prodi', 'programmes'],
      ['jalur', 'tracks'],
      ['berkas', 'documents'],
      ['tes', 'tests'],
      ['jadwal', 'timeline'],
      ['tanya', 'questions'],
    ] as const
  ).map(([id, key]) => html`<a href="#${id}">${t(`prospectus:${key}`)}</a>`)}</nav>`

const waveList = (reader: Reader, prospectus: Prospectus, current: Wave) => {
  const { t, language } = reader
  return html`<section class="card" id="gelombang"><h2>${t('prospectus:waves')}</h2>
<ul class="stack">${prospectus.waves.map((wave) => {
    const name = waveName(reader, prospectus, wave)
    const date =
      wave.state === 'upcoming'
        ? t('prospectus:from', { date: longDate(wave.opensAt, language) })
        : t('prospectus:until', { date: longDate(wave.closesAt, language) })
    return html`<li class="row">${
      wave === current
        ? html`<b aria-current="true">${name}</b>`
        : html`<a class="tap" href="${reader.to('/daftar', { wave: wave.code })}">${name}</a>`
    } ${stateWord(reader, wave.state)} <span class="dim">${date}</span></li>`
  })}</ul>
<p class="dim">${t('prospectus:wavesHelp', { wave: waveName(reader, prospectus, current) })}</p></section>`
}

/** Programmes by faculty; without a wave only what does not depend on one. */
function programmeList(reader: Reader, prospectus: Prospectus, wave: Wave | undefined): Html {
  const { t } = reader
  const listed = wave ? prospectus.programmes.filter(({ id }) => offersOf(wave, id).length > 0) : prospectus.programmes
  return html`<section class="card" id="prodi"><h2>${t('prospectus:programmes')}</h2>
${wave && html`<p class="dim">${t('prospectus:programmesHelp')}</p>`}
${groupsOf(listed, ({ facultyId }) => facultyId).map(({ first: { facultyName, facultyNameEn }, all }) => {
  return html`<h3>${reader.nameOf({ name: facultyName, nameEn: facultyNameEn })}</h3>
<ul class="grid">${all.map((programme) => programmeItem(reader, prospectus, wave, programme))}</ul>`
})}</section>`
}

function programmeItem(reader: Reader, prospectus: Prospectus, wave: Wave | undefined, programme: Programme): Html {
  const { t } = reader
  const offers = offersOf(wave, programme.id)
  const lowest = wave && lowestOf(prospectus, wave, programme)
  const places = offers.reduce((sum, { placesLeft }) => sum + placesLeft, 0)
  const grade = gradeOf(reader, programme)
  const facts = [
    degreeOf(reader, programme),
    grade && t('prospectus:accreditation', { grade }),
    [...new Set(offers.map((offer) => className(reader, prospectus, offer)))].join(', '),
  ].filter(Boolean)
  const query = wave && wave !== waveOf(prospectus.waves, undefined) ? { wave: wave.code } : {}
  return html`<li><a class="tap" href="${reader.to(programmePath(programme), query)}"><b>${reader.nameOf(programme)}</b></a>
<p class="dim">${facts.join(' · ')}</p>
${offers.length > 0 && places === 0 ? html`<p><span class="state stop">${t('prospectus:state.full')}</span></p>` : null}
${offers.length > 0 && places > 0 && prospectus.showsPlaces ? html`<p class="dim">${t('prospectus:placesLeft', { count: places })}</p>` : null}
${lowest && html`<dl class="sums"><dt>${t('prospectus:firstPaymentFrom')}</dt><dd>${money(lowest.firstPayment)}</dd><dt>${t('prospectus:firstYearFrom')}</dt><dd>${money(lowest.firstYear)}</dd></dl>`}</li>`
}

export function trackList(reader: Reader, prospectus: Prospectus, wave: Wave): Html {
  const { t } = reader
  return html`<section class="card" id="jalur"><h2>${t('prospectus:tracks')}</h2>
<p class="dim">${t('prospectus:tracksHelp')}</p>
<ul class="stack">${wave.tracks.map((track) => trackItem(reader, prospectus, wave, track))}</ul></section>`
}

function trackItem(reader: Reader, prospectus: Prospectus, wave: Wave, track: Track): Html {
  const { t, language } = reader
  const texts = prospectus.tracks.get(track.id)
  const { minimum, maximum } = track.fee
  const fee =
    maximum === 0
      ? t('prospectus:freeOfFee')
      : minimum === maximum
        ? t('prospectus:feeOf', { amount: rupiah(minimum) })
        : t('prospectus:feeBetween', { from: rupiah(minimum), to: rupiah(maximum) })
  const open = track.windows.filter(({ state }) => state === track.state)
  const date =
    track.state === 'upcoming'
      ? t('prospectus:from', {
          date: longDate(new Date(Math.min(...open.map(({ opensAt }) => opensAt.getTime()))), language),
        })
      : t('prospectus:until', { date: longDate(latest(track.windows), language) })
  const audience = reader.textOf(texts?.audienceEn, texts?.audience)
  const description = reader.textOf(texts?.descriptionEn, track.description)
  return html`<li><h3>${trackName(reader, prospectus, track)}</h3>
${audience && html`<p>${audience}</p>`}
${description && html`<p class="dim">${description}</p>`}
<p class="dim">${[fee, t(track.hasTest ? 'prospectus:withTest' : 'prospectus:withoutTest'), choicesText(reader, track)].join(' · ')}</p>
<p class="row">${stateWord(reader, track.state)} <span class="dim">${date}</span>
${track.state === 'open' && html`<a class="tap" href="${signUpLink(reader, { wave, track })}">${t('prospectus:applyBy', { track: trackName(reader, prospectus, track) })}</a>`}</p></li>`
}

const latest = (windows: Track['windows']) => new Date(Math.max(...windows.map(({ closesAt }) => closesAt.getTime())))
