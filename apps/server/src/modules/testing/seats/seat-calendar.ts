import { findTestSession } from '#server/modules/testing/sessions/test-sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { iCalendar } from '#server/platform/files/i-calendar.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { seatOf } from './seats.ts'

/** The test seat of a registration as an iCalendar file; 404 without a booked seat. */
export async function seatCalendar(services: Services, registrationId: string): Promise<string> {
  const { db, clock, config } = services
  const now = clock.now()
  const { timeZone, universityName } = await getSettings(db)
  const seat = await seatOf(db, registrationId)
  const session = seat?.status === 'booked' && (await findTestSession(db, seat.testSessionId, now, timeZone))
  if (!session) throw notFound('test seat')
  return iCalendar({
    // One event id for all seats of the registration, so that a later file replaces an earlier one.
    uid: `test-${registrationId}@${new URL(config.publicUrl).hostname}`,
    sequence: await countSeats(db, registrationId),
    stamp: now,
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    summary: `${session.name} · ${universityName}`,
    location: session.location ?? '',
    url: `${config.publicUrl}/pendaftaran/${registrationId}`,
  })
}

const countSeats = async (db: Db, registrationId: string) =>
  Number(
    (
      await db
        .selectFrom('testSeats')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('registrationId', '=', registrationId)
        .executeTakeFirstOrThrow()
    ).count,
  )
