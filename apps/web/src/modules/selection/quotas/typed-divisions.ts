import { dividePlaces } from '#domain/selection/divide-places.ts'
import type { WaveQuotas } from '#domain/selection/quota-endpoints.ts'

export type Programme = WaveQuotas['programmes'][number]

/** What is typed in the row of a programme; a track without text has no places, and a row without any is not divided. */
export type Typed = { overOffer: string; places: Record<string, string>; turns: Record<string, number | null> }

/** Shares as typed above the table: percentages of the capacity and turns by track. */
export type Shares = {
  percents: Record<string, number | ''>
  turns: Record<string, number | ''>
  overOffer: number | ''
}

export const noShares: Shares = { percents: {}, turns: {}, overOffer: '' }

/** The row of a programme as it is stored. */
export const typedOf = ({ overOffer, tracks }: Programme): Typed => ({
  overOffer: String(overOffer),
  places: Object.fromEntries(tracks.map(({ trackId, places }) => [trackId, String(places)])),
  turns: Object.fromEntries(tracks.map(({ trackId, spillTurn }) => [trackId, spillTurn])),
})

/** The whole number of a text, at most 100,000; undefined if it is none. */
export const numberOfText = (text: string) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) <= 100_000 ? Number(text) : undefined

const isTyped = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

/** Body of one programme; a text that is no number becomes null, which the endpoint refuses. */
export const divisionOf = ({ id, version, trackIds }: Programme, { overOffer, places, turns }: Typed) => ({
  id,
  version,
  overOffer: (numberOfText(overOffer) ?? null) as number,
  tracks: trackIds
    .filter((trackId) => isTyped(places[trackId]))
    .map((trackId) => ({
      trackId,
      places: (numberOfText(places[trackId]!) ?? null) as number,
      spillTurn: turns[trackId] ?? null,
    })),
})

/** Places of the capacity that no track has; negative above the capacity, undefined for a row that is not divided. */
export function restOf({ capacity, trackIds }: Programme, { places }: Typed) {
  const typed = trackIds.filter((trackId) => isTyped(places[trackId]))
  if (typed.length === 0) return undefined
  return capacity - typed.reduce((sum, trackId) => sum + (numberOfText(places[trackId]!) ?? 0), 0)
}

export const isChanged = (programme: Programme, typed: Typed) =>
  JSON.stringify(divisionOf(programme, typed)) !== JSON.stringify(divisionOf(programme, typedOf(programme)))

/** A row filled in by shares; a track that the programme's entry level does not have gets nothing. */
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
