import { z } from 'zod'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { lockRegistration, releaseSeat, seatOf } from './seats.ts'

const closed = ['withdrawn', 'cancelled', 'expired'] as const

/** Releases seats held too long, and seats of ended registrations. */
export const releaseUnusedSeatsJob = defineJob({
  name: 'release-unused-seats',
  schedule: '* * * * *',
  data: z.object({}),
  run: async (services) => {
    const now = services.clock.now()
    const unused = await services.db
      .selectFrom('testSeats as s')
      .innerJoin('registrations as r', 'r.id', 's.registrationId')
      .select('s.registrationId')
      .where((eb) =>
        eb.or([
          eb.and([eb('s.status', '=', 'held'), eb('s.heldUntil', '<=', now)]),
          eb.and([eb('s.status', 'in', ['held', 'booked']), eb('r.status', 'in', closed)]),
        ]),
      )
      .limit(1000)
      .execute()
    for (const { registrationId } of unused) await release(services, registrationId, now)
    return unused.length
  },
})

/** Checks again under the lock, because the applicant may just have booked the seat. */
const release = (services: Services, registrationId: string, now: Date) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const registration = await lockRegistration(tx, registrationId, now)
    const seat = await seatOf(tx, registrationId)
    if (!seat || (seat.status !== 'held' && seat.status !== 'booked')) return
    const overdue = seat.status === 'held' && seat.heldUntil !== null && seat.heldUntil <= now
    if (!overdue && !(closed as readonly string[]).includes(registration.status)) return
    if (!(await releaseSeat(context, seat))) return
    await recordAudit(tx, systemActor, {
      action: 'test-seat.release',
      on: { registration: registrationId },
      before: { testSessionId: seat.testSessionId, status: seat.status },
    })
  })
