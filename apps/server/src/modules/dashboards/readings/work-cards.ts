import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { offerDueAt } from '#server/modules/admissions/offers/offer-due.ts'
import { queueCondition } from '#server/modules/admissions/registrations/registration-queues.ts'
import {
  type CardReading,
  figureOf,
  firstLines,
  lineOf,
  listAddress,
  reportAddress,
} from '#server/modules/dashboards/card.ts'
import { isPublished, joinPublication, statusIn } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'

const dayMs = 86_400_000

/** Queues of the office: since when a registration `r` has waited in each, and the join that needs. */
const queues = [
  {
    queue: 'documents',
    since: sql`coalesce(d.at, r.created_at)`,
    from: sql`LEFT JOIN (SELECT registration_id, min(uploaded_at) AS at FROM documents WHERE status = 'uploaded' GROUP BY 1) d
      ON d.registration_id = r.id`,
  },
  { queue: 'decision', since: sql`r.verified_at`, from: sql`` },
  {
    queue: 'confirmation',
    since: sql`greatest(r.decided_at, pub.publish_at)`,
    from: joinPublication,
  },
] as const

type Ages = { total: number; recent: number; week: number; longer: number; oldest: number | null }

/** Counts each queue with the condition of its list, by days of waiting. */
export const waiting: CardReading = async ({ services: { db }, actor, at }) => {
  const found = await Promise.all(
    queues.map(async ({ queue, since, from }) => {
      const { rows } = await sql<Ages>`
        SELECT count(*)::int AS total, count(*) FILTER (WHERE days < 3)::int AS recent,
          count(*) FILTER (WHERE days >= 3 AND days < 8)::int AS week,
          count(*) FILTER (WHERE days >= 8 OR days IS NULL)::int AS longer, max(days)::float8 AS oldest
        FROM (SELECT extract(epoch FROM ${at}::timestamptz - ${since}) / 86400 AS days FROM registrations r ${from}
          WHERE ${queueCondition(queue, actor, at)} AND ${visibleTo(actor)}) q`.execute(db)
      return { queue, ...theOnly(rows) }
    }),
  )
  return {
    columns: [
      { key: 'all', kind: 'count' },
      { key: 'recent', kind: 'count' },
      { key: 'week', kind: 'count' },
      { key: 'longer', kind: 'count' },
      { key: 'oldest', kind: 'days' },
    ],
    lines: found.map(({ queue, total, recent, week, longer, oldest }) =>
      lineOf([total, recent, week, longer, oldest === null ? null : Math.max(0, Math.floor(oldest))], {
        word: `queue.${queue}`,
        to: listAddress(actor, 'pendaftaran-view', '/pendaftaran', { queue }),
      }),
    ),
    to: listAddress(actor, 'pendaftaran-view', '/pendaftaran', { queue: 'current' }),
  }
}

type Session = { id: string; name: string; starts: Date; taken: number; capacity: number; present: number }

export const testsToday: CardReading = async ({ services: { db }, actor, at }) => {
  const calendar = universityCalendar()
  const today = calendar.dayOf(at)
  const { rows } = await sql<Session>`
    SELECT s.id, s.name, (s.date + s.start_time) AT TIME ZONE ${calendar.timeZone} AS starts, coalesce(c.taken, 0) AS taken,
      s.capacity, (SELECT count(*)::int FROM test_seats t WHERE t.test_session_id = s.id AND t.status = 'attended') AS present
    FROM test_sessions s LEFT JOIN test_session_seats c ON c.test_session_id = s.id
    WHERE s.date = ${today} ORDER BY s.start_time, s.name`.execute(db)
  const list = listAddress(actor, 'jadwal-test-view', '/jadwal-test', { from: today, to: today })
  return {
    figures: [figureOf('sessions', rows.length, { to: list })],
    columns: [
      { key: 'booked', kind: 'count' },
      { key: 'capacity', kind: 'count' },
      { key: 'present', kind: 'count' },
    ],
    ...firstLines(
      rows.map(({ id, name, starts, taken: seats, capacity, present }) =>
        lineOf([seats, capacity, present], {
          label: name,
          at: starts.toISOString(),
          to: listAddress(actor, 'jadwal-test-view', `/jadwal-test/${id}`),
        }),
      ),
      8,
    ),
    to: list,
  }
}

