import { type RawBuilder, sql } from 'kysely'
import type { CampusField } from '#domain/students/campus/fields.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Registrations `r` accepted for a programme, joined with the tables that `campusExpressions` reads. */
export const acceptedPeople = (db: Db) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('accounts as u', 'u.id', 'r.accountId')
    .innerJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .innerJoin('faculties as f', 'f.id', 'p.facultyId')
    .innerJoin('degreeLevels as l', 'l.id', 'p.degreeLevelId')
    .innerJoin('classProgrammes as c', 'c.id', 'r.classProgrammeId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .innerJoin('tracks as t', 't.id', 'r.trackId')
    .leftJoin('religions as g', 'g.id', 'a.religionId')
    .leftJoin('students as s', 's.registrationId', 'r.id')

const text = (expression: RawBuilder<unknown>) => expression as RawBuilder<string>
const textOrNull = (expression: RawBuilder<unknown>) => expression as RawBuilder<string | null>

/** SQL expression of each field over the tables of `acceptedPeople`. */
export const campusExpressions = {
  npm: textOrNull(sql`s.npm`),
  name: text(sql`a.full_name`),
  programmeCode: text(sql`p.code`),
  programme: text(sql`p.name`),
  faculty: text(sql`f.name`),
  level: text(sql`l.name`),
  classProgramme: text(sql`c.name`),
  academicYear: text(sql`w.academic_year`),
  wave: text(sql`w.name`),
  track: text(sql`t.name`),
  issuedAt: sql<Date | null>`s.issued_at`,
  code: text(sql`r.code`),
  gender: sql<'male' | 'female' | null>`a.gender`,
  birthPlace: textOrNull(sql`a.birth_place`),
  birthDate: textOrNull(sql`to_char(a.birth_date, 'YYYY-MM-DD')`),
  citizenship: text(sql`a.citizenship`),
  religion: textOrNull(sql`g.name`),
  email: text(sql`u.email`),
  phone: textOrNull(sql`regexp_replace(coalesce(a.phone, u.phone), '\\D', '', 'g')`),
  address: textOrNull(sql`a.address`),
  postalCode: textOrNull(sql`a.postal_code`),
  nik: textOrNull(sql`a.nik`),
  nisn: textOrNull(sql`a.nisn`),
  motherName: textOrNull(sql`a.mother_name`),
} satisfies Record<CampusField, RawBuilder<unknown>>
