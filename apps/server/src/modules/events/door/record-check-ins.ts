import { sql } from 'kysely'
import type { z } from 'zod'
import { attendanceOf } from '#domain/door/attendance.ts'
import type { CheckInAnswer, recordCheckIns as recordCall } from '#domain/events/check-in-endpoints.ts'
import type { ScanOutcome, VisitorState } from '#domain/events/events.ts'
import { judgeScan } from '#domain/events/judge-scan.ts'
import { ticketIn } from '#domain/events/ticket.ts'
import { type Door, type NewScan, recordSending } from '#server/modules/door/record-sending.ts'
import type { CountedScan } from '#server/modules/door/stored-scans.ts'
import { getDoor } from '#server/modules/events/event-scope.ts'
import { isGenuine } from '#server/modules/events/ticket-code.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskName } from '#server/platform/access/masks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { doorOpensAt, isDoorOpen } from './check-in-list.ts'
import { registerWalkIn } from './register-walk-in.ts'

type Sending = z.output<typeof recordCall.body>
type Scan = Sending['scans'][number]
type Visitor = { id: string; name: string; state: VisitorState; sessionId: string }

/** Records a device's scans. 404 for an unknown event or session, 409 before check-in opens. */
export async function recordCheckIns(
  services: Services,
  actor: Actor,
  eventId: string,
  sending: Sending,
): Promise<CheckInAnswer[]> {
  const { db, clock } = services
  const receivedAt = clock.now()
  const { reader, event } = await getDoor(db, actor, eventId)
  const sessions = await db
    .selectFrom('eventSessions')
    .select(['id', 'startsAt'])
    .where('eventId', '=', eventId)
    .orderBy('startsAt')
    .execute()
  const { sessionId } = sending
  const [first] = sessions
  if (!first || !sessions.some(({ id }) => id === sessionId)) throw notFound('event session')
  if (!isDoorOpen(event.status, first.startsAt, receivedAt)) throw conflict('event_door_closed')
  const door: Door<Scan, Visitor, ScanOutcome> = {
    kind: 'event',
    sessionId,
    opensAt: doorOpensAt(first.startsAt),
    nameOf: async (context, { raw, visitorId, walkIn }) => {
      if (walkIn) return { id: await registerWalkIn(context, { reader, event, sessionId }, walkIn) }
      return raw === undefined ? { id: visitorId } : { code: codeIn(services, eventId, raw) }
    },
    findPeople: async ({ tx }, codes, ids) =>
      tx
        .selectFrom('eventVisitors')
        .select(['id', 'code'])
        .where('eventId', '=', eventId)
        .where((eb) => eb.or([eb('code', '=', eb.fn.any(eb.val(codes))), eb('id', '=', eb.fn.any(eb.val(ids)))]))
        .execute(),
    lockPeople: lockVisitors,
    judge: (_context, visitor, { kind, force, walkIn }, isIn) =>
      judgeScan(visitor, { kind, sessionId, isIn, forced: force === true || walkIn !== undefined }),
    columnsOf: (scan, personId) => ({
      eventId,
      sessionId,
      visitorId: personId,
      forced: scan.force === true,
      // Do not store text that is not a ticket: the camera may have read anything, such as a person's address.
      raw: scan.raw && ticketIn(scan.raw) ? scan.raw : null,
      clockOffsetMs: receivedAt.getTime() - Date.parse(sending.sentAt),
    }),
    settle: async ({ tx }, added, counted) => {
      await deriveCheckIns(tx, sessionId, added, counted, receivedAt)
      await restoreCancelled(tx, added)
    },
  }
  const recorded = await recordSending(services, actor, door, { ...sending, receivedAt })
  return recorded.map(({ person: visitor, personId, ...answer }) => ({
    ...answer,
    visitorId: personId,
    name: visitor ? (reader.mayUpdate ? visitor.name : maskName(visitor.name)) : null,
    elsewhere: answer.outcome === 'other_session' ? visitor!.sessionId : null,
  }))
}

async function lockVisitors({ tx }: Context, ids: readonly string[]) {
  const visitors = ids.length
    ? await tx
        .selectFrom('eventVisitors')
        .select(['id', 'name', 'state', 'sessionId'])
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
    : []
  return new Map(visitors.map((visitor) => [visitor.id, { ...visitor, state: visitor.state as VisitorState }]))
}

/** Code of a ticket, scanned or typed; undefined if its tag is wrong. */
function codeIn(services: Services, eventId: string, raw: string) {
  const ticket = ticketIn(raw)
  return ticket && (ticket.tag === null || isGenuine(services, eventId, ticket.code, ticket.tag))
    ? ticket.code
    : undefined
}

type CountedVisit = NewScan<Scan, ScanOutcome> & { personId: string }

/** Updates the check-ins that follow from the scans. An earlier arrival that is sent later moves the check-in time. */
async function deriveCheckIns(
  tx: Tx,
  sessionId: string,
  added: readonly CountedVisit[],
  counted: ReadonlyMap<string, CountedScan[]>,
  now: Date,
) {
  const arrived = []
  const absent: string[] = []
  for (const visitorId of new Set(added.map(({ personId }) => personId))) {
    const scans = counted.get(visitorId)!
    const { arrivedAt } = attendanceOf(scans)
    const scan = scans.find(({ kind, at }) => kind === 'arrive' && at.getTime() === arrivedAt?.getTime())
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
function restoreCancelled(tx: Tx, added: readonly CountedVisit[]) {
  const letIn = added.flatMap(({ scan: { force, kind }, personId, outcome }) =>
    force && kind === 'arrive' && outcome === 'recorded' ? [personId] : [],
  )
  return sql`UPDATE event_visitors v SET state = 'registered', extra = true, cancelled_at = NULL
    WHERE v.id = ANY(${letIn}::uuid[]) AND v.state = 'cancelled' AND NOT EXISTS (SELECT FROM event_visitors o
      WHERE o.event_id = v.event_id AND o.phone = v.phone AND o.name_key = v.name_key AND o.state <> 'cancelled')`.execute(
    tx,
  )
}
