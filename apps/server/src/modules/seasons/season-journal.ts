import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

export type JournalPart = {
  /** Entries from this moment on; null starts with the first. */
  from: Date | null
  /**
   * Steps after this one count even if older than `from`, since they became known later. Steps stored by a later night
   * do not: they are already among the stored rows of earlier days.
   */
  afterStep: number | null
  /** Omits steps after this one; null omits none. */
  upToStep: number | null
  until: { before: Date } | { at: Date }
  zone: string
  /** Whether to include money; figures of people do not need it. */
  withMoney: boolean
}

const isKnownLater = (id: Sql, afterStep: number) =>
  sql`(${id} > ${afterStep} AND ${id} > (SELECT last_step FROM season_days ORDER BY season_days.day DESC LIMIT 1))`

/**
 * Steps that may have an entry in this part: taken, undone or moved to another programme. A UNION, because each branch
 * has its own index.
 */
function stepsInPart({ from, afterStep, until }: JournalPart): Sql {
  if (from === null) return sql`true`
  const end = 'at' in until ? until.at : until.before
  const between = (column: Sql) => sql`${column} >= ${from} AND ${column} <= ${end}`
  return sql`s.id IN (
    SELECT id FROM registration_steps WHERE ${between(sql`at`)}
    UNION SELECT id FROM registration_steps WHERE undone_at IS NOT NULL AND ${between(sql`undone_at`)}
    ${afterStep === null ? sql`` : sql`UNION SELECT id FROM registration_steps WHERE ${isKnownLater(sql`id`, afterStep)}`}
    UNION SELECT o.id FROM registration_steps m JOIN registration_steps o ON o.registration_id = m.registration_id
      WHERE m.step = 'moved' AND ${between(sql`m.at`)})`
}

/**
 * Entries of a season's journal: plus one when a registration takes a step, minus one when the step is undone. A change
 * of programme moves every current step from the old programme to the new one, at the moment of the change. So entries
 * up to a moment add up to the state at that moment, whatever happened later.
 */
export function journal(part: JournalPart): Sql {
  const { from, afterStep, upToStep, until, zone, withMoney } = part
  const dayOf = (time: Sql) => sql`(${time} AT TIME ZONE ${zone}::text)::date`
  const money = withMoney
    ? sql`UNION ALL SELECT 0, b.registration_id, 'received', a.created_at, NULL, sign(a.amount)::int, a.amount
        FROM allocations a JOIN bills b ON b.id = a.bill_id
        WHERE b.registration_id IS NOT NULL ${from ? sql`AND a.created_at >= ${from}` : sql``}`
    : sql``
  return sql`(
    WITH steps AS (
      SELECT s.id, s.registration_id, s.step, s.at, s.undone_at, 1 AS count, 0::bigint AS rupiah FROM registration_steps s
      WHERE s.step <> 'moved' AND ${stepsInPart(part)} ${upToStep === null ? sql`` : sql`AND s.id <= ${upToStep}`}
      ${money}
    ), moves AS (
      SELECT m.registration_id, lag(m.at, 1, '-infinity') OVER (PARTITION BY m.registration_id ORDER BY m.at, m.id) AS from_at,
        m.at AS until_at, m.from_programme_id AS programme_id, m.from_class_programme_id AS class_programme_id
      FROM registration_steps m
      WHERE m.step = 'moved' ${from ? sql`AND m.registration_id IN (SELECT registration_id FROM steps)` : sql``}
    ), places AS (
      SELECT * FROM moves
      UNION ALL
      SELECT r.id, l.at, 'infinity', r.programme_id, r.class_programme_id
      FROM (SELECT registration_id, max(until_at) AS at FROM moves GROUP BY registration_id) l
      JOIN registrations r ON r.id = l.registration_id
    ), spans AS (
      SELECT s.id, s.step, s.at, s.count, s.rupiah, r.wave_id, r.track_id, r.applicant_id,
        greatest(s.at, g.from_at) AS begins, least(coalesce(s.undone_at, 'infinity'), coalesce(g.until_at, 'infinity')) AS ends,
        CASE WHEN g.registration_id IS NULL THEN r.programme_id ELSE g.programme_id END AS programme_id,
        coalesce(g.class_programme_id, r.class_programme_id) AS class_programme_id
      FROM steps s JOIN registrations r ON r.id = s.registration_id
      LEFT JOIN places g ON g.registration_id = s.registration_id
    )
    SELECT w.academic_year, p.wave_id, p.programme_id, p.track_id, p.class_programme_id, i.province_id, p.step AS stage,
      ${dayOf(sql`w.closes_at`)} AS closes_on, ${dayOf(sql`e.at`)} AS day, ${dayOf(sql`p.at`)} AS step_day,
      e.sign * p.count AS count, e.sign * p.rupiah AS rupiah
    FROM spans p CROSS JOIN LATERAL (VALUES (p.begins, 1), (p.ends, -1)) e (at, sign)
    JOIN waves w ON w.id = p.wave_id
    LEFT JOIN applicants t ON t.id = p.applicant_id LEFT JOIN schools o ON o.id = t.school_id
    LEFT JOIN cities i ON i.id = o.city_id
    WHERE p.begins < p.ends AND ${'at' in until ? sql`e.at <= ${until.at}` : sql`e.at < ${until.before}`}
      ${from ? sql`AND (e.at >= ${from} ${afterStep === null ? sql`` : sql`OR ${isKnownLater(sql`p.id`, afterStep)}`})` : sql``}
  )`
}
