import { sql } from 'kysely'
import { type CalendarKind, longestSpanDays } from '#domain/admission-calendar/endpoints.ts'
import { calendarOf, shiftDay } from '#domain/calendar.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isIntakePublished, isPublished } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'

type Entry = {
  kind: CalendarKind
  key: string
  at: Date
  endsAt?: Date | null
  name: string
  detail?: string | null
  taken?: number | null
  capacity?: number | null
  count?: number | null
  path?: string | null
  /** Number of a seat among those of its registration. */
  sequence?: number
}

type Span = { from: Date; until: Date; fromDay: string; toDay: string; timeZone: string; now: Date }

/**
 * Entries between two days, both included, earliest first. Applicants see when waves open and close, and the seats,
 * seat offers, results and bills of their own registrations. What staff see depends on their permissions and
 * programmes.
 */
export async function readCalendar(db: Db, actor: Actor, now: Date, { from, to }: { from: string; to: string }) {
  if (from > to) throw invalid({ to: { code: 'must_be_after', params: { other: from } } })
  const last = shiftDay(from, longestSpanDays)
  const { timeZone } = await getSettings(db)
  const calendar = calendarOf(timeZone)
  const toDay = to < last ? to : last
  const span: Span = {
    from: calendar.startOfDay(from),
    until: calendar.boundsOfDay(toDay)[1],
    fromDay: from,
    toDay,
    timeZone,
    now,
  }
  const may = (slug: string) => actor.permissions.has(slug)
  const lists = isApplicant(actor)
    ? [
        waveWindows(db, span),
        ownSeats(db, actor, span),
        ownOffers(db, actor, span),
        ownResults(db, actor, span),
        ownBills(db, actor, span),
      ]
    : [
        waveWindows(db, span),
        may('jadwal-test-view') && sessions(db, span, may('jadwal-test-update')),
        may('pendaftaran-view') && trackDeadlines(db, span),
        may('pembayaran-mahasiswa-view') && billsDue(db, actor, span),
      ]
  const entries = (await Promise.all(lists.map((list) => list || []))).flat()
  return entries
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.name.localeCompare(b.name))
    .map(({ key, ...entry }) => ({
      endsAt: null,
      detail: null,
      taken: null,
      capacity: null,
      count: null,
      path: null,
      ...entry,
      id: `${entry.kind}:${key}`,
      day: calendar.dayOf(entry.at),
    }))
}

const rowsOf = async (query: { execute(db: Db): Promise<{ rows: Entry[] }> }, db: Db) => (await query.execute(db)).rows

/** When active waves open and close. */
const waveWindows = (db: Db, { from, until }: Span) =>
  rowsOf(
    sql<Entry>`SELECT x.kind, w.id AS key, x.at, w.name || ' ' || w.academic_year AS name
      FROM waves w CROSS JOIN LATERAL (VALUES ('opens', w.opens_at), ('closes', w.closes_at)) x (kind, at)
      WHERE w.active AND x.at >= ${from} AND x.at < ${until}`,
    db,
  )

const sessions = (db: Db, { fromDay, toDay, timeZone }: Span, mayUpdate: boolean) =>
  rowsOf(
    sql<Entry>`SELECT 'session' AS kind, s.id AS key, (s.date + s.start_time) AT TIME ZONE ${timeZone} AS at,
        (s.date + s.end_time) AT TIME ZONE ${timeZone} AS ends_at, s.name,
        CASE s.mode WHEN 'onsite' THEN s.location END AS detail, coalesce(c.taken, 0) AS taken, s.capacity,
        CASE WHEN ${mayUpdate} THEN '/jadwal-test/' || s.id END AS path
      FROM test_sessions s LEFT JOIN test_session_seats c ON c.test_session_id = s.id
      WHERE s.active AND s.date >= ${fromDay}::date AND s.date <= ${toDay}::date`,
    db,
  )

/** Track dates of each wave; tracks of a wave with the same instant share one entry. */
const trackDeadlines = (db: Db, { from, until }: Span) =>
  rowsOf(
    sql<Entry>`SELECT x.kind, w.id || ':' || extract(epoch FROM x.at) AS key, x.at,
        w.name || ' ' || w.academic_year AS name, string_agg(DISTINCT t.name, ', ') AS detail
      FROM track_details d JOIN waves w ON w.id = d.wave_id JOIN tracks t ON t.id = d.track_id
      CROSS JOIN LATERAL (VALUES ('opens', nullif(d.opens_at, w.opens_at)), ('closes', nullif(d.closes_at, w.closes_at)),
        ('payment', d.payment_due_at), ('results', coalesce(d.results_at, w.results_at)),
        ('confirmation', coalesce(d.confirmation_due_at, w.confirmation_due_at))) x (kind, at)
      WHERE d.active AND w.active AND t.active AND x.at >= ${from} AND x.at < ${until}
      GROUP BY x.kind, w.id, x.at`,
    db,
  )

