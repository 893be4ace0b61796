import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { FeederField, FeederProblem } from '#domain/students/feeder/fields.ts'
import type { Db } from '#server/platform/database/database.ts'
import { feederReadiness, feederStudents } from './readiness.ts'

export type Readiness = {
  registrationId: string
  npm: string
  name: string
  fields: Record<FeederField, string | null>
  problems: Partial<Record<FeederField, FeederProblem>>
}

/** The university's time zone as an SQL value. */
export const zoneOfDays = () => sql`${universityCalendar().timeZone}::text`

/** Values and problems of students, by registration id; registrations without a student number are left out. */
export async function readManyReadiness(db: Db, registrationIds: readonly string[]) {
  const { rows } = await sql<Readiness>`
    SELECT r.id AS "registrationId", s.npm, a.full_name AS name, ready.fields, ready.problems
    FROM ${feederStudents} ${feederReadiness(zoneOfDays())} WHERE r.id = ANY (${registrationIds}::uuid[])`.execute(
    db.withoutPlugins(),
  )
  return new Map(rows.map((row) => [row.registrationId, row]))
}

export const readReadiness = async (db: Db, registrationId: string) =>
  (await readManyReadiness(db, [registrationId])).get(registrationId)
