import { dividePlaces } from '#domain/selection/divide-places.ts'
import type { WaveQuotas } from '#domain/selection/quota-endpoints.ts'

export type Programme = WaveQuotas['programmes'][number]

/** Text typed in a programme's row. A track without text has no places; a row without any text is not divided. */
export type Typed = { overOffer: string; places: Record<string, string>; turns: Record<string, number | null> }

/** Shares typed above the table: percentages of the capacity and turns, by track. */
export type Shares = {
  percents: Record<string, number | ''>
  turns: Record<string, number | ''>
  overOffer: number | ''
}

export const noShares: Shares = { percents: {}, turns: {}, overOffer: '' }

/** Row of a programme as stored. */
export const typedOf = ({ overOffer, tracks }: Programme): Typed => ({
  overOffer: String(overOffer),
  places: Object.fromEntries(tracks.map(({ trackId, places }) => [trackId, String(places)])),
  turns: Object.fromEntries(tracks.map(({ trackId, spillTurn }) => [trackId, spillTurn])),
})

/** Whole number in a text, at most 100,000; undefined if there is none. */
export const numberOfText = (text: string) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) <= 100_000 ? Number(text) : undefined

const typedPlaces = (trackIds: readonly string[], places: Typed['places']) =>
  trackIds.flatMap((trackId) => {
    const text = places[trackId]
    return text?.trim() ? [{ trackId, text }] : []
  })

/** Body of one programme; text that is not a number becomes null, which the endpoint refuses. */
export const divisionOf = ({ id, version, trackIds }: Programme, { overOffer, places, turns }: Typed) => ({
  id,
  version,
  overOffer: (numberOfText(overOffer) ?? null) as number,
  tracks: typedPlaces(trackIds, places).map(({ trackId, text }) => ({
    trackId,
    places: (numberOfText(text) ?? null) as number,
    spillTurn: turns[trackId] ?? null,
  })),
})

/** Places of the capacity not given to a track: negative above the capacity, undefined for an undivided row. */
export function restOf({ capacity, trackIds }: Programme, { places }: Typed) {
  const typed = typedPlaces(trackIds, places)
  if (typed.length === 0) return undefined
  return capacity - typed.reduce((sum, { text }) => sum + (numberOfText(text) ?? 0), 0)
}

export const isChanged = (programme: Programme, typed: Typed) =>
  JSON.stringify(divisionOf(programme, typed)) !== JSON.stringify(divisionOf(programme, typedOf(programme)))

/** A row filled in by shares; a track not offered at the programme's entry level gets nothing. */
export function filledBy(
  { capacity, trackIds }: Programme,
  before: Typed,
  { percents, turns, overOffer }: Shares,
): Typed {
  const shared = trackIds.filter((trackId) => typeof percents[trackId] === 'number')
  const places = dividePlaces(
    capacity,
    shared.map((trackId) => Number(percents[trackId])),
  )
  return {
    overOffer: overOffer === '' ? before.overOffer : String(Math.round((capacity * overOffer) / 100)),
    places: Object.fromEntries(shared.map((trackId, index) => [trackId, String(places[index])])),
    turns: Object.fromEntries(
      shared.map((trackId) => [trackId, turns[trackId] === '' ? null : (turns[trackId] ?? null)]),
    ),
  }
}
