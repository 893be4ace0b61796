import { type RawBuilder, sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { likePattern, searchPattern } from '#server/platform/database/database.ts'
import type { Actor } from './authorization.ts'
import { isApplicant } from './row-scope.ts'

/**
 * Whether the actor sees full phone numbers and e-mail addresses of registrations: staff who may edit them, and
 * applicants.
 */
export const seesContactsOfRegistrations = (actor: Actor) =>
  isApplicant(actor) || actor.permissions.has('pendaftaran-edit')

/**
 * Registrations whose name or code contains the typed text. Phone digits match only for actors who see full phone
 * numbers; others could guess masked digits one by one. `alias` names the table `registrations` in the query.
 */
export function registrationMatches(actor: Actor, typed: string, alias = 'r'): RawBuilder<boolean> {
  const nameOrCode = sql<boolean>`${sql.ref(`${alias}.search_text`)} LIKE ${searchPattern(typed)}`
  const digits = seesContactsOfRegistrations(actor) ? phonePartsOf(typed) : []
  const phone = digits.map((part) => sql`${sql.ref(`${alias}.search_phone`)} LIKE ${likePattern(part)}`)
  return sql<boolean>`(${sql.join([nameOrCode, ...phone], sql` OR `)})`
}
