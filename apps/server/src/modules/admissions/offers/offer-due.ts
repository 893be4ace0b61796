import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

/** Deadline for answering the offer to registration `r`: the offer's own, else the track's, else the wave's. */
export const offerDueAt = sql<Date | null>`coalesce(r.offer_due_at,
  (SELECT coalesce(d.confirmation_due_at, w.confirmation_due_at) FROM waves w
   LEFT JOIN track_details d ON d.wave_id = w.id AND d.track_id = r.track_id AND d.entry_level_id = r.entry_level_id
   WHERE w.id = r.wave_id))`

/**
 * Whether the deadline has come by then. The places of waves, tracks and levels are few and read once, not for each
 * offer.
 */
export const offerDueBy = (moment: Date) => sql<boolean>`(r.offer_due_at <= ${moment} OR (r.offer_due_at IS NULL
  AND (r.wave_id, r.track_id, r.entry_level_id) IN (
    SELECT w.id, t.id, e.id FROM waves w CROSS JOIN tracks t CROSS JOIN entry_levels e
      LEFT JOIN track_details d ON d.wave_id = w.id AND d.track_id = t.id AND d.entry_level_id = e.id
    WHERE coalesce(d.confirmation_due_at, w.confirmation_due_at) <= ${moment})))`

/** Deadline of an offer; null if it never expires. */
export async function offerDueAtOf(tx: Tx, id: string) {
  const { rows } = await sql<{ dueAt: Date | null }>`
    SELECT ${offerDueAt} AS due_at FROM registrations r WHERE r.id = ${id}`.execute(tx)
  return rows[0]?.dueAt ?? null
}

/** Gives an offer whose deadline has passed a new deadline, so that a reopened offer can be answered. */
export async function renewPastOffer(tx: Tx, id: string, now: Date) {
  const dueAt = universityCalendar().endOfDayAfter(now, (await getSettings(tx)).offerDays)
  await sql`UPDATE registrations r SET offer_due_at = ${dueAt} WHERE r.id = ${id} AND ${offerDueAt} <= ${now}`.execute(
    tx,
  )
}
