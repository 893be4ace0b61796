import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { hasPlaceForTrack, placesTaken, takePlace } from '#server/modules/admissions/places.ts'
import { announceIfPublished } from '#server/modules/admissions/results/publish-results.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { isIntakePublished } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { isOfList, lockReserveList, type ReserveList } from './reserve-places.ts'

/**
 * Offers each vacated place of a list to the next candidate by rank, one transaction per place; returns the number of
 * offers.
 */
export async function passOnPlaces(services: Services, list: ReserveList): Promise<number> {
  for (let count = 0; ; count++) {
    const offered = await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      await lockReserveList(tx, list)
      return (await findVacated(tx, list)) ? offerNext(context, list) : null
    }).catch((error) => {
      // Staff may have given the place away or decided about the candidate since the search.
      if (error instanceof AppError && error.status === 409) return null
      throw error
    })
    if (!offered) return count
  }
}

/** Offers a place to the candidate of reserve place `id`; 409 unless the candidate is the next who can take one. */
export async function offerPlace(context: Context, id: string, list: ReserveList) {
  const { tx } = context
  await lockReserveList(tx, list)
  const offered = await offerNext(context, list, id)
  if (!offered) throw conflict('reserve_no_place')
}

/**
 * Accepts the next candidate who can take a free place, with an individual deadline; null if there is none. 409 if
 * `wantedId` is not that candidate. The caller holds the list's lock; locks the registration, then the places.
 */
async function offerNext(context: Context, list: ReserveList, wantedId?: string) {
  const { tx, services, actor } = context
  const now = services.clock.now()
  const { rows } = await sql<{ id: string; registrationId: string; rank: number; selectionRunId: string }>`
    SELECT p.id, p.registration_id, p.rank, p.selection_run_id FROM reserve_places p
    JOIN selection_runs s ON s.id = p.selection_run_id
    JOIN registrations r ON r.id = p.registration_id
    WHERE p.status = 'waiting' AND ${isOfList(list)} AND s.status = 'adopted' AND r.status = 'verified'
      AND r.class_programme_id = p.class_programme_id AND ${isIntakePublished(now)}
      AND EXISTS (SELECT FROM programme_details d WHERE d.active AND d.programme_id = p.programme_id
        AND d.wave_id = r.wave_id AND d.class_programme_id = r.class_programme_id AND d.entry_level_id = r.entry_level_id
        AND d.capacity > ${placesTaken(sql`d.programme_id`, sql`d`)} AND ${hasPlaceForTrack(sql`r.track_id`)})
    ORDER BY s.adopted_at, p.rank LIMIT 1
    FOR NO KEY UPDATE OF r`.execute(tx)
  const next = rows[0]
  if (!next) return null
  if (wantedId && next.id !== wantedId) throw conflict('reserve_not_next', { rank: next.rank })
  const dueAt = universityCalendar().endOfDayAfter(now, (await getSettings(tx)).offerDays)
  const { programmeId } = list
  // The actor's role was checked against the list's programme. The registration still belongs to its first choice,
  // which may be outside the role, so it moves with full scope.
  const moved = await moveRegistration(
    { ...context, actor: { ...actor, scope: systemActor.scope } },
    next.registrationId,
    'accept',
    {
      appearance: 'offered',
      selectionRunId: next.selectionRunId,
      note: { reserveRank: next.rank },
      set: {
        decision: 'accepted',
        acceptedProgrammeId: programmeId,
        programmeId,
        decisionReason: null,
        decidedBy: actor.accountId || null,
        offerDueAt: dueAt,
      },
    },
  )
  await takePlace(tx, moved, programmeId)
  const offered = await tx
    .updateTable('reservePlaces')
    .set((eb) => ({ status: 'offered', offeredAt: now, dueAt, version: eb('version', '+', 1) }))
    .where('id', '=', next.id)
    .where('status', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  if (!offered) throw conflict('stale_version')
  const vacated = await findVacated(tx, list)
  if (vacated) {
    await tx.updateTable('vacatedPlaces').set({ reservePlaceId: next.id }).where('id', '=', vacated.id).execute()
    await recordAudit(tx, actor, {
      action: 'registration.passOn',
      on: { registration: vacated.registrationId },
      after: { reserveRank: next.rank },
    })
  }
  await recordAudit(tx, actor, {
    action: 'registration.reserveOffer',
    on: { registration: next.registrationId },
    after: { reserveRank: next.rank, dueAt },
  })
  await announceIfPublished(context, next.registrationId)
  return next
}

/** The place vacated longest ago and not yet passed on. */
const findVacated = (tx: Tx, { waveId, programmeId, classProgrammeId, trackId }: ReserveList) =>
  tx
    .selectFrom('vacatedPlaces')
    .select(['id', 'registrationId'])
    .where('waveId', '=', waveId)
    .where('programmeId', '=', programmeId)
    .where('classProgrammeId', '=', classProgrammeId)
    .where('trackId', 'is not distinct from', trackId)
    .where('reservePlaceId', 'is', null)
    .orderBy('vacatedAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
