import { type RawBuilder, sql } from 'kysely'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import type { Settings } from '#server/platform/settings.ts'

/*
 * Conditions on registration `r`: who takes part in a selection. Verified registrations of its tracks do, and those an
 * earlier run decided, unless a published result gives the applicant a place. Every other acceptance is final and keeps
 * its place.
 */

const isOfTracks = (trackIds: readonly string[]) => sql<boolean>`r.track_id = ANY(${[...trackIds]}::uuid[])`

/** Whether an earlier run accepted the registration and the result is not published yet. */
const isAcceptedUntold = (trackIds: readonly string[], now: Date) =>
  sql<boolean>`(r.status = 'decided' AND r.decision = 'accepted' AND r.selection_run_id IS NOT NULL
    AND ${isOfTracks(trackIds)} AND NOT ${isPublished(now)})`

/** Whether the registration takes part. */
export const isOpen = (trackIds: readonly string[], now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isOfTracks(trackIds)} AND (r.status = 'verified'
      OR (r.status = 'decided' AND r.decision = 'not_accepted' AND r.selection_run_id IS NOT NULL))
    OR ${isAcceptedUntold(trackIds, now)})`

/** Whether the registration keeps the place of an earlier acceptance. */
export const isStanding = (trackIds: readonly string[], now: Date): RawBuilder<boolean> =>
  sql<boolean>`(r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled')
    AND NOT ${isAcceptedUntold(trackIds, now)})`

/** Whether the settings forbid accepting the registration because of open documents or an open fee. */
export const isBlocked = ({ acceptWithOpenDocuments, acceptWithOpenFee }: Settings): RawBuilder<boolean> => {
  const openDocuments = sql<boolean>`EXISTS (SELECT FROM documents k WHERE k.registration_id = r.id AND k.required AND k.stage = 'registration'
    AND k.status NOT IN ('approved', 'waived', 'deferred'))`
  const openFee = sql<boolean>`EXISTS (SELECT FROM bills b WHERE b.registration_id = r.id AND b.kind = 'registration_fee'
    AND b.status IN ('open', 'partly_paid'))`
  const never = sql<boolean>`false`
  return sql<boolean>`(${acceptWithOpenDocuments === 'block' ? openDocuments : never}
    OR ${acceptWithOpenFee === 'block' ? openFee : never})`
}
