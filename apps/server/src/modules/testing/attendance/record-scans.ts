import { calendarOf } from '#domain/calendar.ts'
import { countsAsAttendance, type ScanKind, type ScanOutcome, serverTimeOf } from '#domain/testing/attendance.ts'
import type { ScanAnswer } from '#domain/testing/attendance-endpoints.ts'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { codeOfCard } from '#server/modules/admissions/registrations/registration-card.ts'
import { givePlace } from '#server/modules/testing/rooms/give-place.ts'
import {
  lockCounters,
  lockRegistration,
  raiseCounter,
  releaseSeat,
  type Seat,
  seatOf,
} from '#server/modules/testing/seats/seats.ts'
import { findTestSession, isSessionFor } from '#server/modules/testing/sessions/test-sessions.ts'
import { acceptOffer, stopWaiting } from '#server/modules/testing/waiting-list/waiting-places.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicStatus } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { countedScans, deriveAttendance, hasDayBegun } from './note-attendance.ts'

type Scan = { id: string; kind: ScanKind; at: string; card?: string; registrationId?: string; reason?: string }
type Sending = { device: { id: string; name: string }; sentAt: string; scans: readonly Scan[] }

/**
 * Records the scans of a device, each in its own transaction. A scan recorded before gets its first outcome again.
 * Throws 404 for an unknown session and 409 before its day.
 */
export async function recordScans(
  services: Services,
  actor: Actor,
  sessionId: string,
  { device, sentAt, scans }: Sending,
): Promise<ScanAnswer[]> {
  const { db, clock } = services
  const receivedAt = clock.now()
  const { timeZone } = await getSettings(db)
  const session = await findTestSession(db, sessionId, receivedAt, timeZone)
  if (!session) throw notFound('test session')
  if (!hasDayBegun(session, timeZone, receivedAt)) throw conflict('test_not_begun')
  const dayBegins = calendarOf(timeZone).momentOf(`${session.date} 00:00:00`)
  const results: ScanAnswer[] = []
  for (const scan of scans) {
    const scannedAt = serverTimeOf(new Date(scan.at), new Date(sentAt), receivedAt)
    // If the device's clock was set meanwhile, an arrival must not move to an earlier day.
    const at = new Date(Math.max(scannedAt.getTime(), dayBegins.getTime()))
    await inTransaction(services, actor, (context) => recordScan(context, { sessionId, device, at, receivedAt }, scan))
    results.push(await resultOf(db, actor, sessionId, scan.id))
  }
  return results
}

type Arrival = { sessionId: string; device: Sending['device']; at: Date; receivedAt: Date }

async function recordScan(context: Context, { sessionId, device, at, receivedAt }: Arrival, scan: Scan) {
  const { tx, actor } = context
  const registrationId = await findScanned(context, scan)
  if (registrationId) await lockRegistration(tx, registrationId, receivedAt)
  const known = await tx.selectFrom('testScans').select('id').where('id', '=', scan.id).executeTakeFirst()
  if (known) return
  const { seat, outcome } = await judge({ ...context, now: receivedAt }, sessionId, registrationId, scan)
  await tx
    .insertInto('testScans')
    .values({
      id: scan.id,
      testSessionId: sessionId,
      registrationId,
      kind: scan.kind,
      outcome,
      reason: scan.reason ?? null,
      at,
      deviceAt: new Date(scan.at),
      deviceId: device.id,
      deviceName: device.name,
      receivedAt,
      scannedBy: actor.accountId || null,
    })
    // The same scan may be sent twice at the same moment.
    .onConflict((existing) => existing.column('id').doNothing())
    .execute()
  if (seat && countsAsAttendance(outcome)) await deriveAttendance({ tx, actor, now: receivedAt }, seat)
}

/** The registration of a scan; null for a card that is not genuine or that the actor may not see. */
async function findScanned({ tx, services, actor }: Context, { card, registrationId }: Scan) {
  const code = card === undefined ? undefined : codeOfCard(services, card)
  if (card !== undefined && code === undefined) return null
  const row = await tx
    .selectFrom('registrations as r')
    .select('r.id')
    .where((eb) => (code === undefined ? eb('r.id', '=', registrationId!) : eb('r.code', '=', code)))
    .where(visibleTo(actor))
    .executeTakeFirst()
  return row?.id ?? null
}

type Judgement = { seat?: Seat; outcome: ScanOutcome }

async function judge(
  context: Context,
  sessionId: string,
  registrationId: string | null,
  { kind, reason }: Scan,
): Promise<Judgement> {
  const { tx } = context
  if (!registrationId) return { outcome: 'unknown_card' }
  const seat = await seatOf(tx, registrationId)
  if (seat?.testSessionId === sessionId && seat.status !== 'held') {
    return { seat, outcome: kind === 'arrive' && seat.status === 'attended' ? 'repeated' : 'recorded' }
  }
  if (kind === 'arrive' && reason) return forceEntry(context, { sessionId, registrationId, current: seat, reason })
  return { outcome: seat && seat.testSessionId !== sessionId ? 'other_session' : 'no_seat' }
}

type ForcedEntry = { sessionId: string; registrationId: string; current: Seat | undefined; reason: string }

/**
 * Seats a person admitted without a seat in this session, if it is full on an extra seat beyond its capacity, because
 * the person is already in the room. A seat in another session is released.
 */
async function forceEntry(
  context: Context,
  { sessionId, registrationId, current, reason }: ForcedEntry,
): Promise<Judgement> {
  const { tx, actor, now } = context
  const registration = await lockRegistration(tx, registrationId, now)
  await lockCounters(tx, [sessionId, ...(current ? [current.testSessionId] : [])])
  if (
    current?.status === 'attended' ||
    seatStatusFor(publicStatus(registration)) !== 'booked' ||
    !(await isSessionFor(tx, sessionId, registration))
  )
    return { outcome: 'not_eligible' }
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
  return { seat: seat as Seat, outcome: 'recorded' }
}

/** The response to a recorded scan. */
async function resultOf(db: Db, actor: Actor, sessionId: string, id: string): Promise<ScanAnswer> {
  const scan = await db
    .selectFrom('testScans as c')
    .leftJoin('registrations as r', 'r.id', 'c.registrationId')
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['c.id', 'c.outcome', 'c.registrationId', 'r.code', 'a.fullName as name'])
    .where('c.id', '=', id)
    .where('c.testSessionId', '=', sessionId)
    .where((eb) => eb.or([eb('c.registrationId', 'is', null), visibleTo(actor)]))
    .executeTakeFirst()
  if (!scan) throw conflict('scan_of_other_session')
  const { registrationId } = scan
  if (!registrationId) return { ...scan, first: null, elsewhere: null }
  const first = (await countedScans(db, sessionId, registrationId)).find(
    (counted) => counted.kind === 'arrive' && counted.id !== id,
  )
  return {
    ...scan,
    first: scan.outcome === 'repeated' && first ? first : null,
    elsewhere: scan.outcome === 'other_session' ? await seatElsewhere(db, registrationId, sessionId) : null,
  }
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
