import { sql } from 'kysely'
import type { MovedRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'

/**
 * A reserve list: the candidates for a study programme and class programme in a wave, by rank. `trackId` null: the
 * places are not divided, and the list has candidates of all tracks.
 */
export type ReserveList = { waveId: string; programmeId: string; classProgrammeId: string; trackId: string | null }

/** Topic for a place that an accepted applicant vacated; the data is a `ReserveList`. */
export const placeVacated = 'admissions.place-vacated'

/** Serializes offers, skips and closing on a list. Must be taken before locks on registrations and places. */
export const lockReserveList = (tx: Tx, { waveId, programmeId, classProgrammeId, trackId }: ReserveList) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(
    ${`reserve ${waveId} ${programmeId} ${classProgrammeId} ${trackId}`}, 0))`.execute(tx)

/** SQL condition: reserve place `p` of selection run `s` belongs to the list. */
export const isOfList = ({ waveId, programmeId, classProgrammeId, trackId }: ReserveList) =>
  sql<boolean>`(s.wave_id = ${waveId} AND p.programme_id = ${programmeId}
    AND p.class_programme_id = ${classProgrammeId} AND ${trackId ? sql`p.track_id = ${trackId}` : sql`p.track_id IS NULL`})`

const holdsPlace: readonly string[] = ['decided', 'confirmed', 'enrolled']

/**
 * Ends the reserve places of a registration that answered its offer or ended: the offered place as `end`, waiting ones
 * as closed. After a reverted decision (`reverted`), the offered place closes and waiting ones stay.
 */
export const endReservePlace = (
  { tx, services }: Omit<Context, 'actor'>,
  registrationId: string,
  end: 'taken' | 'declined' | 'expired' | 'reverted',
) =>
  sql`UPDATE reserve_places SET ended_at = ${services.clock.now()}, version = version + 1,
      status = CASE WHEN status = 'waiting' OR ${end} = 'reverted' THEN 'closed' ELSE ${end} END
    WHERE registration_id = ${registrationId} AND status IN ('waiting', 'offered', 'taken')
      AND NOT (status = 'waiting' AND ${end} = 'reverted')`.execute(tx)

/**
 * Restores the reserve place that a registration was accepted from: as offered if it is decided again, else as taken.
 */
export const reopenReservePlace = (tx: Tx, { id, status, acceptedProgrammeId }: Reopened) => {
  const change =
    status === 'decided'
      ? sql`status = 'offered', ended_at = NULL,
          due_at = coalesce((SELECT offer_due_at FROM registrations WHERE id = ${id}), due_at)`
      : sql`status = 'taken'`
  return sql`UPDATE reserve_places SET ${change}, version = version + 1
    WHERE id = (SELECT id FROM reserve_places WHERE registration_id = ${id} AND programme_id = ${acceptedProgrammeId}
        AND offered_at IS NOT NULL ORDER BY offered_at DESC LIMIT 1)
      AND status IN ('taken', 'declined', 'expired')`.execute(tx)
}

type Reopened = Pick<MovedRegistration, 'id' | 'status' | 'acceptedProgrammeId'>

/** The list across tracks for the same programme, class and wave. */
const undivided = (list: ReserveList): ReserveList => ({ ...list, trackId: null })

/**
 * Locks both lists an accepted registration's place may belong to: its track's, which is returned, and the one across
 * tracks. Undefined without an acceptance.
 */
export async function lockListsOfPlace(tx: Tx, registrationId: string): Promise<ReserveList | undefined> {
  const { rows } = await sql<ReserveList>`
    SELECT wave_id, accepted_programme_id AS programme_id, class_programme_id, track_id FROM registrations
    WHERE id = ${registrationId} AND decision = 'accepted'`.execute(tx)
  const [list] = rows
  if (list) {
    await lockReserveList(tx, list)
    await lockReserveList(tx, undivided(list))
  }
  return list
}

/**
 * Takes the place a registration vacated back from its reserve list. If the place was passed on, 409 while candidates
 * wait: they come first for any other free place. The caller holds the locks of both lists.
 */
export async function takeBackPlace(tx: Tx, { id, entryLevelId }: MovedRegistration, list: ReserveList) {
  const { programmeId, classProgrammeId } = list
  const { rows: left } = await sql`DELETE FROM vacated_places WHERE registration_id = ${id} AND reserve_place_id IS NULL
    AND programme_id = ${programmeId} AND class_programme_id = ${classProgrammeId} RETURNING id`.execute(tx)
  if (left.length > 0) return
  const { rows: waiting } = await sql`
    SELECT FROM reserve_places p JOIN selection_runs s ON s.id = p.selection_run_id
    JOIN registrations r ON r.id = p.registration_id
    WHERE p.status = 'waiting' AND (${isOfList(list)} OR ${isOfList(undivided(list))}) AND s.status = 'adopted'
      AND r.status = 'verified' AND r.class_programme_id = p.class_programme_id AND r.entry_level_id = ${entryLevelId} LIMIT 1`.execute(
    tx,
  )
  if (waiting.length > 0) throw conflict('place_to_reserve')
}

/**
 * Records the place an accepted registration vacated, if candidates wait for it: on its track's list, else on the one
 * across tracks. The job then offers the place.
 */
export async function vacatePlace(
  { tx, services }: Omit<Context, 'actor'>,
  { id, before, acceptedBefore, waveId, trackId, classProgrammeId, entryLevelId }: Left,
) {
  const now = services.clock.now()
  if (!acceptedBefore || !holdsPlace.includes(before)) return
  const { rows } = await sql<ReserveList>`
    INSERT INTO vacated_places (registration_id, wave_id, programme_id, class_programme_id, track_id, vacated_at)
    SELECT ${id}::uuid, s.wave_id, p.programme_id, p.class_programme_id, p.track_id, ${now}::timestamptz
    FROM reserve_places p JOIN selection_runs s ON s.id = p.selection_run_id
    JOIN registrations r ON r.id = p.registration_id
    WHERE p.status = 'waiting' AND s.wave_id = ${waveId} AND p.programme_id = ${acceptedBefore}
      AND p.class_programme_id = ${classProgrammeId} AND r.entry_level_id = ${entryLevelId}
      AND (p.track_id = ${trackId} OR p.track_id IS NULL)
    ORDER BY p.track_id NULLS LAST LIMIT 1
    RETURNING wave_id, programme_id, class_programme_id, track_id`.execute(tx)
  if (rows[0]) await services.jobs.publish(tx, placeVacated, rows[0])
}

type Left = Pick<
  MovedRegistration,
  'id' | 'before' | 'acceptedBefore' | 'waveId' | 'trackId' | 'classProgrammeId' | 'entryLevelId'
>
