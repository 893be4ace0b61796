import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll, visibleTo } from '#server/platform/access/row-scope.ts'

/**
 * SQL condition: the actor may see the address. A role with a row scope sees only addresses of applicants with a
 * registration in that scope.
 */
export const addressesVisibleTo = (actor: Actor, alias: string): RawBuilder<boolean> =>
  seesAll(actor)
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${alias}.address`)} IN (SELECT unnest(ARRAY[a.phone, a.email_lower, p.phone])
        FROM registrations r JOIN accounts a ON a.id = r.account_id JOIN applicants p ON p.id = r.applicant_id WHERE ${visibleTo(actor)})`

/**
 * SQL condition: the address matches the pattern. False without permission to see full addresses, because repeated
 * searches would reveal a masked address.
 */
export const addressMatches = (actor: Actor, alias: string, pattern: string): RawBuilder<boolean> =>
  actor.permissions.has('pendaftaran-edit')
    ? sql<boolean>`${sql.ref(`${alias}.address`)} LIKE ${pattern}`
    : sql<boolean>`false`
