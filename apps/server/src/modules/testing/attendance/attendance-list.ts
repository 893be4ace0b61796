import crypto from 'node:crypto'
import { sql } from 'kysely'
import type { ScanOutcome } from '#domain/testing/attendance.ts'
import type { SeatStatus } from '#domain/testing/seat-status.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import { findTestSession, testSessionsFor } from '#server/modules/testing/sessions/test-sessions.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { dayBegins } from './note-attendance.ts'
import { seatElsewhere } from './record-scans.ts'

type ParticipantRow = {
  seatId: string
  registrationId: string
  code: string
  name: string
  status: SeatStatus
  arrivedAt: Date | null
  arrivedOn: string | null
  leftAt: Date | null
  forcedReason: string | null
}

type RefusedRow = {
  id: string
  outcome: ScanOutcome
  registrationId: string | null
  code: string | null
  name: string | null
  at: Date
  deviceName: string
}

/** Participants of a session whose registrations the actor sees, by name, and scans that need a decision. */
export async function readAttendance(services: Services, actor: Actor, sessionId: string) {
  const { db, clock } = services
  const now = clock.now()
  const { timeZone } = await getSettings(db)
  const session = await findTestSession(db, sessionId, now, timeZone)
  if (!session) throw notFound('test session')
  const { waveId, trackId } = await db
    .selectFrom('testSessions')
    .select(['waveId', 'trackId'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const { rows: participants } = await sql<ParticipantRow>`
    SELECT t.id AS seat_id, t.registration_id, r.code, a.full_name AS name, t.status, t.arrived_at, t.left_at, t.forced_reason,
      CASE WHEN t.arrived_at IS NOT NULL THEN (SELECT c.device_name FROM test_scans c
        WHERE c.test_session_id = t.test_session_id AND c.registration_id = t.registration_id AND c.kind = 'arrive'
          AND c.at = t.arrived_at AND c.outcome IN ('recorded', 'repeated') ORDER BY c.id LIMIT 1) END AS arrived_on
    FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN applicants a ON a.id = r.applicant_id
    WHERE t.test_session_id = ${sessionId} AND t.status NOT IN ('held', 'released') AND ${visibleTo(actor)}
    ORDER BY a.full_name, r.code`.execute(db)
  const { rows: refused } = await sql<RefusedRow>`
    SELECT DISTINCT ON (coalesce(c.registration_id, c.id)) c.id, c.outcome, c.registration_id, r.code, a.full_name AS name,
      c.at, c.device_name
    FROM test_scans c LEFT JOIN registrations r ON r.id = c.registration_id LEFT JOIN applicants a ON a.id = r.applicant_id
    WHERE c.test_session_id = ${sessionId} AND c.outcome NOT IN ('recorded', 'repeated')
      AND (c.registration_id IS NULL OR ${visibleTo(actor)})
      AND NOT EXISTS (SELECT FROM test_seats t
        WHERE t.registration_id = c.registration_id AND t.test_session_id = ${sessionId} AND t.status <> 'released')
    ORDER BY coalesce(c.registration_id, c.id), c.at DESC`.execute(db)
  const later = await testSessionsFor(db, { waveId, trackId }, now, timeZone)
  return {
    now,
    session,
    begun: now >= dayBegins(session, timeZone),
    participants: participants.map((row) => ({ ...row, cardHash: cardHashOf(services, row.code) })),
    refused: await Promise.all(
      refused.map(async (scan) => ({
        ...scan,
        elsewhere: scan.registrationId ? await seatElsewhere(db, scan.registrationId, sessionId) : null,
      })),
    ),
    alternatives: later.filter(({ id, seatsLeft }) => id !== sessionId && seatsLeft > 0),
  }
}

/** SHA-256 of the code on a card, in hexadecimal. */
const cardHashOf = (services: Services, code: string) =>
  crypto.createHash('sha256').update(cardCode(services, code)).digest('hex')
