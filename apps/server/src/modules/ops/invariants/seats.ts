import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Taken seats per session, including seats offered to the waiting list, excluding extra seats. */
const takenSeats = sql`(SELECT test_session_id, count(*) AS many, max(at) AS last FROM (
  SELECT test_session_id, created_at AS at FROM test_seats WHERE status <> 'released' AND NOT extra
  UNION ALL SELECT test_session_id, offered_at FROM test_waiting_places WHERE status = 'offered') x GROUP BY 1)`

/** Selects rows about a test session `s` with `t.many` taken seats. */
const session = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'jadwal-test' AS subject_type, s.id::text, s.name || ' · ' || s.date AS label, (${stored})::text AS stored,
    (${derived})::text AS derived, '/master/jadwal-test/' || s.id AS path
  FROM test_sessions s LEFT JOIN ${takenSeats} t ON t.test_session_id = s.id
  ${rest}`

/** Places the programme `d` may give. */
const placesOffered = sql`greatest(d.capacity + d.over_offer, (SELECT max(q.placed) FROM selection_quotas q
  JOIN selection_runs n ON n.id = q.selection_run_id AND n.status = 'adopted'
  WHERE q.programme_detail_id = d.id AND q.track_id IS NULL))`

export const seatInvariants: InvariantsOf<'seats'> = {
  /** The counter of a session equals its occupied and offered seats. */
  'seat-count': () =>
    session(
      sql`coalesce(c.taken, 0)`,
      sql`coalesce(t.many, 0)`,
      sql`LEFT JOIN test_session_seats c ON c.test_session_id = s.id WHERE coalesce(c.taken, 0) <> coalesce(t.many, 0)`,
    ),

  /**
   * A session has at most its capacity of seats; only reported if a seat is newer than the last change of the session.
   */
  'seat-capacity': () =>
    session(sql`t.many`, sql`s.capacity`, sql`WHERE t.many > s.capacity AND t.last >= s.updated_at`),

  /** A registration has at most one seat. */
  'seat-one': () => sql<Impossible>`
    SELECT 'registration' AS subject_type, r.id::text, r.code AS label, d.many::text AS stored, '1' AS derived,
      '/pendaftaran/' || r.id AS path
    FROM (SELECT registration_id, count(*) AS many FROM test_seats WHERE status <> 'released' GROUP BY 1 HAVING count(*) > 1) d
    JOIN registrations r ON r.id = d.registration_id`,

  /** An upcoming seat belongs to a registration that has not ended. */
  'seat-registration': () => sql<Impossible>`
    SELECT 'test-seat' AS subject_type, t.id::text, r.code || ' · ' || s.name AS label, t.status AS stored,
      r.status AS derived, '/pendaftaran/' || r.id AS path
    FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN test_sessions s ON s.id = t.test_session_id
    WHERE t.status IN ('held', 'booked') AND r.status IN ('withdrawn', 'cancelled', 'expired')`,

  /** A cancelled session has no held or booked seats. */
  'seat-cancelled': () => sql<Impossible>`
    SELECT 'test-seat' AS subject_type, t.id::text, r.code || ' · ' || s.name AS label, t.status AS stored,
      s.cancelled_at::text AS derived, '/pendaftaran/' || r.id AS path
    FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN test_sessions s ON s.id = t.test_session_id
    WHERE t.status IN ('held', 'booked') AND s.cancelled_at IS NOT NULL`,

  /** A seat is offered only to a registration that may still book and has no seat in the same session. */
  'seat-offer': () => sql<Impossible>`
    SELECT 'registration' AS subject_type, r.id::text, r.code || ' · ' || s.name AS label, p.status AS stored,
      coalesce(t.status, r.status) AS derived, '/pendaftaran/' || r.id AS path
    FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id JOIN test_sessions s ON s.id = p.test_session_id
      LEFT JOIN test_seats t ON t.registration_id = r.id AND t.test_session_id = s.id AND t.status <> 'released'
    WHERE p.status = 'offered' AND (t.id IS NOT NULL OR r.status IN ('draft', 'withdrawn', 'cancelled', 'expired'))`,

  /**
   * No seat is offered while an earlier registration on the waiting list may book, unless that registration had not
   * paid its fee yet.
   */
  'seat-order': () => sql<Impossible>`
    SELECT 'registration' AS subject_type, r.id::text, r.code || ' · ' || s.name AS label, p.number::text AS stored,
      o.number::text AS derived, '/pendaftaran/' || r.id AS path
    FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id JOIN test_sessions s ON s.id = p.test_session_id
      JOIN LATERAL (SELECT max(x.number) AS number FROM test_waiting_places x WHERE x.test_session_id = p.test_session_id
        AND x.number > p.number AND x.offered_at > p.joined_at AND x.offered_at > ALL (SELECT coalesce(b.paid_at, 'infinity')
          FROM bills b WHERE b.registration_id = r.id AND b.kind = 'registration_fee' AND b.status <> 'cancelled')) o
        ON o.number IS NOT NULL
    WHERE p.status = 'waiting' AND r.status IN ('submitted', 'paid', 'verified') AND s.wave_id = r.wave_id
      AND (s.track_id IS NULL OR s.track_id = r.track_id)
      AND NOT EXISTS (SELECT FROM test_seats t WHERE t.registration_id = r.id AND t.status IN ('attended', 'absent'))`,

  /** A booked or absent seat has no arrival scan, unless a later scan cancelled it. */
  'seat-attendance': () => sql<Impossible>`
    SELECT 'test-seat' AS subject_type, t.id::text, r.code || ' · ' || s.name AS label, t.status AS stored, 'attended' AS derived,
      '/pendaftaran/' || r.id AS path
    FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN test_sessions s ON s.id = t.test_session_id
    WHERE t.status IN ('booked', 'absent') AND EXISTS (SELECT FROM test_scans c
      WHERE c.registration_id = t.registration_id AND c.test_session_id = t.test_session_id AND c.kind = 'arrive'
        AND c.outcome IN ('recorded', 'repeated') AND NOT EXISTS (SELECT FROM test_scans x
          WHERE x.registration_id = c.registration_id AND x.test_session_id = c.test_session_id
            AND x.kind = 'cancel' AND x.at >= c.at AND x.outcome IN ('recorded', 'repeated')))`,
  /** The capacity of a session with rooms is the sum of the rooms' capacities. */
  'room-sum': () => sql<Impossible>`
    SELECT 'jadwal-test' AS subject_type, s.id::text, s.name || ' · ' || s.date AS label, s.capacity::text AS stored,
      o.capacity::text AS derived, '/jadwal-test/' || s.id AS path
    FROM test_sessions s
    JOIN (SELECT test_session_id, sum(capacity) AS capacity FROM test_session_rooms GROUP BY 1) o ON o.test_session_id = s.id
    WHERE o.capacity <> s.capacity`,

  /** A seat number does not exceed its room's capacity. */
  'place-room': () => sql<Impossible>`
    SELECT 'test-seat' AS subject_type, t.id::text, r.code || ' · ' || o.name AS label, t.seat_number::text AS stored,
      o.capacity::text AS derived, '/jadwal-test/' || o.test_session_id AS path
    FROM test_seats t JOIN test_session_rooms o ON o.id = t.room_id JOIN registrations r ON r.id = t.registration_id
    WHERE t.status <> 'released' AND t.seat_number > o.capacity`,

  /** A seat number in a room belongs to one person. */
  'place-one': () => sql<Impossible>`
    SELECT 'jadwal-test' AS subject_type, s.id::text, s.name || ' · ' || o.name || ' · ' || d.seat_number AS label,
      d.many::text AS stored, '1' AS derived, '/jadwal-test/' || s.id AS path
    FROM (SELECT room_id, seat_number, count(*) AS many FROM test_seats
      WHERE status <> 'released' AND room_id IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1) d
    JOIN test_session_rooms o ON o.id = d.room_id JOIN test_sessions s ON s.id = o.test_session_id`,

  /**
   * A programme has accepted at most its capacity plus the planned over-offer, or as many as an adopted selection
   * placed because of ties. Only reported if a decision is newer than the last change of the capacity.
   */
  'programme-capacity': () => sql<Impossible>`
    SELECT 'prodi' AS subject_type, d.id::text, p.name || ' · ' || w.name || ' · ' || c.name AS label,
      o.many::text AS stored, ${placesOffered}::text AS derived, '/master/prodi/' || p.id AS path
    FROM (SELECT wave_id, programme_id, class_programme_id, entry_level_id, count(*) AS many, max(decided_at) AS last
      FROM registrations WHERE decision = 'accepted' AND status IN ('decided', 'confirmed', 'enrolled') GROUP BY 1, 2, 3, 4) o
    JOIN programme_details d USING (wave_id, programme_id, class_programme_id, entry_level_id)
    JOIN study_programmes p ON p.id = d.programme_id JOIN waves w ON w.id = d.wave_id
    JOIN class_programmes c ON c.id = d.class_programme_id
    WHERE o.many > ${placesOffered} AND o.last >= d.updated_at`,

  /** The tracks' places of a programme add up to at most its capacity. */
  'track-division': () => sql<Impossible>`
    SELECT 'prodi' AS subject_type, d.id::text, p.name || ' · ' || w.name || ' · ' || c.name AS label, q.places::text AS stored,
      d.capacity::text AS derived, '/master/prodi/' || p.id AS path
    FROM (SELECT programme_detail_id, sum(places) AS places FROM track_quotas GROUP BY 1) q
    JOIN programme_details d ON d.id = q.programme_detail_id
    JOIN study_programmes p ON p.id = d.programme_id JOIN waves w ON w.id = d.wave_id
    JOIN class_programmes c ON c.id = d.class_programme_id
    WHERE q.places > d.capacity`,

  /**
   * In a programme divided by track, a track that takes no unfilled places of other tracks has accepted at most its own
   * places, or as many as an adopted selection placed because of ties. Only reported if a decision is newer than the
   * last change of the division.
   */
  'track-capacity': () => sql<Impossible>`
    SELECT 'prodi' AS subject_type, o.id::text, p.name || ' · ' || t.name || ' · ' || w.name || ' · ' || c.name AS label,
      o.many::text AS stored, o.places::text AS derived, '/master/prodi/' || p.id AS path
    FROM (SELECT d.id, d.programme_id, d.wave_id, d.class_programme_id, d.updated_at, r.track_id, count(*) AS many,
        max(r.decided_at) AS last, CASE WHEN min(k.spill_turn) IS NULL THEN greatest(coalesce(min(k.places), 0),
          (SELECT max(q.placed) FROM selection_quotas q JOIN selection_runs n ON n.id = q.selection_run_id AND n.status = 'adopted'
            WHERE q.programme_detail_id = d.id AND q.track_id = r.track_id)) END AS places
      FROM programme_details d JOIN registrations r USING (wave_id, programme_id, class_programme_id, entry_level_id)
        LEFT JOIN track_quotas k ON k.programme_detail_id = d.id AND k.track_id = r.track_id
      WHERE r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled')
        AND EXISTS (SELECT FROM track_quotas x WHERE x.programme_detail_id = d.id)
      GROUP BY d.id, r.track_id) o
    JOIN study_programmes p ON p.id = o.programme_id JOIN waves w ON w.id = o.wave_id
    JOIN class_programmes c ON c.id = o.class_programme_id JOIN tracks t ON t.id = o.track_id
    WHERE o.many > o.places AND o.last >= o.updated_at`,
}
