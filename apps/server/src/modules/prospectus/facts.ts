import { entryLevel } from '#entities/academic/entry-level.ts'
import { studyProgramme } from '#entities/academic/study-programme.ts'
import type { Choices } from '#entities/define/field.ts'
import {
  discountsOn,
  type IssueDates,
  type PricedClass,
  priceClass,
} from '#server/modules/payments/bills/prices/price-list.ts'
import type { Named, Programme, Prospectus, Track, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'

const named = (choices: Choices, { language }: Reader, key: string) => choices[key]?.[language] ?? key

export const gradeOf = (reader: Reader, { accreditation }: Programme) =>
  accreditation && named(studyProgramme.fields.accreditation.choices, reader, accreditation)

export const educationOf = (reader: Reader, education: string) =>
  named(entryLevel.fields.minimumEducation.choices, reader, education)

/** `S1 · Sarjana`. */
export const degreeOf = (reader: Reader, { degreeCode, degreeName, degreeNameEn }: Programme) =>
  `${degreeCode} · ${reader.nameOf({ name: degreeName, nameEn: degreeNameEn })}`

export const waveName = (reader: Reader, { waveNames }: Prospectus, wave: Wave) =>
  `${reader.nameOf({ name: wave.name, nameEn: waveNames.get(wave.id)?.nameEn ?? null })} (${wave.academicYear})`

export const trackName = (reader: Reader, { tracks }: Prospectus, track: Track) =>
  reader.nameOf({ name: track.name, nameEn: tracks.get(track.id)?.nameEn ?? null })

export const className = (reader: Reader, { classes }: Prospectus, one: { id: string; name: string }) =>
  reader.nameOf({ name: one.name, nameEn: classes.get(one.id)?.nameEn ?? null })

/** Rows with the same key together, in the order of their first rows. */
export const groupsOf = <T, K>(rows: readonly T[], keyOf: (row: T) => K) =>
  [...Map.groupBy(rows, keyOf).values()].flatMap((all) => all.slice(0, 1).map((first) => ({ first, all })))

export const listOf = (reader: Reader, names: readonly Named[]) => names.map(reader.nameOf).join(', ')

/** The wave named by an address, else the first open one, else the next. */
export const waveOf = (waves: readonly Wave[], code: string | undefined): Wave | undefined =>
  waves.find((wave) => wave.code.toLowerCase() === code?.toLowerCase()) ??
  waves.find(({ state }) => state === 'open') ??
  waves[0]

/** A class of a programme in a wave, for one entry level. */
export type Offer = {
  id: string
  code: string
  name: string
  description: string | null
  entryLevelId: string
  capacity: number
  placesLeft: number
}

export const offersOf = (wave: Wave | undefined, programmeId: string): Offer[] =>
  (wave?.classProgrammes ?? []).flatMap(({ id, code, name, description, programmes }) =>
    programmes
      .filter((programme) => programme.id === programmeId)
      .map(({ entryLevelId, capacity, placesLeft }) => ({
        id,
        code,
        name,
        description,
        entryLevelId,
        capacity,
        placesLeft,
      })),
  )

/** Tracks that take, or will take, applications for an entry level. */
export const tracksOf = (wave: Wave, entryLevelId: string) =>
  wave.tracks.filter(({ windows }) =>
    windows.some((window) => window.entryLevelId === entryLevelId && window.state !== 'closed'),
  )

export const windowOf = ({ windows }: Track, entryLevelId: string) =>
  windows.find((window) => window.entryLevelId === entryLevelId)

/** No bill is issued before applications are taken, and no second one before the results. */
function issueDatesOf({ now }: Prospectus, track: Track | undefined, entryLevelId: string): IssueDates {
  const window = track && windowOf(track, entryLevelId)
  const notBefore = (at: Date | null | undefined) => (at && at > now ? at : now)
  return { registration_fee: notBefore(window?.opensAt), fee_component: notBefore(window?.resultsAt) }
}

const none: ReadonlySet<string> = new Set()

export const priceOf = (
  prospectus: Prospectus,
  place: { wave: Wave; programme: Programme; offer: Offer; track: Track },
  discountIds: ReadonlySet<string> = none,
): PricedClass =>
  priceClass(
    prospectus.prices,
    issueDatesOf(prospectus, place.track, place.offer.entryLevelId),
    {
      waveId: place.wave.id,
      programmeId: place.programme.id,
      classProgrammeId: place.offer.id,
      entryLevelId: place.offer.entryLevelId,
      trackId: place.track.id,
      freeOfFee: place.track.freeOfFee,
    },
    discountIds,
  )

type Lowest = { firstPayment: number; firstYear: number }

const knownLowest = new WeakMap<Prospectus, Map<string, Lowest | undefined>>()

/**
 * The lowest amounts of a programme over its classes and tracks; undefined if none is priced. Found once for each
 * reading of the prospectus, because every visitor's page names them.
 */
export function lowestOf(prospectus: Prospectus, wave: Wave, programme: Programme): Lowest | undefined {
  const known = knownLowest.get(prospectus) ?? new Map<string, Lowest | undefined>()
  knownLowest.set(prospectus, known)
  const key = `${wave.id} ${programme.id}`
  if (!known.has(key)) known.set(key, findLowest(prospectus, wave, programme))
  return known.get(key)
}

function findLowest(prospectus: Prospectus, wave: Wave, programme: Programme): Lowest | undefined {
  const priced = offersOf(wave, programme.id)
    .flatMap((offer) =>
      tracksOf(wave, offer.entryLevelId).map((track) => priceOf(prospectus, { wave, programme, offer, track })),
    )
    .filter(({ isPriced }) => isPriced)
  if (priced.length === 0) return undefined
  return {
    firstPayment: Math.min(...priced.map(({ firstPayment }) => firstPayment)),
    firstYear: Math.min(...priced.map(({ firstYear }) => firstYear)),
  }
}

/** Discounts that a visitor may tick: those that somebody can have by one of the tracks, not those of every bill. */
export function choosableDiscounts(prospectus: Prospectus, tracks: readonly Track[], entryLevelId: string) {
  const some = new Set(
    tracks.flatMap((track) => discountsOn(prospectus.prices, issueDatesOf(prospectus, track, entryLevelId))),
  )
  return prospectus.prices.discounts.filter((discount) => discount.condition !== 'early' && some.has(discount))
}
