import { sql } from 'kysely'
import { z } from 'zod'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { lockRegistration } from '#server/modules/testing/seats/seats.ts'
import { sessionParams } from '#server/modules/testing/sessions/tell-of-session.ts'
import { findTestSession, getTestSession } from '#server/modules/testing/sessions/test-sessions.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { publicStatus, publicStatusSql } from '#server/platform/access/decision-scope.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { offerEnd } from './offer-end.ts'
import { offerFreedSeats } from './offer-freed-seats.ts'
import { endPlace } from './waiting-places.ts'

/**
 * Ends expired offers and the places of registrations that can no longer book, offers seats freed without an offer (a
 * raised capacity), and closes lists whose session is too near.
 */
export const keepWaitingListsJob = defineJob({
  name: 'keep-waiting-lists',
  schedule: '* * * * *',
  data: z.object({}),
  run: async (services) => {
    const now = services.clock.now()
    for (const place of await endedPlaces(services, now)) await endAndTell(services, place, now)
    for (const sessionId of await sessionsWithWaiting(services)) await keepSession(services, sessionId, now)
  },
})

type Ended = { id: string; registrationId: string; end: 'expired' | 'closed' }

async function endedPlaces({ db }: Services, now: Date): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    SELECT p.id, p.registration_id, CASE WHEN p.offered_until <= ${now} THEN 'expired' ELSE 'closed' END AS end
    FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id
      JOIN test_sessions s ON s.id = p.test_session_id
    WHERE p.status IN ('waiting', 'offered') AND (p.offered_until <= ${now} OR NOT s.active
      OR ${publicStatusSql(now)} NOT IN ('submitted', 'paid', 'verified'))
    ORDER BY p.number LIMIT 1000`.execute(db)
  return rows
}

/** Ends one place under its locks, because the applicant may just have accepted. */
const endAndTell = (services: Services, { id, registrationId, end }: Ended, now: Date) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const registration = await lockRegistration(tx, registrationId, now)
    const ended = await endPlace({ ...context, now }, id, end)
    if (ended && seatStatusFor(publicStatus(registration)) === 'booked') await tell({ ...context, now }, id, end)
  })

const sessionsWithWaiting = async ({ db }: Services) =>
  (
    await db
      .selectFrom('testWaitingPlaces')
      .select('testSessionId')
      .distinct()
      .where('status', '=', 'waiting')
      .orderBy('testSessionId')
      .execute()
  ).map(({ testSessionId }) => testSessionId)

async function keepSession(services: Services, sessionId: string, now: Date) {
  const settings = await getSettings(services.db)
  const session = await findTestSession(services.db, sessionId, now, settings.timeZone)
  if (session && offerEnd({ now, ...session, feeDueAt: null }, settings)) {
    await inTransaction(services, systemActor, (context) => offerFreedSeats({ ...context, now }, sessionId))
    return
  }
  const places = await services.db
    .selectFrom('testWaitingPlaces')
    .select(['id', 'registrationId'])
    .where('testSessionId', '=', sessionId)
    .where('status', '=', 'waiting')
    .execute()
  for (const place of places) await endAndTell(services, { ...place, end: 'closed' }, now)
}

async function tell(context: Omit<Context, 'actor'>, placeId: string, end: Ended['end']) {
  const { tx, now } = context
  const { timeZone } = await getSettings(tx)
  const { testSessionId, registrationId, accountId } = await tx
    .selectFrom('testWaitingPlaces as p')
    .innerJoin('registrations as r', 'r.id', 'p.registrationId')
    .select(['p.testSessionId', 'p.registrationId', 'r.accountId'])
    .where('p.id', '=', placeId)
    .executeTakeFirstOrThrow()
  const session = await getTestSession(tx, testSessionId, now, timeZone)
  await notify(context, {
    accountId,
    event: end === 'expired' ? 'test-offer-expired' : 'test-waiting-closed',
    params: sessionParams(session),
    link: `/pendaftaran/${registrationId}`,
  })
}