/** Documents approved, refused or waived today, per hour. */
export const documentsToday: CardReading = async ({ services: { db }, actor, at }) => {
  const calendar = universityCalendar()
  const { rows } = await sql<{ hour: number; count: number }>`
    SELECT extract(hour FROM d.reviewed_at AT TIME ZONE ${calendar.timeZone})::int AS hour, count(*)::int AS count
    FROM documents d JOIN registrations r ON r.id = d.registration_id
    WHERE d.reviewed_at >= ${calendar.startOfDay(calendar.dayOf(at))} AND d.reviewed_at <= ${at} AND ${visibleTo(actor)}
    GROUP BY 1 ORDER BY 1`.execute(db)
  const lastHour = Number(calendar.wallTime(at).slice(11, 13))
  const firstHour = Math.min(rows[0]?.hour ?? 7, 7, lastHour)
  const hours = Array.from({ length: lastHour - firstHour + 1 }, (_, index) => firstHour + index)
  return {
    figures: [
      figureOf(
        'reviewed',
        rows.reduce((sum, { count }) => sum + count, 0),
      ),
    ],
    columns: [{ key: 'reviewed', kind: 'count' }],
    lines: hours.map((hour) =>
      lineOf([rows.find((row) => row.hour === hour)?.count ?? 0], { label: `${String(hour).padStart(2, '0')}.00` }),
    ),
    to:
      reportAddress(actor, 'status-berkas-pendaftaran') ??
      listAddress(actor, 'pendaftaran-view', '/pendaftaran', { queue: 'documents' }),
  }
}

type Deadline = { kind: string; id: string; label: string; at: Date; count: number | null }

/** Number of days ahead that the card covers. */
const daysAhead = 7

export const deadlines: CardReading = async ({ services: { db }, actor, at }) => {
  const calendar = universityCalendar()
  const until = new Date(at.getTime() + daysAhead * dayMs)
  const [today, lastDay] = [calendar.dayOf(at), shiftDay(calendar.dayOf(at), daysAhead)]
  const { rows } = await sql<Deadline>`
    SELECT 'waveCloses' AS kind, w.id, w.name AS label, w.closes_at AS at, NULL::int AS count FROM waves w
      WHERE w.active AND w.closes_at BETWEEN ${at} AND ${until}
    UNION ALL SELECT 'waveOpens', w.id, w.name, w.opens_at, NULL FROM waves w
      WHERE w.active AND w.opens_at BETWEEN ${at} AND ${until}
    UNION ALL SELECT 'results', rp.wave_id, w.name || ' · ' || t.name, rp.publish_at, NULL FROM result_publications rp
      JOIN waves w ON w.id = rp.wave_id JOIN tracks t ON t.id = rp.track_id WHERE rp.publish_at BETWEEN ${at} AND ${until}
    UNION ALL SELECT 'test', s.id, s.name, (s.date + s.start_time) AT TIME ZONE ${calendar.timeZone}, coalesce(c.taken, 0)
      FROM test_sessions s LEFT JOIN test_session_seats c ON c.test_session_id = s.id
      WHERE s.cancelled_at IS NULL AND s.date BETWEEN ${today} AND ${lastDay}
        AND (s.date + s.start_time) AT TIME ZONE ${calendar.timeZone} > ${at} AND ${actor.permissions.has('jadwal-test-view')}
    UNION ALL SELECT 'answers', w.id, w.name, min(${offerDueAt}), count(*)::int FROM registrations r JOIN waves w ON w.id = r.wave_id
      WHERE ${statusIn(actor, at, ['decided'])} AND r.decision = 'accepted' AND ${isPublished(at)}
        AND ${offerDueAt} <= ${calendar.endOfDay(lastDay)} AND ${visibleTo(actor)} GROUP BY w.id, w.name
    ORDER BY at, kind, label LIMIT 30`.execute(db)
  const addressOf = ({ kind, id }: Deadline) => {
    if (kind === 'test') return listAddress(actor, 'jadwal-test-view', `/jadwal-test/${id}`)
    if (kind === 'answers')
      return listAddress(actor, 'konfirmasi-kelulusan-view', '/konfirmasi-kelulusan', {
        answer: 'open',
        waveId: id,
        dueUntil: lastDay,
      })
    return listAddress(actor, 'pendaftaran-view', '/pendaftaran', { waveId: id })
  }
  return {
    columns: [{ key: 'people', kind: 'count' }],
    ...firstLines(
      rows.map((row) =>
        lineOf([row.count], {
          label: row.label,
          word: `deadline.${row.kind}`,
          at: row.at.toISOString(),
          to: addressOf(row),
        }),
      ),
      8,
    ),
  }
}
