import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { MovedRegistration } from './steps/move-registration.ts'

/** Counts accepted, confirmed and enrolled registrations of a programme in the wave, class and level of `from`. */
export const placesTaken = (
  programme: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  exceptId?: string,
) => sql<number>`(
  SELECT count(*)::int FROM registrations o
  WHERE o.wave_id = ${from}.wave_id AND o.programme_id = ${programme}
    AND o.status IN ('decided', 'confirmed', 'enrolled') AND o.decision = 'accepted'
    AND o.class_programme_id = ${from}.class_programme_id AND o.entry_level_id = ${from}.entry_level_id
    ${exceptId ? sql`AND o.id <> ${exceptId}` : sql``})`

type PlacesKey = { programmeId: string; waveId: string; classProgrammeId: string; entryLevelId: string }

/**
 * Locks the row with the capacity, so that of two transactions that take the last place the second waits and then finds
 * it taken. `places` is the capacity with the planned over-offer.
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

/** Throws 409 if the programme has no place left for a registration that was just moved. */
export async function takePlace(tx: Tx, registration: MovedRegistration, programmeId: string) {
  const place = await lockPlaces(tx, { ...registration, programmeId })
  if (!place?.active) throw invalid({ programmeId: 'choice_not_offered' })
  const { rows } = await sql<{ taken: number }>`
    SELECT ${placesTaken(sql`d.programme_id`, sql`d`, registration.id)} AS taken FROM programme_details d WHERE d.id = ${place.id}`.execute(
    tx,
  )
  if (rows[0]!.taken >= place.places) throw conflict('programme_full', { capacity: place.places })
}
