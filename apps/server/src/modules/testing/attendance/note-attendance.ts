import crypto from 'node:crypto'
import { calendarOf } from '#domain/calendar.ts'
import { type Attendance, attendanceOf, type ScanKind } from '#domain/door/attendance.ts'
import { recordSteps, undoSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { type CountedScan, countedScans } from '#server/modules/door/stored-scans.ts'
import { lockRegistration, type Seat, seatOf } from '#server/modules/testing/seats/seats.ts'
import { findTestSession, type SessionView } from '#server/modules/testing/sessions/test-sessions.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'

/** Device name for attendance recorded on a page instead of a scanner. */
const deskDevice = { id: '00000000-0000-0000-0000-000000000000', name: 'PMB Online' }

/** Start of the session's day in the university's time zone; attendance is recorded from then on. */
export const dayBegins = (session: Pick<SessionView, 'date'>, timeZone: string) =>
  calendarOf(timeZone).startOfDay(session.date)

/** Records attendance by hand, from the day of the test on; it may be corrected. */
export async function noteAttendance(
  { tx, actor, now }: Context,
  { id, registrationId, testSessionId }: { id: string; registrationId: string; testSessionId: string },
  attended: boolean,
) {
  const { timeZone } = await getSettings(tx)
  await lockRegistration(tx, registrationId, now)
  const session = await findTestSession(tx, testSessionId, now, timeZone)
  if (!session || now < dayBegins(session, timeZone)) throw conflict('test_not_begun')
  const seat = await seatOf(tx, registrationId)
  if (seat?.id !== id || seat.status === 'held') throw conflict('wrong_status')
  if (seat.status === (attended ? 'attended' : 'absent')) return { id, status: seat.status }
  // An arrival outweighs an absence, so a correction cancels the arrival at the time of the absence.
  const kinds: ScanKind[] = attended ? ['arrive'] : seat.status === 'attended' ? ['cancel', 'absent'] : ['absent']
  await tx
    .insertInto('testScans')
    .values(
      kinds.map((kind) => ({
        id: crypto.randomUUID(),
        testSessionId,
        registrationId,
        kind,
        outcome: 'recorded' as const,
        at: now,
        deviceAt: now,
        deviceId: deskDevice.id,
        deviceName: deskDevice.name,
        receivedAt: now,
        scannedBy: actor.accountId || null,
      })),
    )
    .execute()
  const scans = (await countedScans(tx, 'test', testSessionId, [registrationId])).get(registrationId)!
  const { status } = await deriveAttendance({ tx, actor, now }, seat, scans)
  return { id, status }
}

/**
 * Derives the attendance of a seat from all its counted scans and stores it on the seat and, as the step `tested`, on
 * the registration, which the caller has locked. Safe to repeat.
 */
export async function deriveAttendance(
  context: Omit<Context, 'services'>,
  seat: Seat,
  scans: readonly CountedScan[],
): Promise<Attendance> {
  const { tx, actor } = context
  const attendance = attendanceOf(scans)
  const { status, arrivedAt, leftAt } = attendance
  await tx.updateTable('testSeats').set({ status, arrivedAt, leftAt }).where('id', '=', seat.id).execute()
  await noteTested(context, seat.registrationId, arrivedAt)
  if (status !== seat.status)
    await recordAudit(tx, actor, {
      action: 'test-seat.attendance',
      on: { registration: seat.registrationId },
      before: { status: seat.status },
      after: { status },
    })
  return attendance
}

/** Stores on the registration when the test was taken. */
async function noteTested(
  { tx, actor, now }: Omit<Context, 'services'>,
  registrationId: string,
  testedAt: Date | null,
) {
  const changed = await tx
    .updateTable('registrations')
    .set({ testedAt })
    .where('id', '=', registrationId)
    .where('testedAt', testedAt ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return
  if (testedAt) await recordSteps(tx, actor, registrationId, [{ step: 'tested', at: testedAt }])
  else await undoSteps(tx, registrationId, ['tested'], now)
}
