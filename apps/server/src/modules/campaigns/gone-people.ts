import { type RawBuilder, sql } from 'kysely'

/**
 * SQL condition: the account, lead or visitor behind recipient `r` was deleted. A merged lead is not deleted: its row
 * stays as long as the lead it was merged into.
 */
export const goneCondition = (audience: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  (r.account_id IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = r.account_id))
  OR (r.source_id IS NOT NULL AND CASE ${audience}
    WHEN 'leads' THEN NOT EXISTS (SELECT FROM leads l WHERE l.id = r.source_id)
    WHEN 'visitors' THEN NOT EXISTS (SELECT FROM event_visitors v WHERE v.id = r.source_id AND v.erased_at IS NULL)
    ELSE false END))`

/** SQL condition: the registration of recipient `r` has ended, or the visitor has cancelled. */
export const endedCondition: RawBuilder<boolean> = sql<boolean>`(
  EXISTS (SELECT FROM registrations g
    WHERE g.id = r.registration_id AND g.status IN ('withdrawn', 'cancelled', 'expired'))
  OR EXISTS (SELECT FROM event_visitors v WHERE v.id = r.source_id AND v.state = 'cancelled'))`
