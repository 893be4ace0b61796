import { sql } from 'kysely'
import { daysBetween, shiftDay, universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { type CardReading, figureOf, lineOf, listAddress, reportAddress } from '#server/modules/dashboards/card.ts'
import { paymentsVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'

const dayMs = 86_400_000
/** Days that the curve shows. */
const curveDays = 28

const paymentRows = sql`payments p LEFT JOIN bills b ON b.id = p.bill_id LEFT JOIN registrations r ON r.id = b.registration_id`

const mondayOf = (day: string) => shiftDay(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** Money received, without reversed payments, as the list of payments sums it. */
export const moneyIn: CardReading = async ({ services: { db }, actor, at }) => {
  const calendar = universityCalendar()
  const today = calendar.dayOf(at)
  const monday = mondayOf(today)
  const firstDay = shiftDay(today, 1 - curveDays)
  const weekAgo = new Date(at.getTime() - 7 * dayMs)
  const { rows } = await sql<{ day: string; amount: number; until: number }>`
    SELECT to_char(p.received_at AT TIME ZONE ${calendar.timeZone}, 'YYYY-MM-DD') AS day, sum(p.amount)::float8 AS amount,
      coalesce(sum(p.amount) FILTER (WHERE p.received_at <= ${weekAgo}), 0)::float8 AS until
    FROM ${paymentRows}
    WHERE p.status <> 'reversed' AND p.received_at >= ${calendar.startOfDay(firstDay)} AND p.received_at <= ${at}
      AND ${paymentsVisibleTo(actor)} GROUP BY 1`.execute(db)
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const sumOf = (from: string, to: string, part: 'amount' | 'until') =>
    daysBetween(from, to).reduce((sum, day) => sum + (byDay.get(day)?.[part] ?? 0), 0)
  const received = (from: string) =>
    listAddress(actor, 'pembayaran-mahasiswa-view', '/pembayaran-mahasiswa', { from, to: today }) ??
    reportAddress(actor, 'pembayaran-mahasiswa', { from, to: today, rows: 'paidAmount' })
  const days = daysBetween(firstDay, today)
  const before = (from: string) => ({
    before: sumOf(shiftDay(from, -7), shiftDay(today, -7), 'until'),
    against: 'week',
  })
  return {
    figures: [
      figureOf('today', sumOf(today, today, 'amount'), { kind: 'money', ...before(today), to: received(today) }),
      figureOf('thisWeek', sumOf(monday, today, 'amount'), { kind: 'money', ...before(monday), to: received(monday) }),
    ],
    days,
    curves: [{ key: 'received', kind: 'money', values: days.map((day) => byDay.get(day)?.amount ?? 0) }],
    to:
      reportAddress(actor, 'pembayaran-mahasiswa') ??
      listAddress(actor, 'pembayaran-mahasiswa-view', '/pembayaran-mahasiswa'),
  }
}

type Ages = { count: number; amount: number; recent: number; week: number; longer: number; oldest: number | null }

export const waitingMoney: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Ages>`
    SELECT count(*)::int AS count, coalesce(sum(amount), 0)::float8 AS amount,
      coalesce(sum(amount) FILTER (WHERE days < 3), 0)::float8 AS recent,
      coalesce(sum(amount) FILTER (WHERE days >= 3 AND days < 8), 0)::float8 AS week,
      coalesce(sum(amount) FILTER (WHERE days >= 8), 0)::float8 AS longer, max(days)::float8 AS oldest
    FROM (SELECT p.waiting_amount AS amount,
        coalesce(extract(epoch FROM ${at}::timestamptz - p.waiting_since) / 86400, 0) AS days
      FROM ${paymentRows} WHERE p.waiting_amount > 0 AND ${visibleTo(actor)}) q`.execute(db)
  const { count, amount, recent, week, longer, oldest } = theOnly(rows)
  const to = listAddress(actor, 'pembayaran-mahasiswa-view', '/uang-menunggu')
  return {
    figures: [
      figureOf('waitingPayments', count, { to }),
      figureOf('waitingAmount', amount, { kind: 'money' }),
      figureOf('oldest', oldest === null ? null : Math.max(0, Math.floor(oldest)), { kind: 'days' }),
    ],
    columns: [{ key: 'amount', kind: 'money' }],
    lines: [
      lineOf([recent], { word: 'age.recent' }),
      lineOf([week], { word: 'age.week' }),
      lineOf([longer], { word: 'age.longer' }),
    ],
    to,
  }
}

type Days = { open: number; missing: number; oldest: string | null; differences: number }

export const unreconciled: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Days>`
    SELECT count(*) FILTER (WHERE d.state = 'open')::int AS open, count(*) FILTER (WHERE d.state = 'no_statement')::int AS missing,
      to_char(min(d.day), 'YYYY-MM-DD') AS oldest, coalesce(sum(d.open_differences), 0)::int AS differences
    FROM reconciliation_days d WHERE d.state <> 'balanced'`.execute(db)
  const { open, missing, oldest, differences } = theOnly(rows)
  const list = (state?: string) => listAddress(actor, 'rekonsiliasi-view', '/rekonsiliasi', state ? { state } : {})
  const today = universityCalendar().dayOf(at)
  return {
    figures: [
      figureOf('openDays', open, { to: list('open') }),
      figureOf('daysWithoutStatement', missing, { to: list('no_statement') }),
      figureOf('differences', differences),
      figureOf('oldest', oldest === null ? null : (Date.parse(today) - Date.parse(oldest)) / dayMs, { kind: 'days' }),
    ],
    to: list(),
  }
}

type Request = { kind: string; count: number; oldest: number }

export const approvals: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Request>`
    SELECT q.kind, count(*)::int AS count,
      greatest(0, floor(max(extract(epoch FROM ${at}::timestamptz - q.requested_at)) / 86400))::int AS oldest
    FROM approval_requests q LEFT JOIN registrations r ON r.id = q.registration_id
    WHERE q.status = 'pending' AND ${visibleTo(actor)} GROUP BY 1 ORDER BY 2 DESC, 1`.execute(db)
  const pending = (kind?: string) =>
    listAddress(actor, 'persetujuan-view', '/persetujuan', { status: 'pending', ...(kind && { kind }) })
  return {
    figures: [
      figureOf(
        'pending',
        rows.reduce((sum, { count }) => sum + count, 0),
        { to: pending() },
      ),
    ],
    columns: [
      { key: 'requests', kind: 'count' },
      { key: 'oldest', kind: 'days' },
    ],
    lines: rows.map(({ kind, count, oldest }) =>
      lineOf([count, oldest], { word: `approvals:kind.${kind}`, to: pending(kind) }),
    ),
    to: pending(),
  }
}
