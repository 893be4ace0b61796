import { sql } from 'kysely'
import type { Facts, Sql } from '#server/modules/reports/report.ts'
import { isPublished, programmeUnlessHidden } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { isOfWaves, registrationColumns, registrationPath, registrationPlaces } from './registration-facts.ts'

/** The present study programme of registration `r`; its first choice while the reader must not see its acceptance. */
export const programmeToday = programmeUnlessHidden(
  sql<boolean>`NOT (moment.sees_unpublished OR ${isPublished(sql<Date>`moment.at`)})`,
)

/** Joins the present wave, track, study programme, faculty and class programme of registration `r`. */
export const joinsOfRegistration = sql`JOIN waves w ON w.id = r.wave_id LEFT JOIN tracks t ON t.id = r.track_id
  LEFT JOIN study_programmes p ON p.id = ${programmeToday} LEFT JOIN faculties f ON f.id = p.faculty_id
  LEFT JOIN class_programmes c ON c.id = r.class_programme_id`

/** The same rows with registrations and with their stored facts; `from` joins the table as `r`. */
export const withStored = (from: (registrations: Sql) => Sql): Pick<Facts, 'from' | 'stored'> => ({
  from: from(sql`registrations`),
  stored: from(sql`registration_facts`),
})

/** The profile of stored registration `r` under the alias `a`. */
export const storedProfile = sql`CROSS JOIN LATERAL (SELECT r.school_id, r.ethnic_group_id, r.gender, r.clothes_size) a`

/** Whether the registration was submitted and had not ended at the moment. */
export const goesOn = sql<boolean>`(r.submitted_at <= moment.at AND (r.closed_at IS NULL OR r.closed_at > moment.at))`

/** Scope, year, filters, groups and columns of rows that belong to a registration, such as documents and seats. */
export const ofRegistration = {
  scope: (actor) => visibleTo(actor),
  year: registrationPlaces.year,
  storedOfWaves: isOfWaves,
  filters: { ...registrationPlaces.filters, classProgrammeId: sql`c.id` },
  groups: { ...registrationPlaces.groups, classProgramme: { key: sql`c.id`, label: sql`c.name` } },
  order: sql`r.search_text`,
  path: registrationPath,
  columns: {
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    classProgramme: { value: sql`c.name`, kind: 'text' },
  },
} satisfies Partial<Facts>
