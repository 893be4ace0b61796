import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished, seesUnpublished, statusSql } from '#server/platform/access/decision-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Ids of the tracks of a wave with decisions that are not published: all of them, and those where a selection decided. */
export type WaitingTracks = { all: string[]; selected: string[] }

export async function findWaitingTracks(db: Db, waveId: string, now: Date): Promise<WaitingTracks> {
  const { rows } = await sql<{ trackId: string; selected: boolean }>`
    SELECT h.track_id, bool_or(h.selection_run_id IS NOT NULL) AS selected FROM registrations h
    WHERE h.wave_id = ${waveId} AND h.status = 'decided' AND NOT ${isPublished(now, 'h')}
    GROUP BY h.track_id`.execute(db)
  return {
    all: rows.map(({ trackId }) => trackId),
    selected: rows.flatMap(({ trackId, selected }) => (selected ? [trackId] : [])),
  }
}

/** Whether the actor sees the registration `r` decided. */
export const isSeenDecided = (actor: Actor, now: Date) =>
  sql<boolean>`(${statusSql(actor, now)} IN ('decided', 'confirmed', 'enrolled'))`

/**
 * Whether a new score of the registration `r` needs a reason from the actor: after the decision. A decision that the actor
 * does not see must not be found out by recording scores, so everyone of its track needs a reason then: for each score if
 * a selection decided, else for a score that replaces the stored one (`hasScore`).
 */
export function needsReason(actor: Actor, now: Date, waiting: WaitingTracks, hasScore: RawBuilder<boolean>) {
  const decided = isSeenDecided(actor, now)
  if (seesUnpublished(actor)) return decided
  const isIn = (trackIds: readonly string[]) => sql`r.track_id = ANY(${trackIds}::uuid[])`
  return sql<boolean>`(${decided} OR ${isIn(waiting.selected)} OR (${isIn(waiting.all)} AND ${hasScore}))`
}
