import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll, visibleTo } from '#server/platform/access/row-scope.ts'

/** Addresses the actor may see: all of them, or for a limited role those of its own applicants. */
export const addressesVisibleTo = (actor: Actor, alias: string): RawBuilder<boolean> =>
  seesAll(actor)
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${alias}.address`)} IN (SELECT unnest(ARRAY[a.phone, a.email_lower, p.phone])
        FROM registrations r JOIN accounts a ON a.id = r.account_id JOIN applicants p ON p.id = r.applicant_id WHERE ${visibleTo(actor)})`

/**
 * Whether an address matches a search. Without permission for full addresses nothing matches: searching would reveal
 * masked addresses piece by piece.
 */
export const addressMatches = (actor: Actor, alias: string, pattern: string): RawBuilder<boolean> =>
  actor.permissions.has('pendaftaran-edit')
    ? sql<boolean>`${sql.ref(`${alias}.address`)} LIKE ${pattern}`
    : sql<boolean>`false`
