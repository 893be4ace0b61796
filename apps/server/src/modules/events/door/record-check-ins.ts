import { sql } from 'kysely'
import type { z } from 'zod'
import {
  type CheckInAnswer,
  type recordCheckIns as recordCall,
  walkInProblems,
} from '#domain/events/check-in-endpoints.ts'
import type { ScanOutcome, VisitorState } from '#domain/events/events.ts'
import { countsAsCheckIn, judgeScan } from '#domain/events/judge-scan.ts'
import { ticketIn } from '#domain/events/ticket.ts'
import { attendanceOf, serverTimeOf } from '#domain/testing/attendance.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { type EventReader, getDoor } from '#server/modules/events/event-scope.ts'
import { isGenuine } from '#server/modules/events/ticket-code.ts'
import { takePlace } from '#server/modules/events/visitors/places.ts'
import { addVisitor, consentText } from '#server/modules/events/visitors/register-visitor.ts'
import { nameKeyOf } from '#server/modules/leads/person-key.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskName } from '#server/platform/access/masks.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { isDoorOpen } from './check-in-list.ts'

type Sending = z.output<typeof recordCall.body>
type Scan = Sending['scans'][number]
type Door = { reader: EventReader; event: { id: string; schoolId: string | null }; sessionId: string }

/**
 * Records a device's scans in one transaction. A scan recorded before returns its first outcome. 404 for an unknown
 * event or session, 409 before check-in opens.
 */
export async function recordCheckIns(services: Services, actor: Actor, eventId: string, sending: Sending) {
  const { db, clock } = services
  const receivedAt = clock.now()
  const { reader, event } = await getDoor(db, actor, eventId)
  const sessions = await db
    .selectFrom('eventSessions')
    .select(['id', 'startsAt'])
    .where('eventId', '=', eventId)
    .orderBy('startsAt')
    .execute()
  if (!sessions.some(({ id }) => id === sending.sessionId)) throw notFound('event session')
  if (!isDoorOpen(event.status, sessions[0]!.startsAt, receivedAt)) throw conflict('event_door_closed')
  const door = { reader, event, sessionId: sending.sessionId }
  return inTransaction(services, actor, (context) => recordAll(context, door, sending, receivedAt))
}

async function recordAll(
  context: Context,
  door: Door,
  { device, sentAt, scans }: Sending,
  receivedAt: Date,
): Promise<CheckInAnswer[]> {
  const { tx, actor } = context
  const { event, sessionId, reader } = door
  const registered = new Map<string, string>()
  for (const { id, walkIn } of scans)
    if (walkIn) registered.set(id, await registerAtDoor({ tx, actor, now: receivedAt }, door, walkIn))
  const found = await findScanned(context, event.id, scans, registered)
  const ids = [...new Set(found.values())].sort()
  // Lock in id order, so that devices sending the same people in different orders cannot deadlock.
  const visitors = ids.length
    ? await tx
        .selectFrom('eventVisitors')
        .select(['id', 'name', 'state', 'sessionId'])
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
    : []
  const byId = new Map(visitors.map((visitor) => [visitor.id, { ...visitor, state: visitor.state as VisitorState }]))
  const earlier = await scansOf(tx, sessionId, ids)
  const known = await tx
    .selectFrom('eventScans')
    .select(['id', 'eventId', 'sessionId', 'visitorId', 'outcome'])
    .where(
      'id',
      'in',
      scans.map(({ id }) => id),
    )
    .execute()
  if (known.some((scan) => scan.eventId !== event.id)) throw conflict('scan_of_other_session')
  const outcomes = new Map(
    known.map((scan) => [scan.id, { visitorId: scan.visitorId, outcome: scan.outcome as ScanOutcome }]),
  )
  const offset = receivedAt.getTime() - Date.parse(sentAt)
  const added = []
  for (const scan of scans) {
    if (outcomes.has(scan.id)) continue
    const visitor = byId.get(found.get(scan.id) ?? '')
    const counted = visitor ? (earlier.get(visitor.id) ?? []) : []
    const forced = scan.force === true || registered.has(scan.id)
    const isIn = attendanceOf(counted).arrivedAt !== null
    const outcome = judgeScan(visitor, { kind: scan.kind, sessionId, isIn, forced })
    const at = serverTimeOf(new Date(scan.at), new Date(sentAt), receivedAt)
    outcomes.set(scan.id, { visitorId: visitor?.id ?? null, outcome })
    added.push({
      id: scan.id,
      eventId: event.id,
      sessionId,
      visitorId: visitor?.id ?? null,
      kind: scan.kind,
      outcome,
      forced: scan.force === true,
      // Do not store text that is not a ticket: the camera may have read anything, such as a person's address.
      raw: scan.raw && ticketIn(scan.raw) ? scan.raw : null,
      at,
      deviceAt: new Date(scan.at),
      clockOffsetMs: offset,
      deviceId: device.id,
      deviceName: device.name,
      receivedAt,
      scannedBy: actor.accountId || null,
    })
    if (visitor && countsAsCheckIn(outcome))
      earlier.set(visitor.id, [
        ...counted,
        { id: scan.id, kind: scan.kind, at, deviceId: device.id, deviceName: device.name },
      ])
  }
  if (added.length > 0) {
    // The same unknown code sent twice at once is stored once.
    await tx
      .insertInto('eventScans')
      .values(added)
      .onConflict((same) => same.column('id').doNothing())
      .execute()
    const changed = new Set(added.flatMap(({ visitorId }) => visitorId ?? []))
    await deriveCheckIns(tx, sessionId, changed, earlier, receivedAt)
    await restoreCancelled(
      tx,
      added.flatMap(
        ({ visitorId, kind, forced, outcome }) =>
          (forced && kind === 'arrive' && outcome === 'recorded' && visitorId) || [],
      ),
    )
  }
  return scans.map(({ id }) => {
    const { visitorId, outcome } = outcomes.get(id)!
    const visitor = visitorId ? byId.get(visitorId) : undefined
    const first = visitor ? firstArrival(earlier.get(visitor.id) ?? [], id) : null
    return {
      id,
      outcome,
      visitorId,
      name: visitor ? (reader.mayUpdate ? visitor.name : maskName(visitor.name)) : null,
      first: outcome === 'repeated' && first ? { at: first.at, deviceName: first.deviceName } : null,
      elsewhere: outcome === 'other_session' ? visitor!.sessionId : null,
    }
  })
}

