import { type RawBuilder, sql } from 'kysely'

/**
 * SQL condition: the account or lead of recipient `r` was deleted, or the visitor erased. A merged lead keeps its row
 * and does not count as deleted.
 */
export const goneCondition = (audience: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  (r.account_id IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = r.account_id))
  OR (r.source_id IS NOT NULL AND CASE ${audience}
    WHEN 'leads' THEN NOT EXISTS (SELECT FROM leads l WHERE l.id = r.source_id)
    WHEN 'visitors' THEN NOT EXISTS (SELECT FROM event_visitors v WHERE v.id = r.source_id AND v.erased_at IS NULL)
    ELSE false END))`

/** SQL condition: the registration of recipient `r` has ended, or the visitor's visit was cancelled. */
export const endedCondition: RawBuilder<boolean> = sql<boolean>`(
  EXISTS (SELECT FROM registrations g
    WHERE g.id = r.registration_id AND g.status IN ('withdrawn', 'cancelled', 'expired'))
  OR EXISTS (SELECT FROM event_visitors v WHERE v.id = r.source_id AND v.state = 'cancelled'))`
