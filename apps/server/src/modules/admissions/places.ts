import { type RawBuilder, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { MovedRegistration } from './steps/move-registration.ts'

/**
 * Counts accepted, confirmed and enrolled registrations of a programme in the wave, class and level of `from`; with
 * `track`, of that track only.
 */
export const placesTaken = (
  programme: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  exceptId?: string,
  track?: RawBuilder<unknown>,
) => sql<number>`(
  SELECT count(*)::int FROM registrations o
  WHERE o.wave_id = ${from}.wave_id AND o.programme_id = ${programme}
    AND o.status IN ('decided', 'confirmed', 'enrolled') AND o.decision = 'accepted'
    AND o.class_programme_id = ${from}.class_programme_id AND o.entry_level_id = ${from}.entry_level_id
    ${track ? sql`AND o.track_id = ${track}` : sql``} ${exceptId ? sql`AND o.id <> ${exceptId}` : sql``})`

/**
 * Most places a track may take in programme detail `d`; 0 in a divided programme without a part for the track. Null if
 * only the programme's capacity limits the track: the programme is not divided, or the track may take places other
 * tracks leave empty.
 */
export const placesOfTrack = (track: RawBuilder<unknown>) => sql<number | null>`(
  SELECT CASE WHEN bool_or(k.track_id = ${track} AND k.spill_turn IS NOT NULL) THEN NULL
    ELSE coalesce(sum(k.places) FILTER (WHERE k.track_id = ${track}), 0)::int END
  FROM track_quotas k WHERE k.programme_detail_id = d.id HAVING count(*) > 0)`

/** Whether the track has a place left in programme detail `d`. The caller checks the programme's capacity. */
export const hasPlaceForTrack = (track: RawBuilder<unknown>) =>
  sql<boolean>`coalesce(${placesOfTrack(track)} > ${placesTaken(sql`d.programme_id`, sql`d`, undefined, track)}, true)`

type PlacesKey = { programmeId: string; waveId: string; classProgrammeId: string; entryLevelId: string }

/**
 * Locks the row with the capacity. Of two transactions that take the last place, the second waits and then finds the
 * place taken. `places`: capacity plus planned over-offer.
 */
export const lockPlaces = (tx: Tx, { programmeId, waveId, classProgrammeId, entryLevelId }: PlacesKey) =>
  tx
    .selectFrom('programmeDetails')
    .select(['id', 'active'])
    .select(({ eb }) => eb('capacity', '+', eb.ref('overOffer')).as('places'))
    .where('programmeId', '=', programmeId)
    .where('waveId', '=', waveId)
    .where('classProgrammeId', '=', classProgrammeId)
    .where('entryLevelId', '=', entryLevelId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Throws 409 if the programme, or the registration's track in it, has no place left for the registration, which is
 * already moved.
 */
export async function takePlace(tx: Tx, registration: MovedRegistration, programmeId: string) {
  const place = await lockPlaces(tx, { ...registration, programmeId })
  if (!place?.active) throw invalid({ programmeId: 'choice_not_offered' })
  const track = sql`${registration.trackId}::uuid`
  const { rows } = await sql<{ taken: number; ofTrack: number | null; takenByTrack: number }>`
    SELECT ${placesTaken(sql`d.programme_id`, sql`d`, registration.id)} AS taken, ${placesOfTrack(track)} AS of_track,
      ${placesTaken(sql`d.programme_id`, sql`d`, registration.id, track)} AS taken_by_track
    FROM programme_details d WHERE d.id = ${place.id}`.execute(tx)
  const { taken, ofTrack, takenByTrack } = theOnly(rows)
  if (taken >= place.places) throw conflict('programme_full', { capacity: place.places })
  if (ofTrack !== null && takenByTrack >= ofTrack) throw conflict('track_full', { places: ofTrack })
}