type Counted = { id: string; kind: 'arrive' | 'cancel'; at: Date; deviceId: string; deviceName: string }

const firstArrival = (scans: readonly Counted[], exceptId?: string) =>
  scans
    .filter(({ id, kind }) => kind === 'arrive' && id !== exceptId)
    .reduce<Counted | null>((first, scan) => (first && first.at <= scan.at ? first : scan), null)

/** Scans of visitors in a session that count as a check-in or its undoing. */
async function scansOf(tx: Tx, sessionId: string, visitorIds: readonly string[]) {
  const byVisitor = new Map<string, Counted[]>()
  if (visitorIds.length === 0) return byVisitor
  const { rows } = await sql<Counted & { visitorId: string }>`
    SELECT id, visitor_id, kind, at, device_id, device_name FROM event_scans
    WHERE session_id = ${sessionId} AND visitor_id = ANY(${visitorIds}::uuid[])
      AND outcome IN ('recorded', 'repeated')
    ORDER BY at, id`.execute(tx)
  for (const { visitorId, ...scan } of rows) byVisitor.set(visitorId, [...(byVisitor.get(visitorId) ?? []), scan])
  return byVisitor
}

/** The visitor of each scan, by id or by ticket. A ticket with a wrong tag has no visitor. */
async function findScanned(
  { tx, services }: Omit<Context, 'actor'>,
  eventId: string,
  scans: readonly Scan[],
  registered: ReadonlyMap<string, string>,
) {
  const codeByScan = new Map<string, string>()
  for (const { id, raw } of scans) {
    const ticket = raw === undefined ? null : ticketIn(raw)
    if (ticket && (ticket.tag === null || isGenuine(services, eventId, ticket.code, ticket.tag)))
      codeByScan.set(id, ticket.code)
  }
  const { rows } = await sql<{ id: string; code: string }>`SELECT id, code FROM event_visitors
    WHERE event_id = ${eventId} AND (code = ANY(${[...codeByScan.values()]}::text[])
      OR id = ANY(${scans.flatMap(({ visitorId }) => visitorId ?? [])}::uuid[]))`.execute(tx)
  const byCode = new Map(rows.map(({ id, code }) => [code, id]))
  const ids = new Set(rows.map(({ id }) => id))
  const found = new Map<string, string>(registered)
  for (const { id, visitorId } of scans) {
    const code = codeByScan.get(id)
    const visitor = code ? byCode.get(code) : visitorId && ids.has(visitorId) ? visitorId : undefined
    if (visitor) found.set(id, visitor)
  }
  return found
}

