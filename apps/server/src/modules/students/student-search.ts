import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { likePattern } from '#server/platform/database/database.ts'

/**
 * SQL condition on `registrations r`: the text matches the registration or is part of its student number. A UNION, so
 * that each part uses its own index.
 */
export const studentMatches = (actor: Actor, typed: string) => sql<boolean>`r.id IN (
  SELECT z.id FROM registrations z WHERE ${registrationMatches(actor, typed, 'z')}
  UNION
  SELECT s.registration_id FROM students s WHERE s.npm LIKE ${likePattern(typed)})`

/** `studentMatches` tested row by row: faster for text with many hits, because the list fills a page early. */
export const studentMatchesByRow = (actor: Actor, typed: string) => sql<boolean>`(${registrationMatches(actor, typed)}
  OR EXISTS (SELECT FROM students s WHERE s.registration_id = r.id AND s.npm LIKE ${likePattern(typed)}))`
