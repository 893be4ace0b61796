import { sql } from 'kysely'
import { dateTime } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { sessionParams } from '#server/modules/testing/sessions/tell-of-session.ts'
import { findTestSession, type SessionView } from '#server/modules/testing/sessions/test-sessions.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { publicStatusSql } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { offerEnd } from './offer-end.ts'

type NextPlace = { id: string; registrationId: string; accountId: string; feeDueAt: Date | null }

/**
 * Offers the free seats of a session to the first in its queue and returns the number of offers. An offered seat counts
 * as taken. Skips applicants who may not book, or whose unpaid fee is due too soon. Call it in every transaction that
 * frees a seat, after lowering the counter; it locks the session's counter.
 */
export async function offerFreedSeats(context: Omit<Context, 'actor'>, sessionId: string): Promise<number> {
  const { tx, now } = context
  if (!(await hasWaiting(tx, sessionId))) return 0
  await tx.selectFrom('testSessionSeats').select('taken').where('testSessionId', '=', sessionId).forUpdate().execute()
  const settings = await getSettings(tx)
  const session = await findTestSession(tx, sessionId, now, settings.timeZone)
  if (!session?.active || session.seatsLeft === 0) return 0
  const endFor = (feeDueAt: Date | null) => offerEnd({ now, ...session, feeDueAt }, settings)
  if (!endFor(null)) return 0

  let offers = 0
  for (const place of await placesInOrder(tx, sessionId, now)) {
    if (offers === session.seatsLeft) break
    const offeredUntil = endFor(place.feeDueAt)
    if (!offeredUntil) continue
    offers++
    await offer(context, place, session, offeredUntil)
  }
  if (offers > 0)
    await tx
      .updateTable('testSessionSeats')
      .set((eb) => ({ taken: eb('taken', '+', offers) }))
      .where('testSessionId', '=', sessionId)
      .execute()
  return offers
}

const hasWaiting = async (tx: Tx, sessionId: string) =>
  (await tx
    .selectFrom('testWaitingPlaces')
    .select('id')
    .where('testSessionId', '=', sessionId)
    .where('status', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Waiting places whose applicants may book the session now, in the order they joined. */
async function placesInOrder(tx: Tx, sessionId: string, now: Date): Promise<NextPlace[]> {
  const { rows } = await sql<NextPlace>`
    SELECT p.id, p.registration_id, r.account_id,
      (SELECT min(b.due_at) FROM bills b WHERE r.status = 'submitted' AND b.registration_id = r.id
        AND b.kind = 'registration_fee' AND b.status IN ('open', 'partly_paid')) AS fee_due_at
    FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id
      JOIN test_sessions s ON s.id = p.test_session_id
    WHERE p.test_session_id = ${sessionId} AND p.status = 'waiting'
      AND ${publicStatusSql(now)} IN ('submitted', 'paid', 'verified')
      AND s.wave_id = r.wave_id AND (s.track_id IS NULL OR s.track_id = r.track_id)
      AND NOT EXISTS (SELECT FROM test_seats t WHERE t.registration_id = r.id AND t.status IN ('attended', 'absent'))
    ORDER BY p.number`.execute(tx)
  return rows
}

async function offer(
  context: Omit<Context, 'actor'>,
  { id, registrationId, accountId }: NextPlace,
  session: SessionView,
  offeredUntil: Date,
) {
  const { tx, now } = context
  await tx
    .updateTable('testWaitingPlaces')
    .set({ status: 'offered', offeredAt: now, offeredUntil })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, systemActor, {
    action: 'test-waiting.offer',
    on: { registration: registrationId },
    after: { testSessionId: session.id, offeredUntil },
  })
  await notify(context, {
    accountId,
    event: 'test-offered',
    params: (language) => ({ ...sessionParams(session)(language), due: dateTime(offeredUntil, language) }),
    link: `/pendaftaran/${registrationId}#test`,
  })
}