/** Number of unpaid bills of visible registrations, by due day. */
const billsDue = (db: Db, actor: Actor, { from, until, timeZone }: Span) =>
  rowsOf(
    sql<Entry>`SELECT 'bills' AS kind, (b.due_at AT TIME ZONE ${timeZone})::date::text AS key, max(b.due_at) AS at,
        '' AS name, count(*)::int AS count, '/pembayaran-mahasiswa' AS path
      FROM bills b JOIN registrations r ON r.id = b.registration_id
      WHERE b.status IN ('open', 'partly_paid') AND b.due_at >= ${from} AND b.due_at < ${until} AND ${visibleTo(actor)}
      GROUP BY 2`,
    db,
  )

const ownSeats = (db: Db, actor: Actor, { fromDay, toDay, timeZone }: Span) =>
  rowsOf(
    sql<Entry>`SELECT 'seat' AS kind, t.id AS key, (s.date + s.start_time) AT TIME ZONE ${timeZone} AS at,
        (s.date + s.end_time) AT TIME ZONE ${timeZone} AS ends_at, s.name, CASE s.mode WHEN 'onsite' THEN s.location END AS detail,
        '/pendaftaran/' || r.id AS path, (SELECT count(*)::int FROM test_seats x WHERE x.registration_id = r.id) AS sequence
      FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN test_sessions s ON s.id = t.test_session_id
      WHERE t.status <> 'released' AND s.date >= ${fromDay}::date AND s.date <= ${toDay}::date AND ${visibleTo(actor)}`,
    db,
  )

const ownOffers = (db: Db, actor: Actor, { from, until }: Span) =>
  rowsOf(
    sql<Entry>`SELECT 'offer' AS kind, p.id AS key, p.offered_until AS at, s.name, '/pendaftaran/' || r.id AS path
      FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id JOIN test_sessions s ON s.id = p.test_session_id
      WHERE p.status = 'offered' AND p.offered_until >= ${from} AND p.offered_until < ${until} AND ${visibleTo(actor)}`,
    db,
  )

/** When results are due until they are published, then the confirmation deadline of an acceptance. */
const ownResults = (db: Db, actor: Actor, { from, until, now }: Span) =>
  rowsOf(
    sql<Entry>`SELECT x.kind, r.id AS key, x.at, r.code AS name, w.name || ' ' || w.academic_year AS detail,
        '/pendaftaran/' || r.id AS path
      FROM registrations r JOIN waves w ON w.id = r.wave_id
      LEFT JOIN track_details d ON d.track_id = r.track_id AND d.wave_id = r.wave_id AND d.entry_level_id = r.entry_level_id
      CROSS JOIN LATERAL (VALUES
        ('results', CASE WHEN NOT ${isIntakePublished(now)} THEN coalesce(d.results_at, w.results_at) END),
        ('confirmation', CASE WHEN ${isPublished(now)} AND r.status = 'decided' AND r.decision = 'accepted'
          THEN coalesce(d.confirmation_due_at, w.confirmation_due_at) END)) x (kind, at)
      WHERE r.status IN ('submitted', 'paid', 'verified', 'decided') AND x.at >= ${from} AND x.at < ${until}
        AND ${visibleTo(actor)}`,
    db,
  )

/** Unpaid instalments of the applicant's bills; a bill without instalments is one entry. */
const ownBills = (db: Db, actor: Actor, { from, until }: Span) =>
  rowsOf(
    sql<Entry>`SELECT 'bill' AS kind, b.id || ':' || x.position AS key, x.at, b.number AS name, r.code AS detail,
        '/pendaftaran/' || r.id || '/pembayaran' AS path
      FROM bills b JOIN registrations r ON r.id = b.registration_id
      CROSS JOIN LATERAL (
        SELECT i.position, i.due_at AS at FROM installments i WHERE i.bill_id = b.id AND i.paid < i.amount
        UNION ALL SELECT 0, b.due_at WHERE NOT EXISTS (SELECT FROM installments i WHERE i.bill_id = b.id)) x
      WHERE b.status IN ('open', 'partly_paid') AND x.at >= ${from} AND x.at < ${until} AND ${visibleTo(actor)}`,
    db,
  )
