import type { ScanKind } from '#domain/door/attendance.ts'
import type { ScanOutcome } from '#domain/testing/attendance.ts'
import type { ScanAnswer } from '#domain/testing/attendance-endpoints.ts'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { codeOfCard } from '#server/modules/admissions/registrations/registration-card.ts'
import { type Door, recordSending } from '#server/modules/door/record-sending.ts'
import { givePlace } from '#server/modules/testing/rooms/give-place.ts'
import {
  lockCounters,
  lockRegistrations,
  raiseCounter,
  releaseSeat,
  type Seat,
  seatsOf,
} from '#server/modules/testing/seats/seats.ts'
import { findTestSession, isSessionFor } from '#server/modules/testing/sessions/test-sessions.ts'
import { acceptOffer, stopWaiting } from '#server/modules/testing/waiting-list/waiting-places.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicDecision, publicStatus } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { dayBegins, deriveAttendance } from './note-attendance.ts'

type Scan = { id: string; kind: ScanKind; at: string; card?: string; registrationId?: string; reason?: string }
type Sending = { device: { id: string; name: string }; sentAt: string; scans: readonly Scan[] }
type Person = Awaited<ReturnType<typeof readPeople>>[number] & { seat: Seat | undefined }

/** Records a device's scans. 404 for an unknown session, 409 before its day. */
export async function recordScans(
  services: Services,
  actor: Actor,
  sessionId: string,
  sending: Sending,
): Promise<ScanAnswer[]> {
  const { db, clock } = services
  const receivedAt = clock.now()
  const { timeZone } = await getSettings(db)
  const session = await findTestSession(db, sessionId, receivedAt, timeZone)
  if (!session) throw notFound('test session')
  const opensAt = dayBegins(session, timeZone)
  if (receivedAt < opensAt) throw conflict('test_not_begun')
  const door: Door<Scan, Person, ScanOutcome> = {
    kind: 'test',
    sessionId,
    opensAt,
    nameOf: (_context, { card, registrationId }) =>
      card === undefined ? { id: registrationId } : { code: codeOfCard(services, card) },
    findPeople: ({ tx }, codes, ids) =>
      tx
        .selectFrom('registrations as r')
        .select(['r.id', 'r.code'])
        .where((eb) => eb.or([eb('r.code', '=', eb.fn.any(eb.val(codes))), eb('r.id', '=', eb.fn.any(eb.val(ids)))]))
        .where(visibleTo(actor))
        .execute(),
    lockPeople: (context, ids, scans) => lockPeople(context, ids, scans.some(isForced) ? sessionId : null),
    judge: async (context, person, scan, isIn) => {
      if (!person) return 'unknown_card'
      const { seat } = person
      if (seat?.testSessionId === sessionId && seat.status !== 'held')
        return scan.kind === 'arrive' && isIn ? 'repeated' : 'recorded'
      if (isForced(scan)) return forceEntry(context, sessionId, person, scan.reason)
      return seat && seat.testSessionId !== sessionId ? 'other_session' : 'no_seat'
    },
    columnsOf: ({ reason = null }, registrationId) => ({ testSessionId: sessionId, registrationId, reason }),
    settle: async (context, added, counted) => {
      for (const person of new Set(added.map((scan) => scan.person)))
        await deriveAttendance(context, person.seat!, counted.get(person.id)!)
    },
  }
  const recorded = await recordSending(services, actor, door, { ...sending, receivedAt })
  return Promise.all(
    recorded.map(async ({ person, personId, ...answer }) => ({
      ...answer,
      registrationId: personId,
      code: person?.code ?? null,
      name: person?.name ?? null,
      elsewhere: answer.outcome === 'other_session' ? await seatElsewhere(db, personId!, sessionId) : null,
    })),
  )
}

/** Whether staff admit a person who has no seat in the session. */
const isForced = (scan: Scan): scan is Scan & { reason: string } => scan.kind === 'arrive' && Boolean(scan.reason)

/**
 * Locks registrations and, if one of their people is admitted to `forcedInto` without a seat there, all counters that
 * may change.
 */
async function lockPeople({ tx, now }: Context, ids: readonly string[], forcedInto: string | null) {
  if (ids.length === 0) return new Map<string, Person>()
  await lockRegistrations(tx, ids)
  const seats = new Map((await seatsOf(tx, ids)).map((seat) => [seat.registrationId, seat]))
  if (forcedInto) await lockCounters(tx, [forcedInto, ...[...seats.values()].map((seat) => seat.testSessionId)])
  return new Map(
    (await readPeople(tx, ids, now)).map((person) => [person.id, { ...person, seat: seats.get(person.id) }]),
  )
}

const readPeople = (tx: Tx, ids: readonly string[], now: Date) =>
  tx
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['r.id', 'r.code', 'a.fullName as name', 'r.waveId', 'r.trackId', 'r.status', 'r.verifiedAt'])
    .select(publicDecision(now).as('publicDecision'))
    .where('r.id', 'in', ids)
    .execute()

/**
 * Seats a person admitted without a seat in this session, if it is full on an extra seat beyond its capacity, because
 * the person is already in the room. A seat in another session is released.
 */
async function forceEntry(
  context: Context,
  sessionId: string,
  person: Person,
  reason: string,
): Promise<'recorded' | 'not_eligible'> {
  const { tx, actor, now } = context
  const { id: registrationId, seat: current } = person
  if (
    current?.status === 'attended' ||
    seatStatusFor(publicStatus(person)) !== 'booked' ||
    !(await isSessionFor(tx, sessionId, person))
  )
    return 'not_eligible'
  if (current) await releaseSeat(context, current, { from: ['held', 'booked', 'absent'] })
  const isOffered = await acceptOffer(tx, registrationId, sessionId, now)
  await stopWaiting(tx, registrationId, sessionId, now)
  const extra = !isOffered && !(await raiseCounter(tx, sessionId))
  const seat = await tx
    .insertInto('testSeats')
    .values({
      registrationId,
      testSessionId: sessionId,
      status: 'booked',
      bookedAt: now,
      createdAt: now,
      forcedReason: reason,
      extra,
    })
    .returning(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .executeTakeFirstOrThrow()
  if (!extra) await givePlace(tx, sessionId, seat)
  await recordAudit(tx, actor, {
    action: 'test-seat.force',
    on: { registration: registrationId },
    before: current && { testSessionId: current.testSessionId, status: current.status },
    after: { testSessionId: sessionId, reason },
  })
  person.seat = seat as Seat
  return 'recorded'
}

/** Session of a registration's seat, if it is another session. */
export const seatElsewhere = async (db: Db, registrationId: string, sessionId: string) =>
  (await db
    .selectFrom('testSeats as t')
    .innerJoin('testSessions as s', 's.id', 't.testSessionId')
    .select(['s.name', 's.date', 's.location'])
    .select((eb) => eb.fn<string>('to_char', ['s.startTime', eb.val('HH24:MI')]).as('startTime'))
    .where('t.registrationId', '=', registrationId)
    .where('t.testSessionId', '<>', sessionId)
    .where('t.status', '<>', 'released')
    .executeTakeFirst()) ?? null
