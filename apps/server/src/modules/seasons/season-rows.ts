import { type RawBuilder, sql } from 'kysely'
import { type Calendar, shiftDay } from '#domain/calendar.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  firstChoiceOf,
  isIntakePublished,
  isPublished,
  seesUnpublished,
} from '#server/platform/access/decision-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { journal } from './season-journal.ts'

type Sql = RawBuilder<unknown>

/** How far the seasons are stored. */
export type KeptUntil = { day: string; endsAt: Date; lastStep: number }

export async function readKeptUntil(db: Db): Promise<KeptUntil | null> {
  const { rows } = await sql<KeptUntil>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, ends_at, last_step FROM season_days ORDER BY season_days.day DESC LIMIT 1`.execute(
    db,
  )
  return rows[0] ?? null
}

type Wanted = {
  kept: KeptUntil | null
  at: Date
  calendar: Calendar
  /** Adds track, class programme and province, which means many more rows. */
  inDetail?: boolean
}

/**
 * What happened up to a moment: rows of `season_sums` or `season_daily` for the days before, and journal entries since.
 * Their counts add up to the state at that moment.
 */
export function seasonRows({ kept, at, calendar, inDetail = false }: Wanted): Sql {
  const dayBefore = shiftDay(calendar.dayOf(at), -1)
  const isLatest = kept !== null && kept.day <= dayBefore
  const columns = sql.raw(
    `academic_year, wave_id, programme_id, stage, step_day, count${inDetail ? ', track_id, class_programme_id, province_id' : ''}`,
  )
  const live = journal({
    from: kept && (isLatest ? kept.endsAt : calendar.startOfDay(shiftDay(dayBefore, 1))),
    afterStep: kept?.lastStep ?? null,
    upToStep: null,
    until: { at },
    zone: calendar.timeZone,
    withMoney: false,
  })
  return sql`(
    SELECT ${columns} FROM ${sql.raw(inDetail ? 'season_daily' : 'season_sums')}
      WHERE day <= ${kept && (isLatest ? kept.day : dayBefore)}::date AND count <> 0
    UNION ALL SELECT ${columns} FROM ${live} l
  )`
}

/**
 * Corrections of `seasonRows` for a reader who must not see unpublished decisions: an unpublished acceptance does not
 * count yet, and an applicant it moved to another programme still counts for the first choice.
 */
export const hiddenRows = (
  actor: Actor,
  year: string,
  { at, calendar: { timeZone: zone }, inDetail = false }: Wanted,
): Sql => {
  const detail = inDetail ? sql`, h.track_id, h.class_programme_id, NULL::uuid` : sql``
  if (seesUnpublished(actor)) return sql``
  return sql`UNION ALL
    SELECT ${year}::varchar, h.wave_id, e.programme_id, s.step, (s.at AT TIME ZONE ${zone}::text)::date, e.count ${detail}
    FROM (
      SELECT r.id, r.wave_id, r.track_id, r.class_programme_id, r.programme_id, coalesce(${firstChoiceOf('r')}, r.programme_id) AS first_choice
      FROM (
        SELECT o.* FROM (SELECT w.id AS wave_id, t.id AS track_id, NULL::smallint AS published_after, NULL::timestamptz AS closed_at
          FROM waves w CROSS JOIN tracks t WHERE w.academic_year = ${year}) k
        JOIN registrations o ON o.wave_id = k.wave_id AND o.track_id = k.track_id AND o.published_after IS NULL
        WHERE NOT ${isPublished(at, 'k')}
        UNION ALL
        SELECT o.* FROM registrations o JOIN waves w ON w.id = o.wave_id AND w.academic_year = ${year}
        WHERE o.published_after IS NOT NULL AND NOT ${isPublished(at, 'o')}
        UNION ALL
        SELECT o.* FROM registrations o JOIN waves w ON w.id = o.wave_id AND w.academic_year = ${year}
        WHERE o.published_after IS NULL AND o.closed_from = 'decided' AND ${isIntakePublished(at, 'o')}
          AND NOT ${isPublished(at, 'o')}
      ) r
      WHERE r.decision = 'accepted' AND r.decided_at <= ${at} AND (r.confirmed_at <= ${at}) IS NOT TRUE
    ) h
    JOIN registration_steps s ON s.registration_id = h.id AND s.undone_at IS NULL AND s.step <> 'moved' AND s.at <= ${at}
    CROSS JOIN LATERAL (
      SELECT h.programme_id, -1 AS count WHERE s.step = 'accepted' OR h.first_choice <> h.programme_id
      UNION ALL SELECT h.first_choice, 1 WHERE s.step <> 'accepted' AND h.first_choice <> h.programme_id
    ) e`
}
