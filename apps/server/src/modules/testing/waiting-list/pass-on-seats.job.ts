import { z } from 'zod'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { testsEnded } from '#server/modules/admissions/steps/tests-ended.ts'
import { lockCounters, lockRegistration, releaseSeat, seatOf } from '#server/modules/testing/seats/seats.ts'
import { findTestSession } from '#server/modules/testing/sessions/test-sessions.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { publicStatus } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { offerFreedSeats } from './offer-freed-seats.ts'
import { endPlace, waitingPlaceOf } from './waiting-places.ts'

const data = z.object({ registrationId: z.uuid(), freedSessionId: z.uuid().nullable() })

/**
 * Passes on to the queue what an ended or refused registration leaves: its seat in a session that has not begun, a seat
 * offered to it, and its turn. A registration reopened meanwhile keeps them.
 */
export const passOnSeatsJob = defineJob({
  name: 'pass-on-seats',
  on: testsEnded,
  data,
  run: (services, left) => inTransaction(services, systemActor, (context) => passOnSeats(context, left)),
})

async function passOnSeats(context: Omit<Context, 'actor'>, { registrationId, freedSessionId }: z.output<typeof data>) {
  const { tx, now } = context
  const registration = await lockRegistration(tx, registrationId, now)
  const mayBook = seatStatusFor(publicStatus(registration)) !== null
  const seat = mayBook ? undefined : await seatOf(tx, registrationId)
  const place = mayBook ? undefined : await waitingPlaceOf(tx, registrationId)
  const sessionIds = [freedSessionId, seat?.testSessionId, place?.testSessionId].filter((id) => typeof id === 'string')
  if (sessionIds.length > 0) await lockCounters(tx, sessionIds)
  if (place) await endPlace({ ...context, actor: systemActor }, place.id, 'closed')
  if (seat && (await isToCome(tx, seat.testSessionId, now)) && (await releaseSeat(context, seat)))
    await recordAudit(tx, systemActor, {
      action: 'test-seat.release',
      on: { registration: registrationId },
      before: { testSessionId: seat.testSessionId, status: seat.status },
    })
  if (freedSessionId) await offerFreedSeats(context, freedSessionId)
}

/** Whether the session has not begun; afterwards its participants stay on its list. */
async function isToCome(tx: Tx, sessionId: string, now: Date) {
  const { timeZone } = await getSettings(tx)
  const session = await findTestSession(tx, sessionId, now, timeZone)
  return session !== undefined && session.startsAt > now
}
