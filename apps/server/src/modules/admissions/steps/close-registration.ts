import { sql } from 'kysely'
import { endReservePlace, vacatePlace } from '#server/modules/admissions/reserve/reserve-places.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { moveRegistration } from './move-registration.ts'

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

/** Ends a registration: cancels its bills, frees its test seat and hands its place to the reserve list. */
export async function closeRegistration(
  tx: Tx,
  services: Services,
  actor: Actor,
  id: string,
  action: keyof typeof events,
  reason: string,
  { quiet = false } = {},
) {
  const moved = await moveRegistration(tx, services, actor, id, action, { reason })
  await cancelBills(tx, services, actor, id, reason)
  await releaseSeat(tx, id, services.clock.now())
  await endReservePlace(tx, services, id, endsReserve[action])
  await vacatePlace(tx, services, moved)
  if (!quiet)
    await notify(tx, services, {
      accountId: moved.accountId,
      event: events[action],
      params: { code: moved.code, reason },
      link: `/pendaftaran/${id}`,
    })
  return moved
}

/** Locks the counter before the seat, the order of every other transaction. */
async function releaseSeat(tx: Tx, registrationId: string, now: Date) {
  const seat = await tx
    .selectFrom('testSeats')
    .select(['id', 'testSessionId', 'extra'])
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['held', 'booked'])
    .executeTakeFirst()
  if (!seat) return
  if (!seat.extra)
    await sql`UPDATE test_session_seats SET taken = taken - 1 WHERE test_session_id = ${seat.testSessionId}`.execute(tx)
  await tx.updateTable('testSeats').set({ status: 'released', releasedAt: now }).where('id', '=', seat.id).execute()
}
