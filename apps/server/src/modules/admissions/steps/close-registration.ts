import { sql } from 'kysely'
import { endReservePlace, vacatePlace } from '#server/modules/admissions/reserve/reserve-places.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import type { Context } from '#server/platform/use-case.ts'
import { moveRegistration } from './move-registration.ts'
import { testsEnded } from './tests-ended.ts'

const events = {
  withdraw: 'registration-withdrawn',
  cancel: 'registration-cancelled',
  decline: 'offer-declined',
  expire: 'registration-expired',
  expireOffer: 'offer-expired',
} as const

const endsReserve = {
  withdraw: 'declined',
  cancel: 'declined',
  decline: 'declined',
  expire: 'expired',
  expireOffer: 'expired',
} as const

type Closing = { action: keyof typeof events; reason: string; quiet?: boolean }

/**
 * Ends a registration: cancels its bills, frees its test seat, passes its place to the reserve list and, unless
 * `quiet`, notifies the applicant.
 */
export async function closeRegistration(context: Context, id: string, { action, reason, quiet = false }: Closing) {
  const moved = await moveRegistration(context, id, action, { reason })
  await cancelBills(context, id, reason)
  await releaseSeat(context, id)
  await endReservePlace(context, id, endsReserve[action])
  await vacatePlace(context, moved)
  if (!quiet)
    await notify(context, {
      accountId: moved.accountId,
      event: events[action],
      params: { code: moved.code, reason },
      link: `/pendaftaran/${id}`,
    })
  return moved
}

/**
 * Releases the test seat. Locks the seat counter before the seat, as every transaction does. The event's job passes on
 * the seat and a place on a waiting list.
 */
async function releaseSeat({ tx, services }: Omit<Context, 'actor'>, registrationId: string) {
  const seat = await tx
    .selectFrom('testSeats')
    .select(['id', 'testSessionId'])
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['held', 'booked'])
    .executeTakeFirst()
  if (seat) {
    await sql`SELECT FROM test_session_seats WHERE test_session_id = ${seat.testSessionId} FOR UPDATE`.execute(tx)
    // Staff who cancel or move the session may have released the seat meanwhile.
    await sql`WITH released AS (
        UPDATE test_seats SET status = 'released', released_at = ${services.clock.now()}
        WHERE id = ${seat.id} AND status IN ('held', 'booked') RETURNING test_session_id, extra)
      UPDATE test_session_seats c SET taken = taken - 1 FROM released r
      WHERE c.test_session_id = r.test_session_id AND NOT r.extra`.execute(tx)
  }
  const place = await tx
    .selectFrom('testWaitingPlaces')
    .select('id')
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['waiting', 'offered'])
    .executeTakeFirst()
  if (seat || place)
    await services.jobs.publish(tx, testsEnded, { registrationId, freedSessionId: seat?.testSessionId ?? null })
}
