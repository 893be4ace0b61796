import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { offerPlace } from './offer-place.ts'
import { isOfList, lockReserveList, type ReserveList } from './reserve-places.ts'

/** The reserve list of a reserve place; 404 if the actor's role does not include its programme. */
async function listOf(db: Db, actor: Actor, id: string) {
  const { rows } = await sql<ReserveList>`
    SELECT s.wave_id, p.programme_id, p.class_programme_id, p.track_id
    FROM reserve_places p JOIN selection_runs s ON s.id = p.selection_run_id
    WHERE p.id = ${id} AND ${programmeVisibleTo(actor, 'p.programme_id')}`.execute(db)
  if (!rows[0]) throw notFound('reserve_place')
  return rows[0]
}

/** Offers a free place to this candidate; 409 unless the candidate is the next on the list who can take one. */
export const offerReservePlace = (services: Services, actor: Actor, id: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await offerPlace(context, id, await listOf(tx, actor, id))
    return { id }
  })

/** Removes a waiting candidate from the list with a reason; 409 if the candidate does not wait. */
export const skipReservePlace = (services: Services, actor: Actor, id: string, reason: string) =>
  services.db.transaction().execute(async (tx) => {
    await lockReserveList(tx, await listOf(tx, actor, id))
    const skipped = await tx
      .updateTable('reservePlaces')
      .set((eb) => ({
        status: 'closed',
        endedAt: services.clock.now(),
        endedReason: reason,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('status', '=', 'waiting')
      .returning(['rank', 'registrationId'])
      .executeTakeFirst()
    if (!skipped) throw conflict('reserve_not_waiting')
    await recordAudit(tx, actor, {
      action: 'reserve-list.skip',
      on: { registration: skipped.registrationId },
      after: { reserveRank: skipped.rank },
      reason,
    })
    return { id }
  })

/** Closes the list of this candidate: waiting candidates get no more offers, offers already made stay. */
export const closeReserveList = (services: Services, actor: Actor, id: string, reason: string) =>
  services.db.transaction().execute(async (tx) => {
    const list = await listOf(tx, actor, id)
    await lockReserveList(tx, list)
    const { rows } = await sql<{ id: string }>`
      UPDATE reserve_places p SET status = 'closed', ended_at = ${services.clock.now()}, ended_reason = ${reason},
        version = p.version + 1
      FROM selection_runs s WHERE s.id = p.selection_run_id AND p.status = 'waiting' AND ${isOfList(list)}
      RETURNING p.id`.execute(tx)
    if (rows.length === 0) throw conflict('reserve_not_waiting')
    await recordAudit(tx, actor, {
      action: 'reserve-list.close',
      on: { 'reserve-list': `${list.waveId}/${list.programmeId}/${list.classProgrammeId}/${list.trackId ?? '-'}` },
      after: { closed: rows.length },
      reason,
    })
    return { closed: rows.length }
  })
