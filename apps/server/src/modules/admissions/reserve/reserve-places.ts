import { sql } from 'kysely'
import type { MovedRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Reserve candidates of a study programme and class programme of a wave, in the order of their ranks: of one track, or
 * with `trackId` null of every track where the places were not divided.
 */
export type ReserveList = { waveId: string; programmeId: string; classProgrammeId: string; trackId: string | null }

/** Topic of a place that an accepted applicant left; the data is a `ReserveList`. */
export const placeVacated = 'admissions.place-vacated'

/** Serializes offers, skips and the closing of a list. Taken before the locks of registrations and places. */
export const lockReserveList = (tx: Tx, { waveId, programmeId, classProgrammeId, trackId }: ReserveList) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(
    ${`reserve ${waveId} ${programmeId} ${classProgrammeId} ${trackId}`}, 0))`.execute(tx)

/** Condition on the reserve place `p` of the run `s`: it belongs to the list. */
export const isOfList = ({ waveId, programmeId, classProgrammeId, trackId }: ReserveList) =>
  sql<boolean>`(s.wave_id = ${waveId} AND p.programme_id = ${programmeId}
    AND p.class_programme_id = ${classProgrammeId} AND ${trackId ? sql`p.track_id = ${trackId}` : sql`p.track_id IS NULL`})`

const holdsPlace: readonly string[] = ['decided', 'confirmed', 'enrolled']

/**
 * Ends the reserve places of a registration that was answered or has ended: the one of the offer as `end`, those that
 * still wait as closed. After a reverted decision the registration goes on waiting on its other lists.
 */
export const endReservePlace = (
  tx: Tx,
  services: Services,
  registrationId: string,
  end: 'taken' | 'declined' | 'expired' | 'reverted',
) =>
  sql`UPDATE reserve_places SET ended_at = ${services.clock.now()}, version = version + 1,
      status = CASE WHEN status = 'waiting' OR ${end} = 'reverted' THEN 'closed' ELSE ${end} END
    WHERE registration_id = ${registrationId} AND status IN ('waiting', 'offered', 'taken')
      AND NOT (status = 'waiting' AND ${end} = 'reverted')`.execute(tx)

/** The reserve place that a registration was accepted from stands again, as an offer or as taken. */
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

/** The list of every track beside that of one. */
const undivided = (list: ReserveList): ReserveList => ({ ...list, trackId: null })

/**
 * Locks the lists that the place of an accepted registration may belong to: that of its track, which it returns, and that
 * of every track; undefined without an acceptance.
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
 * Takes the place that a registration left back from its reserve list. If the place went on, 409 while candidates wait who
 * come first for any other free place. Needs the locks of the lists.
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
 * Notes the place that an accepted registration left, on the list whose candidates wait for it: that of its track, or
 * that of every track. The job offers the place to the next.
 */
export async function vacatePlace(
  tx: Tx,
  services: Services,
  { id, before, acceptedBefore, waveId, trackId, classProgrammeId, entryLevelId }: Left,
) {
  if (!acceptedBefore || !holdsPlace.includes(before)) return
  const { rows } = await sql<ReserveList>`
    INSERT INTO vacated_places (registration_id, wave_id, programme_id, class_programme_id, track_id, vacated_at)
    SELECT ${id}::uuid, s.wave_id, p.programme_id, p.class_programme_id, p.track_id, ${services.clock.now()}::timestamptz
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
