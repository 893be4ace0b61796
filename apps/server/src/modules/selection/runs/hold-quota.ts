import { sql } from 'kysely'
import type { Hold, SelectionRules } from '#domain/selection/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { isOpen, isStanding } from './candidates.ts'

type Row = {
  id: string
  active: boolean
  capacity: number
  overOffer: number
  trackId: string
  isDivided: boolean
  places: number | null
  spillTurn: number | null
  /** Places held by hand or kept by earlier acceptances: `given` in all, `givenToTrack` in the track. */
  given: number
  givenToTrack: number
}

/**
 * Throws 409 `hold_above_quota` if held places and those kept by earlier acceptances exceed the programme's places with
 * its over-offer, or the places of a track without a spill turn. `rules` include the new hold.
 */
export async function requirePlaceForHold(
  tx: Tx,
  { waveId, rules }: { waveId: string; rules: SelectionRules },
  { registrationId, programmeId }: Hold,
  now: Date,
) {
  const trackIds = rules.tracks.map(({ trackId }) => trackId)
  const heldIds = rules.holds
    .filter((hold) => hold.kind === 'place' && hold.programmeId === programmeId)
    .map((hold) => hold.registrationId)
  const { rows } = await sql<Row>`
    SELECT d.id, d.active, d.capacity, d.over_offer, h.track_id, q.places, q.spill_turn, g.given, g.given_to_track,
      EXISTS (SELECT FROM track_quotas k WHERE k.programme_detail_id = d.id) AS is_divided
    FROM registrations h
    JOIN programme_details d ON d.wave_id = h.wave_id AND d.programme_id = ${programmeId}
      AND d.class_programme_id = h.class_programme_id AND d.entry_level_id = h.entry_level_id
    LEFT JOIN track_quotas q ON q.programme_detail_id = d.id AND q.track_id = h.track_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS given, (count(*) FILTER (WHERE r.track_id = h.track_id))::int AS given_to_track
      FROM registrations r
      WHERE r.wave_id = ${waveId} AND r.class_programme_id = h.class_programme_id AND r.entry_level_id = h.entry_level_id
        AND ((${isStanding(trackIds, now)} AND r.accepted_programme_id = d.programme_id)
          OR (r.id = ANY(${heldIds}::uuid[]) AND ${isOpen(trackIds, now)}))) g
    WHERE h.id = ${registrationId}`.execute(tx)
  const row = rows[0]
  if (!row) return
  const tried = (trackId: string | null) =>
    rules.places.find((one) => one.programmeDetailId === row.id && one.trackId === trackId)?.places
  const places = row.active ? row.capacity + (tried(null) ?? row.overOffer) : 0
  if (row.given > places) throw conflict('hold_above_quota', { places })
  if (!row.isDivided || row.spillTurn !== null) return
  const placesOfTrack = row.active ? (tried(row.trackId) ?? row.places ?? 0) : 0
  if (row.givenToTrack > placesOfTrack) throw conflict('hold_above_quota', { places: placesOfTrack })
}