/** Updates the check-ins that follow from the scans. An earlier arrival that is sent later moves the check-in time. */
async function deriveCheckIns(
  tx: Tx,
  sessionId: string,
  visitorIds: ReadonlySet<string>,
  scans: ReadonlyMap<string, readonly Counted[]>,
  now: Date,
) {
  const arrived = []
  const absent: string[] = []
  for (const visitorId of visitorIds) {
    const counted = scans.get(visitorId)
    if (!counted) continue
    const { arrivedAt } = attendanceOf(counted)
    const scan = counted.find(({ kind, at }) => kind === 'arrive' && at.getTime() === arrivedAt?.getTime())
    if (arrivedAt && scan)
      arrived.push({
        visitor_id: visitorId,
        at: arrivedAt.toISOString(),
        device_id: scan.deviceId,
        device_name: scan.deviceName,
      })
    else absent.push(visitorId)
  }
  if (arrived.length > 0)
    await sql`
      INSERT INTO event_check_ins (session_id, visitor_id, at, device_id, device_name)
      SELECT ${sessionId}, c.visitor_id, c.at, c.device_id, c.device_name
      FROM json_to_recordset(${JSON.stringify(arrived)}::json) AS c (visitor_id uuid, at timestamptz, device_id uuid,
        device_name text)
      ON CONFLICT (session_id, visitor_id) WHERE undone_at IS NULL
        DO UPDATE SET at = excluded.at, device_id = excluded.device_id, device_name = excluded.device_name
        WHERE event_check_ins.at <> excluded.at`.execute(tx)
  if (absent.length > 0)
    await sql`UPDATE event_check_ins SET undone_at = ${now}
      WHERE session_id = ${sessionId} AND visitor_id = ANY(${absent}::uuid[]) AND undone_at IS NULL`.execute(tx)
}

/** Registers visitors let in with a cancelled ticket again, beyond the capacity. */
const restoreCancelled = (tx: Tx, visitorIds: readonly string[]) =>
  sql`UPDATE event_visitors v SET state = 'registered', extra = true, cancelled_at = NULL
    WHERE v.id = ANY(${visitorIds}::uuid[]) AND v.state = 'cancelled' AND NOT EXISTS (SELECT FROM event_visitors o
      WHERE o.event_id = v.event_id AND o.phone = v.phone AND o.name_key = v.name_key AND o.state <> 'cancelled')`.execute(
    tx,
  )

/** Registers a walk-in and returns the visitor; a person registered before is that visitor. */
async function registerAtDoor(
  { tx, actor, now }: Omit<Context, 'services'>,
  { event, sessionId, reader }: Door,
  walkIn: NonNullable<Scan['walkIn']>,
): Promise<string> {
  const problems = Object.entries(walkInProblems(walkIn)).flatMap(([field, problem]) =>
    problem ? [[field, problem] as const] : [],
  )
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  const known = await tx
    .selectFrom('eventVisitors')
    .select(['id', 'eventId'])
    .where('id', '=', walkIn.id)
    .executeTakeFirst()
  if (known) {
    if (known.eventId !== event.id) throw conflict('event_visitor_of_other')
    return known.id
  }
  const phone = walkIn.phone ? parsePhone(walkIn.phone) : null
  const added = await addVisitor(tx, {
    id: walkIn.id,
    event,
    sessionId,
    name: walkIn.name,
    phone,
    email: null,
    school: walkIn.school,
    grade: walkIn.grade,
    wish: '',
    language: walkIn.language,
    consentText: walkIn.consent ? await consentText(tx, walkIn.language) : null,
    affiliateId: reader.mayUpdate ? null : reader.affiliateId,
    now,
    walkIn: true,
  })
  if (!added) {
    const same = await tx
      .selectFrom('eventVisitors')
      .select('id')
      .where('eventId', '=', event.id)
      .where((eb) =>
        eb.or([
          eb('id', '=', walkIn.id),
          eb.and([eb('phone', '=', phone), eb('nameKey', '=', nameKeyOf(walkIn.name)), eb('state', '<>', 'cancelled')]),
        ]),
      )
      .executeTakeFirst()
    if (!same) throw conflict('event_visitor_of_other')
    return same.id
  }
  const extra = !(await takePlace(tx, sessionId))
  await tx.updateTable('eventVisitors').set({ state: 'registered', extra }).where('id', '=', walkIn.id).execute()
  await recordAudit(tx, actor, { action: 'event.walk-in', on: { event: event.id }, after: { extra } })
  return added.id
}
