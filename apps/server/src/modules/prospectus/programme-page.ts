import { mustGet } from '#domain/must.ts'
import { rupiah } from '#locales/format.ts'
import { type Html, html } from '#server/platform/http/html.ts'
import { costOf, money } from './cost.ts'
import {
  choosableDiscounts,
  className,
  degreeOf,
  gradeOf,
  groupsOf,
  lowestOf,
  type Offer,
  offersOf,
  trackName,
  tracksOf,
  waveName,
  waveOf,
  windowOf,
} from './facts.ts'
import type { PublicPage } from './layout.ts'
import type { Programme, Prospectus, Track, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'
import { documentsOf, questionList, questionsOf, statusOf, testsOf, timelines } from './sections.ts'
import { signUpLink } from './sign-up-link.ts'
import { programmeData, programmePath, questionsData, universityData } from './structured-data.ts'

export type Asked = {
  wave?: string | undefined
  entry?: string | undefined
  class?: string | undefined
  track?: string | undefined
  discount: readonly string[]
}

type Place = { wave: Wave; offers: readonly Offer[]; offer: Offer; tracks: readonly Track[]; track: Track | undefined }

const isCode = (code: string, asked: string | undefined) => code.toLowerCase() === asked?.toLowerCase()

/** What the address names. A class that it does not name is the largest with places; a track is never assumed. */
function placeOf({ waves, entryLevels }: Prospectus, programme: Programme, asked: Asked): Place | undefined {
  const offering = waves.filter((wave) => offersOf(wave, programme.id).length > 0)
  const wave = waveOf(offering, asked.wave)
  if (!wave) return undefined
  const offers = offersOf(wave, programme.id)
  const ofLevel = offers.filter(({ entryLevelId }) => isCode(mustGet(entryLevels, entryLevelId).code, asked.entry))
  const inLevel = ofLevel.length > 0 ? ofLevel : (groupsOf(offers, ({ entryLevelId }) => entryLevelId)[0]?.all ?? [])
  const offer =
    inLevel.find(({ code }) => isCode(code, asked.class)) ??
    inLevel.toSorted((a, b) => Number(b.placesLeft > 0) - Number(a.placesLeft > 0) || b.capacity - a.capacity)[0]
  if (!offer) return undefined
  const tracks = tracksOf(wave, offer.entryLevelId)
  const track = tracks.find(({ code }) => isCode(code, asked.track)) ?? (tracks.length === 1 ? tracks[0] : undefined)
  return { wave, offers, offer, tracks, track }
}

/** `/daftar/prodi/{code}`: a programme with its full cost. */
export function programmePage(
  reader: Reader,
  prospectus: Prospectus,
  publicUrl: string,
  programme: Programme,
  asked: Asked,
): PublicPage {
  const { t } = reader
  const { isOpen, university } = prospectus
  const place = isOpen ? placeOf(prospectus, programme, asked) : undefined
  const title = t('prospectus:programmeTitle', {
    programme: reader.nameOf(programme),
    degree: programme.degreeCode,
  })
  const lowest = place && lowestOf(prospectus, place.wave, programme)
  const names = { programme: reader.nameOf(programme), degree: programme.degreeCode, university: university.name }
  const shownTracks = place?.track ? [place.track] : (place?.tracks ?? [])
  const questions = place ? questionsOf(reader, prospectus, place.wave, shownTracks) : []
  const grade = gradeOf(reader, programme)
  const description = reader.textOf(programme.descriptionEn, programme.description)
  return {
    path: programmePath(programme),
    query: { wave: asked.wave, entry: asked.entry, class: asked.class, track: asked.track, discount: asked.discount },
    title,
    description: lowest
      ? t('prospectus:programmeCost', {
          ...names,
          first: rupiah(lowest.firstPayment),
          year: rupiah(lowest.firstYear),
        })
      : t('prospectus:programmeDescription', names),
    data: [
      universityData(prospectus, publicUrl),
      programmeData(reader, prospectus, publicUrl, programme, place?.wave),
      ...(questions.length > 0 ? [questionsData(questions)] : []),
    ],
    body: html`<div class="card"><p><a class="tap" href="${reader.to('/daftar')}">${t('prospectus:allProgrammes')}</a></p>
<h1>${reader.nameOf(programme)}</h1>
<p>${[degreeOf(reader, programme), reader.nameOf({ name: programme.facultyName, nameEn: programme.facultyNameEn })].join(' · ')}</p>
<p>${grade ? t('prospectus:accreditation', { grade }) : t('prospectus:noAccreditation')}</p>
${description && html`<p>${description}</p>`}
${place || !isOpen ? statusOf(reader, prospectus, place?.wave) : notOffered(reader, prospectus)}
${
  lowest &&
  html`<dl class="sums"><dt>${t('prospectus:firstYearFrom')}</dt><dd>${money(lowest.firstYear)}</dd><dt>${t('prospectus:firstPaymentFrom')}</dt><dd>${money(lowest.firstPayment)}</dd></dl>`
}
${place && html`<div id="ajakan">${callToApply(reader, prospectus, programme, place, asked)}</div>`}
${place && classList(reader, prospectus, place)}</div>
${
  place &&
  html`<section class="card" id="biaya"><h2>${t('prospectus:calculator')}</h2>
<div class="two">${calculator(reader, prospectus, programme, place, asked)}
<div id="hasil" class="result" aria-live="polite">${costOf(reader, prospectus, { ...place, programme }, tickedOf(prospectus, place, asked))}
${callToApply(reader, prospectus, programme, place, asked)}</div></div></section>
<div class="half">${documentsOf(reader, prospectus, shownTracks)}${testsOf(reader, prospectus, place.wave, shownTracks)}</div>
${timelines(reader, prospectus, place.wave, shownTracks, place.offer.entryLevelId)}
${questionList(reader, questions)}`
}`,
  }
}

const notOffered = (reader: Reader, prospectus: Prospectus) => {
  const wave = waveOf(prospectus.waves, undefined)
  return wave
    ? html`<p class="lead">${reader.t('prospectus:notOffered', { wave: waveName(reader, prospectus, wave) })}</p>`
    : statusOf(reader, prospectus, undefined)
}

const tickedOf = (prospectus: Prospectus, { tracks, offer }: Place, { discount }: Asked) =>
  new Set(
    choosableDiscounts(prospectus, tracks, offer.entryLevelId)
      .filter(({ code }) => discount.some((one) => isCode(code, one)))
      .map(({ id }) => id),
  )

function classList(reader: Reader, prospectus: Prospectus, { offers, wave }: Place): Html {
  const { t } = reader
  return html`<h2>${t('prospectus:classes')}</h2>
${offers.every(({ placesLeft }) => placesLeft === 0) && html`<p class="state stop">${t('prospectus:fullAll', { wave: waveName(reader, prospectus, wave) })}</p>`}
<ul class="stack">${groupsOf(offers, ({ id }) => id).map(({ first: offer, all }) => {
    const places = all.reduce((sum, { placesLeft }) => sum + placesLeft, 0)
    const description = reader.textOf(prospectus.classes.get(offer.id)?.descriptionEn, offer.description)
    return html`<li><b>${className(reader, prospectus, offer)}</b> ${
      places === 0
        ? html`<span class="state stop">${t('prospectus:state.full')}</span>`
        : prospectus.showsPlaces && html`<span class="dim">${t('prospectus:placesLeft', { count: places })}</span>`
    }${description && html`<p class="dim">${description}</p>`}</li>`
  })}</ul>`
}

/** A form that works by itself: sending it asks for this page with the choice in its address. */
function calculator(reader: Reader, prospectus: Prospectus, programme: Programme, place: Place, asked: Asked): Html {
  const { t } = reader
  const { wave, offers, offer, tracks, track } = place
  const waves = prospectus.waves.filter((one) => offersOf(one, programme.id).length > 0)
  const levels = [...new Set(offers.map(({ entryLevelId }) => entryLevelId))].map((id) =>
    mustGet(prospectus.entryLevels, id),
  )
  const chosenLevel = mustGet(prospectus.entryLevels, offer.entryLevelId)
  const classes = offers.filter(({ entryLevelId }) => entryLevelId === offer.entryLevelId)
  const discounts = choosableDiscounts(prospectus, tracks, offer.entryLevelId)
  const ticked = tickedOf(prospectus, place, asked)
  const { lang } = Object.fromEntries(new URL(reader.to('/'), 'http://localhost').searchParams)
  const select = (name: string, label: string, options: readonly (readonly [string, string])[], chosen: string) =>
    options.length < 2
      ? null
      : html`<div><label class="label" for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${options.map(
          ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
        )}</select></div>`
  return html`<form class="stack" method="get" action="${programmePath(programme)}#hasil" data-refresh="hasil">
${lang !== undefined && html`<input type="hidden" name="lang" value="${lang}">`}
${select(
  'wave',
  t('prospectus:field.wave'),
  waves.map((one) => [one.code, waveName(reader, prospectus, one)]),
  wave.code,
)}
${select(
  'entry',
  t('prospectus:field.entryLevel'),
  levels.map(({ code, name }) => [code, name]),
  chosenLevel.code,
)}
${
  tracks.length > 0 &&
  html`<fieldset id="jalur"><legend>${t('prospectus:field.track')}</legend>${tracks.map((one) => {
    const texts = prospectus.tracks.get(one.id)
    const audience = reader.textOf(texts?.audienceEn ?? texts?.descriptionEn, texts?.audience ?? one.description)
    return html`<label class="pick"><input type="radio" name="track" value="${one.code}"${one === track && html` checked`}><span><b>${trackName(reader, prospectus, one)}</b>${audience && html`<small>${audience}</small>`}</span></label>`
  })}</fieldset>`
}
${select(
  'class',
  t('prospectus:field.class'),
  classes.map((one) => [
    one.code,
    one.placesLeft === 0
      ? t('prospectus:fullClass', { class: className(reader, prospectus, one) })
      : className(reader, prospectus, one),
  ]),
  offer.code,
)}
${
  discounts.length > 0 &&
  html`<fieldset><legend>${t('prospectus:field.discounts')}</legend>${discounts.map(
    (discount) =>
      html`<label class="pick"><input type="checkbox" name="discount" value="${discount.code}"${ticked.has(discount.id) && html` checked`}><span>${reader.nameOf(discount)}<small>${t(`prospectus:condition.${discount.condition}`)}</small></span></label>`,
  )}</fieldset>`
}
<button class="button quiet">${t('prospectus:calculate')}</button>
</form>`
}

/** The way on: sign-up that keeps the choice, or why there is none. */
function callToApply(
  reader: Reader,
  prospectus: Prospectus,
  programme: Programme,
  { wave, offer, track, tracks }: Place,
  asked: Asked,
): Html | null {
  const { t } = reader
  if (offer.placesLeft === 0)
    return html`<p><span class="state stop">${t('prospectus:fullHelp', { class: className(reader, prospectus, offer) })}</span></p>`
  const isOpen = track
    ? windowOf(track, offer.entryLevelId)?.state === 'open'
    : tracks.some((one) => windowOf(one, offer.entryLevelId)?.state === 'open')
  if (wave.state !== 'open' || !isOpen) return null
  // A class that the address does not name is no choice of the visitor.
  const isChosen = isCode(offer.code, asked.class)
  const link = signUpLink(reader, { wave, track, programme, offer: isChosen ? offer : undefined })
  return html`<p class="row"><a class="button" href="${link}">${t('prospectus:applyTo')}</a><span class="dim">${t('prospectus:applyNote')}</span></p>`
}
