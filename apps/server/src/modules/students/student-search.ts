import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { likePattern } from '#server/platform/database/database.ts'

/** Registrations `r` that the text finds, and those of student numbers that contain it, each by its own index. */
export const studentMatches = (actor: Actor, typed: string) => sql<boolean>`r.id IN (
  SELECT z.id FROM registrations z WHERE ${registrationMatches(actor, typed, 'z')}
  UNION
  SELECT s.registration_id FROM students s WHERE s.npm LIKE ${likePattern(typed)})`

/** The condition of `studentMatches` tested row by row: for text with many hits the list fills up soon in its order. */
export const studentMatchesByRow = (actor: Actor, typed: string) => sql<boolean>`(${registrationMatches(actor, typed)}
  OR EXISTS (SELECT FROM students s WHERE s.registration_id = r.id AND s.npm LIKE ${likePattern(typed)}))`
