import type { QuotaGrid } from '#domain/selection/quota-endpoints.ts'

export type Line = { places: number | null; spillTurn: number | null }
export type Lines = Readonly<Record<string, Line>>

/** Stored division of the places by track. */
export const linesOf = ({ tracks }: Pick<QuotaGrid, 'tracks'>): Lines =>
  Object.fromEntries(tracks.map(({ trackId, places, spillTurn }) => [trackId, { places, spillTurn }]))

/** A track without a line has no places, such as one that the wave got after the form was opened. */
export const lineOf = (lines: Lines, trackId: string): Line => lines[trackId] ?? { places: 0, spillTurn: null }
